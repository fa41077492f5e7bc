#include "stream/bzip2_stream.h"

#include <algorithm>

#include "bertprep/base/error.h"
#include "stream/bzip2_block.h"
#include "stream/bzip2_scan.h"

namespace bertprep {
namespace {

constexpr std::size_t kReadBytes = std::size_t{512} << 10U;

constexpr std::uint64_t kHeaderBytes = 4;
constexpr std::uint64_t kChecksumBits = 32;
// The mark, the checksum and the minimum before the codes.
constexpr std::uint64_t kSmallestBlockBits = kBzip2MarkBits + kChecksumBits + 1 + 24 + 16 + 16;
// After the end of a stream, the next one begins within this distance.
constexpr std::uint64_t kNextStreamBits = 1024;

// While the reader is busy, each worker has one block to decode and one waiting.
std::size_t blocks_at_once(std::size_t width) {
  return width <= 1 ? 1 : 2 * width + 2;
}

// Bzip2Input: the current part of a bzip2 file, with its marks.
class Bzip2Input {
 public:
  // The bytes [begin, end) of the file; end 0: to its end. Reports to `meter`, unless it is null, what is read. Throws
  // IoError.
  Bzip2Input(const std::filesystem::path& path, std::uint64_t begin, std::uint64_t end, ReadMeter* meter)
      : file_(path), meter_(meter), first_byte_(begin), last_byte_(end) {
    if (begin != 0) file_.seek(begin);
  }

  // Reads more; false at the end of the file. Throws IoError.
  bool read_more() {
    if (at_end_) return false;
    const std::size_t before = bytes_.size();
    std::size_t wanted = kReadBytes;
    if (last_byte_ != 0) wanted = std::min<std::size_t>(wanted, last_byte_ - std::min(last_byte_, end_byte()));
    bytes_.resize(before + wanted);
    const std::size_t count = file_.read(std::span(bytes_).subspan(before));
    bytes_.resize(before + count);
    if (meter_ != nullptr) meter_->see(end_byte() - count, std::string_view(bytes_).substr(before));
    at_end_ = count < kReadBytes;
    search();
    return true;
  }

  bool at_end() const { return at_end_; }
  std::uint64_t end_byte() const { return first_byte_ + bytes_.size(); }  // of the bytes read so far
  std::uint64_t end_bit() const { return end_byte() * 8; }

  // In ascending order: all marks after the released part, as far as the file has been searched.
  const std::vector<Bzip2Mark>& marks() const { return marks_; }
  // Every mark before this byte is in marks().
  std::uint64_t searched_byte() const { return first_byte_ + searched_; }

  // Bytes before this one are no longer needed, nor are their marks.
  void release(std::uint64_t byte) {
    byte = std::min(byte, searched_byte());
    if (byte <= first_byte_) return;
    const auto count = static_cast<std::size_t>(byte - first_byte_);
    // Moving the kept bytes pays only if they are the smaller part.
    if (count < bytes_.size() / 2) return;
    bytes_.erase(0, count);
    first_byte_ = byte;
    searched_ -= count;
    const auto kept = std::lower_bound(marks_.begin(), marks_.end(), byte * 8,
                                       [](const Bzip2Mark& mark, std::uint64_t bit) { return mark.bit < bit; });
    marks_.erase(marks_.begin(), kept);
  }

  // The bytes [begin, end) of the file, as far as they have been read and not released.
  std::string_view view(std::uint64_t begin, std::uint64_t end) const {
    begin = std::clamp(begin, first_byte_, end_byte());
    end = std::clamp(end, begin, end_byte());
    return std::string_view(bytes_).substr(static_cast<std::size_t>(begin - first_byte_),
                                           static_cast<std::size_t>(end - begin));
  }

  // The `count` bits at `bit`, which have been read; at most 32.
  std::uint32_t bits(std::uint64_t bit, unsigned count) const {
    std::uint64_t value = 0;
    const std::string_view bytes = view(bit / 8, bit / 8 + 5);
    for (std::size_t i = 0; i < 5; ++i)
      value = value << 8U | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U);
    return static_cast<std::uint32_t>(value >> (40 - bit % 8 - count) & ((std::uint64_t{1} << count) - 1));
  }

  const std::filesystem::path& path() const { return file_.path(); }

