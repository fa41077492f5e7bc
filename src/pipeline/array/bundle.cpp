#include "pipeline/array/bundle.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/input_file.h"
#include "io/output_file.h"
#include "pipeline/records/recipe.h"
#include "pipeline/text_shards/sentence_index.h"
#include "pipeline/text_shards/write_text_shards.h"

namespace bertprep {
namespace {

constexpr std::uint64_t kNumberBytes = 8;

[[noreturn]] void throw_damaged(const std::filesystem::path& bundle) {
  throw FormatError("is damaged", bundle, "run the stage 'shard' again");
}

// The tables of a bundle, and the places of all articles' lines.
struct BundlePlan {
  std::vector<std::uint64_t> begins;              // of sections
  std::vector<std::vector<std::uint64_t>> heads;  // of sections: articles, offsets and bytes
  ArticlePlaces places;                           // in the bundle, treated as one text shard
};

BundlePlan plan_bundle(std::span<const AssignmentFile::Place> places, const ArticleSizes& sizes, std::size_t shards) {
  std::vector<std::uint32_t> order(places.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t left, std::uint32_t right) {
    return std::pair(places[left].shard, places[left].offset) < std::pair(places[right].shard, places[right].offset);
  });

  BundlePlan plan;
  plan.heads.resize(shards);
  for (const std::uint32_t article : order) {
    std::vector<std::uint64_t>& head = plan.heads[places[article].shard];
    if (head.empty()) head.push_back(0);
    ++head.front();
    head.push_back(places[article].offset);
    head.push_back(sizes.bytes[article]);
  }
  plan.places.shard.resize(places.size());
  plan.places.offset.resize(places.size());
  std::uint64_t end = (2 * shards + 1) * kNumberBytes;
  auto next = order.begin();
  for (const std::vector<std::uint64_t>& head : plan.heads) {
    plan.begins.push_back(end);
    end += head.size() * kNumberBytes;
    for (std::size_t i = 2; i < head.size(); i += 2) {
      plan.places.offset[*next++] = end;
      end += head[i];
    }
  }
  plan.begins.push_back(end);
  plan.places.shard_bytes = {end};
  return plan;
}

void write_tables(const BundlePlan& plan, const std::filesystem::path& path) {
  PlacedFile file = PlacedFile::reopen(path);
  file.write_at(0, bytes_in_memory(plan.begins));
  // Space for write_checksums(): without articles, the tables are the whole bundle.
  file.write_at(plan.begins.size() * kNumberBytes, bytes_in_memory(std::vector<std::uint64_t>(plan.heads.size())));
  for (std::size_t shard = 0; shard < plan.heads.size(); ++shard) {
    file.write_at(plan.begins[shard], bytes_in_memory(plan.heads[shard]));
  }
  file.finish();
}

// Many threads write parts of sections, so checksums are computed at the end.
void write_checksums(const BundlePlan& plan, const std::filesystem::path& path) {
  std::vector<std::uint64_t> checksums;
  {
    const MappedFile bundle(path);
    for (std::size_t shard = 0; shard < plan.heads.size(); ++shard) {
      const std::uint64_t begin = plan.begins[shard];
      checksums.push_back(checksum_of(bundle.bytes().substr(begin, plan.begins[shard + 1] - begin), shard));
    }
  }
  PlacedFile file = PlacedFile::reopen(path);
  file.write_at(plan.begins.size() * kNumberBytes, bytes_in_memory(checksums));
  file.finish();
}

void read_exactly(InputFile& file, std::span<char> buffer) {
  if (file.read(buffer) != buffer.size()) throw_damaged(file.path());
}

}  // namespace

void write_bundle(const PieceText& piece, std::size_t shards, const std::filesystem::path& path, std::size_t threads,
                  Progress& progress) {
  const ArticleSizes sizes = sizes_of_index(piece.index);
  if (sizes.bytes.size() != piece.places.size()) {
    throw FormatError("the assignment does not belong to this piece", piece.text, "run the stage 'place' again");
  }
  const BundlePlan plan = plan_bundle(piece.places, sizes, shards);
  const std::filesystem::path files[] = {piece.text};
  const std::filesystem::path outputs[] = {path};
  write_text_shards({files, piece.index, text_digest(piece.text_sha256)}, plan.places, outputs, threads, progress);
  write_tables(plan, path);
  write_checksums(plan, path);
}

std::uint64_t copy_section(const std::filesystem::path& bundle, std::size_t shard, std::size_t shards,
                           std::span<char> text) {
  InputFile file(bundle);
  std::uint64_t ends[2];
  file.seek(shard * kNumberBytes);
  read_exactly(file, {reinterpret_cast<char*>(ends), sizeof ends});
  if (ends[1] < ends[0] || ends[1] > file.size_bytes()) throw_damaged(bundle);
  std::uint64_t checksum = 0;
  file.seek((shards + 1 + shard) * kNumberBytes);
  read_exactly(file, {reinterpret_cast<char*>(&checksum), sizeof checksum});
  std::string section(ends[1] - ends[0], '\0');
  file.seek(ends[0]);
  read_exactly(file, section);
  if (checksum_of(section, shard) != checksum) throw_damaged(bundle);
  if (section.empty()) return 0;
  const auto number = [&](std::uint64_t index) {
    std::uint64_t value = 0;
    if ((index + 1) * kNumberBytes > section.size()) throw_damaged(bundle);
    std::memcpy(&value, section.data() + index * kNumberBytes, sizeof value);
    return value;
  };
  const std::uint64_t articles = number(0);
  std::uint64_t position = (1 + 2 * articles) * kNumberBytes;
  std::uint64_t copied = 0;
  for (std::uint64_t i = 0; i < articles; ++i) {
    const std::uint64_t offset = number(1 + 2 * i);
    const std::uint64_t bytes = number(2 + 2 * i);
    if (bytes > section.size() || position > section.size() - bytes || bytes > text.size() ||
        offset > text.size() - bytes) {
      throw_damaged(bundle);
    }
    std::memcpy(text.data() + offset, section.data() + position, bytes);
    position += bytes;
    copied += bytes;
  }
  return copied;
}

}  // namespace bertprep
