#include "pipeline/text_shards/assignment_file.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/folder.h"
#include "io/output_file.h"

namespace bertprep {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::uint64_t kHeadNumbers = 3;

std::uint64_t checksum_of_piece(std::string_view offsets, std::string_view shards) {
  return checksum_of(shards, checksum_of(offsets));
}

namespace fs = std::filesystem;

constexpr const char* kFile = "file";
constexpr const char* kArticles = "articles";
constexpr const char* kPlacesEnding = ".articles";

}  // namespace

void write_assignment(const std::filesystem::path& file, const ArticlePlaces& places,
                      std::span<const std::uint64_t> first_articles) {
  std::vector<std::uint64_t> numbers{places.shard_bytes.size(), first_articles.size() - 1, places.shard.size()};
  numbers.insert(numbers.end(), places.shard_bytes.begin(), places.shard_bytes.end());
  numbers.insert(numbers.end(), first_articles.begin(), first_articles.end());
  numbers.push_back(checksum_of(bytes_in_memory(numbers)));
  const std::span<const std::uint64_t> offsets(places.offset);
  const std::span<const std::uint32_t> shards(places.shard);
  for (std::size_t piece = 0; piece + 1 < first_articles.size(); ++piece) {
    const std::uint64_t first = first_articles[piece];
    const std::uint64_t count = first_articles[piece + 1] - first;
    numbers.push_back(checksum_of_piece(bytes_in_memory(offsets.subspan(first, count)),
                                        bytes_in_memory(shards.subspan(first, count))));
  }
  OutputFile out(file);
  out.write(bytes_in_memory(numbers));
  out.write(bytes_in_memory(offsets));
  out.write(bytes_in_memory(shards));
  out.finish();
}

AssignmentFile::AssignmentFile(const std::filesystem::path& file, std::string hint)
    : path_(file), hint_(std::move(hint)), file_(file) {
  const std::uint64_t size = file_.bytes().size();
  if (size >= kHeadNumbers * 8) {
    shards_ = number_at(0);
    pieces_ = number_at(1);
    articles_ = number_at(2);
  }
  // None may be larger than the file, so that their sum does not overflow.
  const bool fits = size >= kHeadNumbers * 8 && std::max({shards_, pieces_, articles_}) <= size &&
                    size == (kHeadNumbers + shards_ + 2 * pieces_ + 2) * 8 + articles_ * 12;
  if (!fits || number_at(head().size() / 8) != checksum_of(head()) || !has_valid_numbers()) {
    throw FormatError("is not an assignment, or is damaged", file, hint_);
  }
}

std::string_view AssignmentFile::head() const {
  return file_.bytes().substr(0, (kHeadNumbers + shards_ + pieces_ + 1) * 8);
}

std::string_view AssignmentFile::offsets(std::uint64_t begin, std::uint64_t end) const {
  return file_.bytes().substr(head().size() + (1 + pieces_ + begin) * 8, (end - begin) * 8);
}

std::string_view AssignmentFile::shards_of(std::uint64_t begin, std::uint64_t end) const {
  return file_.bytes().substr(head().size() + (1 + pieces_ + articles_) * 8 + begin * 4, (end - begin) * 4);
}

bool AssignmentFile::has_valid_numbers() const {
  std::uint64_t last = number_at(kHeadNumbers + shards_);
  if (last != 0) return false;
  for (std::uint64_t piece = 1; piece <= pieces_; ++piece) {
    const std::uint64_t first = number_at(kHeadNumbers + shards_ + piece);
    if (first < last) return false;
    last = first;
  }
  return last == articles_;
}

std::uint64_t AssignmentFile::number_at(std::uint64_t index) const {
  std::uint64_t number = 0;
  std::memcpy(&number, file_.bytes().data() + index * 8, sizeof number);
  return number;
}

std::uint64_t AssignmentFile::shard_bytes(std::size_t shard) const {
  return number_at(kHeadNumbers + shard);
}

std::vector<AssignmentFile::Place> AssignmentFile::places_of_piece(std::size_t piece) const {
  if (piece >= pieces_) throw FormatError("has no piece " + std::to_string(piece), path_, hint_);
  const std::uint64_t begin = number_at(kHeadNumbers + shards_ + piece);
  const std::uint64_t end = number_at(kHeadNumbers + shards_ + piece + 1);
  const std::string_view offsets_here = offsets(begin, end);
  const std::string_view shards_here = shards_of(begin, end);
  if (number_at(head().size() / 8 + 1 + piece) != checksum_of_piece(offsets_here, shards_here)) {
    throw FormatError("is damaged", path_, hint_);
  }
  std::vector<Place> places(end - begin);
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::memcpy(&places[i].offset, offsets_here.data() + i * 8, 8);
    std::memcpy(&places[i].shard, shards_here.data() + i * 4, 4);
    if (places[i].shard >= shards_ || places[i].offset >= shard_bytes(places[i].shard))
      throw FormatError("is damaged", path_, hint_);
  }
  return places;
}

void AssignmentFile::check() const {
  for (std::size_t piece = 0; piece < pieces(); ++piece) places_of_piece(piece);
}

std::vector<AssignmentFile::PlacedArticle> AssignmentFile::articles_of_shard(std::size_t shard) const {
  std::vector<PlacedArticle> found;
  std::uint64_t article = 0;
  for (std::size_t piece = 0; piece < pieces(); ++piece) {
    for (const Place& place : places_of_piece(piece)) {
      if (place.shard == shard) found.push_back({article, place.offset, 0});
      ++article;
    }
  }
  std::sort(found.begin(), found.end(),
            [](const PlacedArticle& left, const PlacedArticle& right) { return left.begin < right.begin; });
  std::uint64_t end = shard_bytes(shard);
  for (auto placed = found.rbegin(); placed != found.rend(); ++placed) placed->end = std::exchange(end, placed->begin);
  return found;
}

std::string article_places_name(const std::string& dataset) {
  return dataset + kPlacesEnding;
}

std::vector<fs::path> damaged_assignments(const fs::path& state) {
  std::vector<fs::path> damaged;
  for (const auto& entry : list_folder_if_any(state)) {
    if (entry.path().extension() != kPlacesEnding) continue;
    try {
      AssignmentFile(entry.path()).check();
    } catch (const FormatError&) {
      damaged.push_back(entry.path());
    }
  }
  return damaged;
}

Json json_of(std::span<const TextSource> sources, const fs::path& text_shards) {
  const fs::path folder = fs::absolute(text_shards).lexically_normal();
  Json list = Json::array();
  for (const TextSource& source : sources) {
    const fs::path file = fs::absolute(source.file).lexically_normal().lexically_proximate(folder);
    list.push(Json::object().add(kFile, Json::string(file.string())).add(kArticles, Json::number(source.articles)));
  }
  return list;
}

std::vector<TextSource> text_sources_in(const Json& counts, const fs::path& text_shards) {
  std::vector<TextSource> sources;
  const Json* list = counts.find(kTextSources);
  if (list == nullptr) return sources;
  for (const Json& source : list->items()) {
    sources.push_back({(text_shards / source.at(kFile).text()).lexically_normal(), source.at(kArticles).as_unsigned()});
  }
  return sources;
}

}  // namespace bertprep
