#include "stream/bzip2_stream.h"

#include <algorithm>
#include <utility>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

constexpr std::uint64_t kHeaderBytes = 4;
constexpr std::uint64_t kChecksumBits = 32;
// Its mark, its checksum and what comes before its codes.
constexpr std::uint64_t kSmallestBlockBits = kBzip2MarkBits + kChecksumBits + 1 + 24 + 16 + 16;
constexpr std::size_t kMostBlocks = 24;  // under way at once: libbz2 needs 4 MB for each

std::size_t blocks_at_once(std::size_t width) {
  return width <= 1 ? 1 : std::clamp<std::size_t>(3 * width, 4, kMostBlocks);
}

}  // namespace

std::unique_ptr<ByteStream> open_bzip2(const std::filesystem::path& path, const StreamOptions& options) {
  return open_bzip2(path, options, {});
}

std::unique_ptr<ByteStream> open_bzip2(const std::filesystem::path& path, const StreamOptions& options,
                                       const Bzip2Range& range) {
  return std::make_unique<Bzip2Stream>(path, options, range);
}

Bzip2Stream::Bzip2Stream(const std::filesystem::path& path, StreamOptions options, const Bzip2Range& range)
    : input_(path, range.begin, range.end, options.meter),
      options_(std::move(options)),
      blocks_(blocks_at_once(options_.runner.width)),
      is_searching_(range.is_anywhere),
      last_wanted_(range.last_wanted) {
  input_.read_more();
  if (range.is_anywhere) {
    position_ = range.begin * 8;
    is_in_step_ = false;
    is_sum_known_ = false;
    return;
  }
  if (input_.end_byte() == range.begin) {
    is_finished_ = true;
  } else if (!is_header(range.begin)) {
    throw FormatError("is not a bzip2 file: it does not begin with BZh1 to BZh9", place(range.begin * 8),
                      "check the file");
  } else {
    begin_stream(range.begin);
  }
}

std::string_view Bzip2Stream::next_block() {
  is_after_gap_ = false;
  for (;;) {
    if (serving_ != nullptr) {
      const std::string_view piece = serving_->next_piece();
      if (!piece.empty()) {
        end_gap(file_byte_);
        return piece;
      }
      serving_ = nullptr;
    }
    if (is_finished_) {
      end_gap(input_.end_byte());
      return {};
    }
    if (step_ == steps_.size()) {
      gather();
    } else {
      take(steps_[step_++]);
    }
  }
}

void Bzip2Stream::end_gap(std::uint64_t byte) {
  is_after_gap_ = std::exchange(has_gap_, false);
  if (is_after_gap_) gap_.end = byte;
}

std::size_t Bzip2Stream::blocks_ahead() const {
  const bool is_behind = last_wanted_ != 0 && position_ / 8 >= last_wanted_;
  return is_behind ? std::clamp<std::size_t>(options_.runner.width, 1, blocks_.size()) : blocks_.size();
}

// Looks for the next batch and decodes its blocks, all at once; whether they are what they seem is found out in order.
void Bzip2Stream::gather() {
  steps_.clear();
  step_ = 0;
  input_.release(position_ / 8);
  const std::size_t most_blocks = blocks_ahead();
  std::size_t blocks = 0;
  Bzip2Mark mark;
  std::uint64_t after = position_;
  for (bool found = find_next_mark(after, 0, mark); found;) {
    Step step{mark, 0, blocks};
    after = mark.bit + 1;
    Bzip2Mark next;
    const std::uint64_t give_up = mark.is_end ? after : mark.bit + Bzip2Block::kMaxBytes * 8;
    const bool has_next = find_next_mark(after, give_up, next);
    if (!mark.is_end) {
      step.end_bit = has_next ? next.bit : std::min(input_.end_bit(), give_up);
      ++blocks;
    }
    steps_.push_back(step);
    found = has_next && blocks < most_blocks;
    mark = next;
  }
  if (steps_.empty()) return finish_file();
  std::vector<const Step*> work;
  for (const Step& step : steps_) {
    if (!step.mark.is_end) work.push_back(&step);
  }
  options_.runner.run(work.size(), [&](std::size_t i) { decode(*work[i], work[i]->end_bit, blocks_[work[i]->slot]); });
}

