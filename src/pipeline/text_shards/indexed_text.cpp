#include "pipeline/text_shards/indexed_text.h"

#include <utility>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "stream/zstd_codec.h"

namespace bertprep {
namespace {

[[noreturn]] void throw_changed(const std::filesystem::path& file) {
  throw FormatError("its text changed between two reads", file, "run the command again");
}

bool has_frames(std::string_view index) {
  IndexReader blocks(index);
  while (blocks.next()) {
    if (blocks.text_bytes() != 0) return blocks.frame().bytes != 0;
  }
  return false;
}

}  // namespace

IndexedBlocks::IndexedBlocks(const IndexedText& input, const TaskRunner& runner)
    : input_(input), index_(input.index), blocks_(index_.bytes()), texts_(input.files, "", runner) {
  if (has_frames(index_.bytes()) && input.files.size() == 1) frames_.emplace(input.files.front());
}

std::uint64_t IndexedBlocks::text_bytes() const {
  IndexReader blocks(index_.bytes());
  std::uint64_t bytes = 0;
  while (blocks.next()) bytes += blocks.text_bytes();
  return bytes;
}

bool IndexedBlocks::next(IndexedBlock& block) {
  if (!blocks_.next()) return false;
  block.text_bytes = blocks_.text_bytes();
  block.checksum = blocks_.frame().checksum;
  block.list = blocks_.list();
  block.first_article = std::exchange(articles_, articles_ + blocks_.articles());
  if (!frames_) {
    block.text = texts_.next_bytes(block.text_bytes).text;
    return true;
  }
  const std::size_t size = blocks_.frame().bytes;
  if (size > frames_->size_bytes()) throw_changed(frames_->path());
  block.stored.resize(size);
  if (frames_->read(block.stored) != size) throw_changed(frames_->path());
  return true;
}

void IndexedBlocks::unpack(IndexedBlock& block) const {
  if (!frames_) return;
  if (!block.stored.empty()) {
    if (checksum_of(block.stored) != block.checksum) throw_changed(frames_->path());
    block.text = zstd_frame_bytes(block.stored, block.text_bytes);
    block.stored = {};
  }
  if (block.text.size() != block.text_bytes) throw_changed(frames_->path());
}

std::size_t IndexedBlocks::finish() {
  if (frames_) {
    char more = 0;
    if (frames_->read({&more, 1}) != 0) throw_changed(frames_->path());
  } else if (texts_.sha256() != input_.text_sha256) {
    throw_changed(input_.files.empty() ? std::filesystem::path() : input_.files.front());
  }
  return articles_;
}

}  // namespace bertprep
