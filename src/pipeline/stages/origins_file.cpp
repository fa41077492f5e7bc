#include "pipeline/stages/origins_file.h"

#include <algorithm>
#include <cstring>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "stream/open_stream.h"
#include "stream/zstd_codec.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEnding = ".origins.jsonl";
constexpr const char* kOriginsCount = "origins";
constexpr const char* kCompressed = ".zst";
// A line takes some 200 bytes; the highest level would save another tenth, in 50 times the time.
constexpr int kLevel = 9;
constexpr std::uint64_t kMaxFrameBytes = std::uint64_t{1} << 31;

// Of the frame that follows; as in memory, which is little-endian (shard_assignment.cpp).
struct FrameHead {
  std::uint64_t articles;
  std::uint64_t bytes;
};

std::string_view line_of(std::string_view lines, std::uint64_t number) {
  for (; number > 0; --number) lines.remove_prefix(std::min(lines.find('\n'), lines.size() - 1) + 1);
  return lines.substr(0, lines.find('\n'));
}

[[noreturn]] void throw_damaged(const fs::path& file) {
  throw FormatError("is damaged: it does not hold what formatting writes", file, "format the text again with `force`");
}

}  // namespace

std::string origins_name(const std::string& formatted) {
  return formatted + kEnding + (formatted.ends_with(kCompressed) ? kCompressed : "");
}

void refuse_origins(std::span<const fs::path> articles) {
  for (const fs::path& file : articles) {
    const std::string name = file.filename().string();
    if (!name.ends_with(kEnding) && !name.ends_with(std::string(kEnding) + kCompressed)) continue;
    throw ConfigError("holds the origins of articles, not articles", file, "leave it out, and give the file beside it");
  }
}

// Readers of one article skip the frames before it.
void append_origins_frame(std::string_view lines, std::uint64_t articles, std::string& out) {
  if (articles == 0) return;
  std::string frame;
  append_zstd_frame(lines, kLevel, frame);
  const FrameHead head{articles, frame.size()};
  append_skippable_frame(bytes_in_memory(std::span(&head, 1)), out);
  out += frame;
}

void add_origins(const fs::path& file, const std::string& name, CompletionRecord& record) {
  record.counts.add(kOriginsCount, Json::object()
                                       .add("name", Json::string(name))
                                       .add("bytes", Json::number(fs::file_size(file)))
                                       .add("sha256", Json::string(sha256_of_file(file))));
}

std::optional<OutputEntry> recorded_origins(const CompletionRecord& record) {
  const Json* origins = record.counts.find(kOriginsCount);
  if (origins == nullptr) return std::nullopt;
  return OutputEntry{origins->at("name").text(), origins->at("bytes").as_unsigned(), origins->at("sha256").text()};
}

std::optional<OriginsFile> OriginsFile::beside(const fs::path& formatted) {
  // Earlier versions did not compress.
  for (const std::string& name : {origins_name(formatted.string()), formatted.string() + kEnding}) {
    std::error_code error;
    if (fs::is_regular_file(name, error)) return OriginsFile(name);
  }
  return std::nullopt;
}

OriginsFile::OriginsFile(const fs::path& file) : path_(file), file_(file) {
  const std::string_view bytes = file_.bytes();
  is_compressed_ = compression_of(bytes.substr(0, kCompressionProbeBytes)) == Compression::kZstd;
  if (is_compressed_) {
    read_frames(bytes);
    return;
  }
  articles_ = static_cast<std::uint64_t>(std::count(bytes.begin(), bytes.end(), '\n'));
  blocks_.push_back({0, bytes});
}

void OriginsFile::read_frames(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto stored = take_skippable_frame(bytes);
    FrameHead head{};
    if (!stored || stored->size() != sizeof head) throw_damaged(path_);
    std::memcpy(&head, stored->data(), sizeof head);
    if (head.bytes > bytes.size()) throw_damaged(path_);
    blocks_.push_back({articles_, bytes.substr(0, head.bytes)});
    articles_ += head.articles;
    bytes.remove_prefix(head.bytes);
  }
}

std::string OriginsFile::line(std::uint64_t article) const {
  const auto after = std::ranges::upper_bound(blocks_, article, {}, &Block::first_article);
  const Block& block = *std::prev(after);
  const std::uint64_t number = article - block.first_article;
  if (!is_compressed_) return std::string(line_of(block.bytes, number));
  std::string lines;
  try {
    lines = zstd_frame_bytes(block.bytes, kMaxFrameBytes);
  } catch (const FormatError&) {
    throw_damaged(path_);
  }
  if (static_cast<std::uint64_t>(std::count(lines.begin(), lines.end(), '\n')) <= number) throw_damaged(path_);
  return std::string(line_of(lines, number));
}

}  // namespace bertprep