// The first mark at or after `after_bit`; false when there is none before `give_up_bit` (0: the end of the file).
bool Bzip2Stream::find_next_mark(std::uint64_t after_bit, std::uint64_t give_up_bit, Bzip2Mark& mark) {
  for (;;) {
    const auto& marks = input_.marks();
    const auto found = std::lower_bound(marks.begin(), marks.end(), after_bit,
                                        [](const Bzip2Mark& one, std::uint64_t bit) { return one.bit < bit; });
    if (found != marks.end()) {
      mark = *found;
      return give_up_bit == 0 || mark.bit <= give_up_bit;
    }
    if (give_up_bit != 0 && input_.searched_byte() * 8 > give_up_bit) return false;
    if (steps_.empty() && give_up_bit == 0)
      input_.release(input_.searched_byte());  // nothing is kept of what is no data
    if (!input_.read_more()) return false;
  }
}

void Bzip2Stream::decode(const Step& step, std::uint64_t end_bit, Bzip2Block& block) const {
  const std::uint64_t first_byte = step.mark.bit / 8;
  const std::string_view bytes = input_.view(first_byte, (end_bit + 7) / 8);
  block.decode(bytes, static_cast<unsigned>(step.mark.bit % 8), end_bit - first_byte * 8);
}

void Bzip2Stream::take(const Step& step) {
  if (step.mark.bit < position_) return;  // stands inside a block by chance
  if (is_in_step_ && step.mark.bit > position_ && !take_damaged_end(step)) {
    lose(position_, "the mark of a bzip2 block is damaged");
  }
  if (is_between_) take_damaged_beginning(step);
  if (step.mark.is_end) {
    take_end(step);
  } else {
    take_block(step);
  }
}

void Bzip2Stream::take_block(const Step& step) {
  Bzip2Block& block = blocks_[step.slot];
  if (block.state() == Bzip2Block::State::kDamaged && !extend_block(step)) {
    // At the end of the file it is not damaged but cut.
    position_ = step.mark.bit + 1;
    if (step.end_bit == input_.end_bit() && input_.at_end()) refuse_truncated();
    lose(step.mark.bit, "a bzip2 block is damaged");
    return;
  }
  if (block.state() == Bzip2Block::State::kWhole) {
    position_ = std::max(position_, step.end_bit);
  } else {
    // libbz2 has read the first byte of what should have been a mark.
    position_ = step.mark.bit + 8 * std::max<std::uint64_t>(block.used_bytes(), 3) - 16;
  }
  is_in_step_ = true;
  is_searching_ = false;
  file_byte_ = step.mark.bit / 8;
  sum_ = (sum_ << 1U | sum_ >> 31U) ^ block.checksum();
  serving_ = &block;
  if (options_.meter != nullptr) options_.meter->reach(position_ / 8);
}

// A mark that the block's data holds by chance has cut it short: tries the marks behind it.
bool Bzip2Stream::extend_block(const Step& step) {
  Bzip2Block& block = blocks_[step.slot];
  const std::uint64_t give_up = step.mark.bit + Bzip2Block::kMaxBytes * 8;
  Bzip2Mark end{step.end_bit, false};
  bool is_last = false;
  while (!is_last) {
    is_last = !find_next_mark(end.bit + 1, give_up, end);
    if (is_last) end.bit = std::min(input_.end_bit(), give_up);
    if (end.bit <= step.end_bit) return false;
    decode(step, end.bit, block);
    if (block.state() == Bzip2Block::State::kDamaged) continue;
    if (block.state() == Bzip2Block::State::kWhole) position_ = end.bit;
    return true;
  }
  return false;
}