 private:
  void search() {
    if (bytes_.size() >= searched_ + kBzip2MarkReach) {
      const std::size_t end = bytes_.size() - kBzip2MarkReach;
      find_bzip2_marks(bytes_, searched_, end, first_byte_, marks_);
      searched_ = end;
    }
    if (!at_end_) return;
    // Zeros after the end can't complete a false mark: a mark's last bits are ones or followed by its checksum.
    std::string last = bytes_.substr(searched_);
    const std::size_t count = last.size();
    last.append(kBzip2MarkReach, '\0');
    find_bzip2_marks(last, 0, count, first_byte_ + searched_, marks_);
    std::erase_if(marks_, [&](const Bzip2Mark& mark) { return mark.bit + kBzip2MarkBits > end_bit(); });
    searched_ = bytes_.size();
  }

  InputFile file_;
  ReadMeter* meter_;
  std::string bytes_;
  std::uint64_t first_byte_;
  std::uint64_t last_byte_;   // one past the last; 0: the end of the file
  std::size_t searched_ = 0;  // in bytes_
  bool at_end_ = false;
  std::vector<Bzip2Mark> marks_;
};

class Bzip2Stream final : public ByteStream {
 public:
  Bzip2Stream(const std::filesystem::path& path, StreamOptions options, const Bzip2Range& range)
      : input_(path, range.begin, range.end, options.meter),
        options_(std::move(options)),
        max_blocks_(blocks_at_once(options_.runner.width)),
        decoders_(options_.runner.width + 1),
        is_searching_(range.is_anywhere),
        last_wanted_(range.last_wanted),
        queue_(options_.runner.make_queue()) {
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
      throw FormatError("is not a bzip2 file: it does not begin with BZh1 to BZh9", where_of(range.begin * 8),
                        "check the file");
    } else {
      begin_stream(range.begin);
    }
  }

  std::string_view next_block() override {
    place_.gap.reset();
    for (;;) {
      if (serving_ != nullptr) {
        const std::string_view piece = serving_->next_piece();
        if (!piece.empty()) {
          end_gap(*place_.file_byte);
          return piece;
        }
        spare_blocks_.push_back(std::move(serving_));
      }
      if (is_finished_) {
        end_gap(input_.end_byte());
        return {};
      }
      look_ahead();
      if (steps_.empty()) {
        finish_file();
        continue;
      }
      Step step = take_step();
      take(step);
      if (step.block != nullptr) spare_blocks_.push_back(std::move(step.block));
    }
  }

  BlockPlace place() const override { return place_; }

 private:
  // A mark found ahead.
  struct Step {
    Bzip2Mark mark;
    std::uint64_t end_bit = 0;            // of the block, if the next mark is known
    std::unique_ptr<Bzip2Block> block{};  // null: the mark ends a stream
  };

  // Finds the next marks and starts decoding their blocks; later, in order, they are checked to be real marks.
  void look_ahead() {
    input_.release(position_ / 8);
    Bzip2Mark mark;
    if (steps_.empty() && !next_mark_ && find_next_mark(std::max(position_, ahead_bit_), 0, mark)) next_mark_ = mark;
    const std::size_t max_blocks = blocks_ahead();
    while (next_mark_ && blocks_ < max_blocks) add_step(*std::exchange(next_mark_, std::nullopt));
  }

  void add_step(const Bzip2Mark& mark) {
    Step step{mark};
    ahead_bit_ = mark.bit + 1;
    const std::uint64_t give_up = mark.bit + (mark.is_end ? kNextStreamBits : Bzip2Block::kMaxBytes * 8);
    Bzip2Mark next;
    if (find_next_mark(ahead_bit_, give_up, next)) next_mark_ = next;
    if (!mark.is_end) {
      step.end_bit = next_mark_ ? next.bit : std::min(input_.end_bit(), give_up);
      if (spare_blocks_.empty()) spare_blocks_.push_back(std::make_unique<Bzip2Block>());
      step.block = std::move(spare_blocks_.back());
      spare_blocks_.pop_back();
      set_block(mark, step.end_bit, *step.block);
      queue_->add([this, block = step.block.get()](std::size_t worker) { block->decode(&decoder(worker)); });
      ++blocks_;
    }
    steps_.push_back(std::move(step));
  }

  Step take_step() {
    Step step = std::move(steps_.front());
    steps_.pop_front();
    if (step.block != nullptr) {
      --blocks_;
      queue_->finish_oldest();
    }
    return step;
  }

