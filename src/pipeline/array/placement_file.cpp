#include "pipeline/array/placement_file.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "bertprep/base/error.h"
#include "io/output_file.h"

namespace bertprep {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::uint64_t kHeadNumbers = 3;

template <class Number>
std::string_view bytes_of(std::span<const Number> numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

}  // namespace

void write_placement(const std::filesystem::path& file, const ArticlePlaces& places,
                     std::span<const std::uint64_t> first_articles) {
  const std::uint64_t head[kHeadNumbers] = {places.shard_bytes.size(), first_articles.size() - 1, places.shard.size()};
  OutputFile out(file);
  out.write(bytes_of(std::span<const std::uint64_t>(head)));
  out.write(bytes_of(std::span<const std::uint64_t>(places.shard_bytes)));
  out.write(bytes_of(first_articles));
  out.write(bytes_of(std::span<const std::uint64_t>(places.offset)));
  out.write(bytes_of(std::span<const std::uint32_t>(places.shard)));
  out.finish();
}

PlacementFile::PlacementFile(const std::filesystem::path& file) : path_(file), file_(file) {
  const std::uint64_t size = file_.bytes().size();
  if (size >= kHeadNumbers * 8) {
    shards_ = number_at(0);
    pieces_ = number_at(1);
    articles_ = number_at(2);
  }
  // None is larger than the file, so that their sum does not overflow.
  const bool fits = size >= kHeadNumbers * 8 && std::max({shards_, pieces_, articles_}) <= size &&
                    size == (kHeadNumbers + shards_ + pieces_ + 1) * 8 + articles_ * 12;
  if (!fits || !has_sound_numbers()) {
    throw FormatError("is no placement, or damaged", file, "run the stage 'place' again");
  }
}

bool PlacementFile::has_sound_numbers() const {
  std::uint64_t last = number_at(kHeadNumbers + shards_);
  if (last != 0) return false;
  for (std::uint64_t piece = 1; piece <= pieces_; ++piece) {
    const std::uint64_t first = number_at(kHeadNumbers + shards_ + piece);
    if (first < last) return false;
    last = first;
  }
  return last == articles_;
}

std::uint64_t PlacementFile::number_at(std::uint64_t index) const {
  std::uint64_t number = 0;
  std::memcpy(&number, file_.bytes().data() + index * 8, sizeof number);
  return number;
}

std::uint64_t PlacementFile::shard_bytes(std::size_t shard) const {
  return number_at(kHeadNumbers + shard);
}

std::vector<PlacementFile::Place> PlacementFile::places_of_piece(std::size_t piece) const {
  if (piece >= pieces_) throw FormatError("has no piece " + std::to_string(piece), path_, "run 'place' again");
  const std::uint64_t firsts = kHeadNumbers + shards_;
  const std::uint64_t offsets = firsts + pieces_ + 1;
  const char* const shards = file_.bytes().data() + (offsets + articles_) * 8;
  const std::uint64_t end = number_at(firsts + piece + 1);
  std::vector<Place> places;
  for (std::uint64_t article = number_at(firsts + piece); article < end; ++article) {
    Place place{0, number_at(offsets + article)};
    std::memcpy(&place.shard, shards + article * sizeof place.shard, sizeof place.shard);
    if (place.shard >= shards_) throw FormatError("is damaged", path_, "run the stage 'place' again");
    places.push_back(place);
  }
  return places;
}

}  // namespace bertprep