void Bzip2Stream::take_end(const Step& step) {
  const std::uint64_t end_bit = step.mark.bit + kBzip2MarkBits + kChecksumBits;
  const std::uint64_t next_byte = (end_bit + 7) / 8;
  while (input_.end_byte() < next_byte + kHeaderBytes && input_.read_more()) {
  }
  const bool is_cut = input_.end_bit() < end_bit;
  const bool ends_file = input_.at_end() && input_.end_byte() == next_byte;
  // While no block is sure, this may be no end at all but bits of the damaged part.
  if (!is_in_step_ && !is_cut && !ends_file && !is_header(next_byte)) {
    position_ = step.mark.bit + 1;
    return;
  }
  if (is_cut) refuse_truncated();
  if (is_sum_known_ && input_.bits(step.mark.bit + kBzip2MarkBits, kChecksumBits) != sum_) {
    report(step.mark.bit, std::string(kBzip2WrongSum));
  }
  is_between_ = true;
  is_in_step_ = true;
  position_ = next_byte * 8;
  if (ends_file) {
    is_finished_ = true;
  } else if (is_header(next_byte)) {
    begin_stream(next_byte);
  } else {
    is_in_step_ = false;
    const std::string_view rest = input_.view(next_byte, input_.end_byte());
    is_padding_ = rest.find_first_not_of('\0') == std::string_view::npos;
  }
}

void Bzip2Stream::begin_stream(std::uint64_t byte) {
  position_ = (byte + kHeaderBytes) * 8;
  is_in_step_ = true;
  is_between_ = false;
  is_sum_known_ = true;
  sum_ = 0;
}

// Of a stream whose last block is right and behind which the next one begins too soon for another block: nothing is
// lost.
bool Bzip2Stream::take_damaged_end(const Step& step) {
  const std::uint64_t next_byte = step.mark.bit / 8 - kHeaderBytes;
  const bool leaves_no_room = next_byte * 8 < position_ + kSmallestBlockBits;
  if (step.mark.bit % 8 != 0 || !leaves_no_room || !is_header(next_byte)) return false;
  report(position_, "the mark at the end of a bzip2 stream is damaged");
  begin_stream(next_byte);
  return true;
}

// Of a stream whose header does not stand where it has to. Its blocks are there all the same, if the first one is.
void Bzip2Stream::take_damaged_beginning(const Step& step) {
  const std::string reason = "the header of a bzip2 stream is damaged";
  const std::uint64_t byte = position_ / 8;
  if (step.mark.bit != (byte + kHeaderBytes) * 8) return lose(position_, reason);
  report(position_, reason);
  begin_stream(byte);
}

bool Bzip2Stream::is_header(std::uint64_t byte) const {
  const std::string_view bytes = input_.view(byte, byte + kHeaderBytes);
  return bytes.size() == kHeaderBytes && bytes.starts_with("BZh") && bytes[3] >= '1' && bytes[3] <= '9';
}

void Bzip2Stream::finish_file() {
  if (!is_between_) refuse_truncated();
  is_finished_ = true;
  if (options_.damage && !is_padding_) {
    report(position_, "the " + std::to_string(input_.end_byte() - position_ / 8) + " bytes " + std::string(kBzip2Rest) +
                          " are not a bzip2 stream");
  }
}

std::string Bzip2Stream::place(std::uint64_t bit) const {
  return input_.path().native() + " at byte " + std::to_string(bit / 8);
}

void Bzip2Stream::report(std::uint64_t bit, const std::string& reason) {
  if (!options_.damage) {
    is_finished_ = true;
    throw FormatError(reason, place(bit), "get the file again");
  }
  options_.damage(place(bit), reason);
}

void Bzip2Stream::lose(std::uint64_t bit, const std::string& reason) {
  is_in_step_ = false;
  is_between_ = false;
  is_sum_known_ = false;
  if (is_searching_) return;
  if (!std::exchange(has_gap_, true)) gap_.begin = bit / 8;
  report(bit, reason + " (bit " + std::to_string(bit) + ")");
}

void Bzip2Stream::refuse_truncated() {
  is_finished_ = true;
  throw FormatError("the file ends within a bzip2 stream", place(input_.end_bit()), "get the whole file");
}

}  // namespace bertprep