  std::size_t blocks_ahead() const {
    const bool is_after = last_wanted_ != 0 && position_ / 8 >= last_wanted_;
    return is_after ? std::clamp<std::size_t>(options_.runner.width, 1, max_blocks_) : max_blocks_;
  }

  // The first mark at or after `after_bit`; false if there is none before `give_up_bit` (0: the end of the file).
  bool find_next_mark(std::uint64_t after_bit, std::uint64_t give_up_bit, Bzip2Mark& mark) {
    for (;;) {
      const auto& marks = input_.marks();
      const auto found = std::lower_bound(marks.begin(), marks.end(), after_bit,
                                          [](const Bzip2Mark& one, std::uint64_t bit) { return one.bit < bit; });
      if (found != marks.end()) {
        mark = *found;
        return give_up_bit == 0 || mark.bit <= give_up_bit;
      }
      if (give_up_bit != 0 && input_.searched_byte() * 8 > give_up_bit) return false;
      if (steps_.empty() && give_up_bit == 0) input_.release(input_.searched_byte());  // release all that is not data
      if (!input_.read_more()) return false;
    }
  }

  void set_block(const Bzip2Mark& mark, std::uint64_t end_bit, Bzip2Block& block) const {
    const std::uint64_t first_byte = mark.bit / 8;
    const std::string_view bytes = input_.view(first_byte, (end_bit + 7) / 8);
    block.set(bytes, static_cast<unsigned>(mark.bit % 8), end_bit - first_byte * 8);
  }

  Bzip2Decoder& decoder(std::size_t worker) {
    if (decoders_[worker] == nullptr) decoders_[worker] = std::make_unique<Bzip2Decoder>();
    return *decoders_[worker];
  }

  void take(Step& step) {
    if (step.mark.bit < position_) return;  // inside a block, by chance
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

  void take_block(Step& step) {
    const Bzip2Block& block = *step.block;
    if (block.state() == Bzip2State::kDamaged && !extend_block(step)) {
      // At the end of the file, the block is truncated rather than damaged.
      position_ = step.mark.bit + 1;
      if (step.end_bit == input_.end_bit() && input_.at_end()) refuse_truncated();
      lose(step.mark.bit, "a bzip2 block is damaged");
      return;
    }
    position_ = step.mark.bit + block.bits();
    is_in_step_ = true;
    is_searching_ = false;
    place_.file_byte = step.mark.bit / 8;
    sum_ = (sum_ << 1U | sum_ >> 31U) ^ block.checksum();
    serving_ = std::move(step.block);
    if (options_.meter != nullptr) options_.meter->reach(position_ / 8);
  }

  // A mark that occurs in the block's data by chance cut it short: tries the following marks.
  bool extend_block(const Step& step) {
    Bzip2Block& block = *step.block;
    const std::uint64_t give_up = step.mark.bit + Bzip2Block::kMaxBytes * 8;
    Bzip2Mark end{step.end_bit, false};
    bool is_last = false;
    while (!is_last) {
      is_last = !find_next_mark(end.bit + 1, give_up, end);
      if (is_last) end.bit = std::min(input_.end_bit(), give_up);
      if (end.bit <= step.end_bit) return false;
      set_block(step.mark, end.bit, block);
      block.decode(&decoder(options_.runner.width));
      if (block.state() != Bzip2State::kDamaged) return true;
    }
    return false;
  }

  void take_end(const Step& step) {
    const std::uint64_t end_bit = step.mark.bit + kBzip2MarkBits + kChecksumBits;
    const std::uint64_t next_byte = (end_bit + 7) / 8;
    while (input_.end_byte() < next_byte + kHeaderBytes && input_.read_more()) {
    }
    const bool is_truncated = input_.end_bit() < end_bit;
    const bool ends_file = input_.at_end() && input_.end_byte() == next_byte;
    // Until a block is certain, this may not be an end, but bits of the damaged part.
    if (!is_in_step_ && !is_truncated && !ends_file && !is_header(next_byte)) {
      position_ = step.mark.bit + 1;
      return;
    }
    if (is_truncated) refuse_truncated();
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

  void begin_stream(std::uint64_t byte) {
    position_ = (byte + kHeaderBytes) * 8;
    is_in_step_ = true;
    is_between_ = false;
    is_sum_known_ = true;
    sum_ = 0;
  }

  // The end of a stream whose last block is right and whose successor begins too soon for another block between them:
  // nothing is lost.
  bool take_damaged_end(const Step& step) {
    const std::uint64_t next_byte = step.mark.bit / 8 - kHeaderBytes;
    const bool leaves_no_room = next_byte * 8 < position_ + kSmallestBlockBits;
    if (step.mark.bit % 8 != 0 || !leaves_no_room || !is_header(next_byte)) return false;
    report(position_, "the mark at the end of a bzip2 stream is damaged");
    begin_stream(next_byte);
    return true;
  }

  // The beginning of a stream whose header is not where it should be. If its first block is there, so are the others.
  void take_damaged_beginning(const Step& step) {
    const std::string reason = "the header of a bzip2 stream is damaged";
    const std::uint64_t byte = position_ / 8;
    if (step.mark.bit != (byte + kHeaderBytes) * 8) return lose(position_, reason);
    report(position_, reason);
    begin_stream(byte);
  }

  void end_gap(std::uint64_t byte) {
    if (const auto begin = std::exchange(gap_begin_, std::nullopt)) place_.gap = FileBytes{*begin, byte};
  }

  void finish_file() {
    if (!is_between_) refuse_truncated();
    is_finished_ = true;
    if (options_.damage && !is_padding_) {
      report(position_, "the " + std::to_string(input_.end_byte() - position_ / 8) + " bytes " +
                            std::string(kBzip2Rest) + " are not a bzip2 stream");
    }
  }

  bool is_header(std::uint64_t byte) const {
    const std::string_view bytes = input_.view(byte, byte + kHeaderBytes);
    return bytes.size() == kHeaderBytes && bytes.starts_with("BZh") && bytes[3] >= '1' && bytes[3] <= '9';
  }

  std::string where_of(std::uint64_t bit) const {
    return input_.path().native() + " at byte " + std::to_string(bit / 8);
  }

  void report(std::uint64_t bit, const std::string& reason) {
    if (!options_.damage) {
      is_finished_ = true;
      throw FormatError(reason, where_of(bit), "get the file again");
    }
    options_.damage(where_of(bit), reason);
  }

  void lose(std::uint64_t bit, const std::string& reason) {
    is_in_step_ = false;
    is_between_ = false;
    is_sum_known_ = false;
    if (is_searching_) return;
    if (!gap_begin_) gap_begin_ = bit / 8;
    report(bit, reason + " (bit " + std::to_string(bit) + ")");
  }

  [[noreturn]] void refuse_truncated() {
    is_finished_ = true;
    throw FormatError("the file ends within a bzip2 stream", where_of(input_.end_bit()), "get the whole file");
  }

  Bzip2Input input_;
  StreamOptions options_;
  std::size_t max_blocks_;  // decoded ahead
  std::size_t blocks_ = 0;  // among steps_
  std::deque<Step> steps_;
  std::optional<Bzip2Mark> next_mark_;  // after them, if already found
  std::uint64_t ahead_bit_ = 0;         // after the last mark found
  std::unique_ptr<Bzip2Block> serving_;
  std::vector<std::unique_ptr<Bzip2Block>> spare_blocks_;
  std::vector<std::unique_ptr<Bzip2Decoder>> decoders_;  // of each worker, and of the stream itself
  std::uint64_t position_ = 0;  // where the next mark is expected, or where the search for one begins
  bool is_in_step_ = true;      // a mark must be exactly at position_
  bool is_between_ = false;     // no stream is open: the file may end here
  bool is_padding_ = false;     // only zeros follow the last stream
  bool is_sum_known_ = true;    // no block of this stream was lost
  std::uint32_t sum_ = 0;       // of the checksums of the stream's blocks
  bool is_finished_ = false;
  std::optional<std::uint64_t> gap_begin_;  // of the one that has not ended
  BlockPlace place_{.file_byte = 0};
  bool is_searching_;  // no undamaged block so far, and none is required
  std::uint64_t last_wanted_;
  // Destroyed first: its tasks use the members above.
  std::unique_ptr<TaskQueue> queue_;
};

}  // namespace

std::unique_ptr<ByteStream> open_bzip2(const std::filesystem::path& path, const StreamOptions& options,
                                       const Bzip2Range& range) {
  return std::make_unique<Bzip2Stream>(path, options, range);
}

}  // namespace bertprep
