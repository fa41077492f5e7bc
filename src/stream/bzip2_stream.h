// Bzip2Stream: a bzip2 file, its blocks decoded in parallel (one stream, multistream, or concatenated files).
//
// Blocks are found by their marks, decoded independently ahead of the reader by the caller's TaskRunner, and returned
// in order. A mark that occurs in the data by chance does no harm: a block must end where the next one begins, and its
// checksum must be right. Memory: 9 MB per worker, and 2 MB for each block decoded ahead: two per worker.
//
// A damaged block is reported with its position and skipped; no other block is lost. A damaged header or end of a
// stream is reported and loses no data. Bytes after the end of the last stream are reported to StreamOptions::damage;
// zeros are ignored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/task_runner.h"
#include "io/input_file.h"
#include "stream/byte_stream.h"
#include "stream/bzip2_block.h"
#include "stream/bzip2_scan.h"
#include "stream/open_stream.h"

namespace bertprep {

// Bzip2Input: the current part of a bzip2 file, with its marks.
class Bzip2Input {
 public:
  // The bytes [begin, end) of the file; end 0: to its end. Reports to `meter`, unless it is null, what is read. Throws
  // IoError.
  Bzip2Input(const std::filesystem::path& path, std::uint64_t begin, std::uint64_t end, ReadMeter* meter = nullptr);

  // Reads more; false at the end of the file. Throws IoError.
  bool read_more();
  bool at_end() const { return at_end_; }
  std::uint64_t end_byte() const { return first_byte_ + bytes_.size(); }  // of the bytes read so far
  std::uint64_t end_bit() const { return end_byte() * 8; }

  // In ascending order: all marks after the released part, as far as the file has been searched.
  const std::vector<Bzip2Mark>& marks() const { return marks_; }
  // Every mark before this byte is in marks().
  std::uint64_t searched_byte() const { return first_byte_ + searched_; }

  // Bytes before this one are no longer needed, nor are their marks.
  void release(std::uint64_t byte);

  // The bytes [begin, end) of the file, as far as they have been read and not released.
  std::string_view view(std::uint64_t begin, std::uint64_t end) const;
  // The `count` bits at `bit`, which have been read; at most 32.
  std::uint32_t bits(std::uint64_t bit, unsigned count) const;
  const std::filesystem::path& path() const { return file_.path(); }

 private:
  void search();

  InputFile file_;
  ReadMeter* meter_;
  std::string bytes_;
  std::uint64_t first_byte_;
  std::uint64_t last_byte_;   // one past the last; 0: the end of the file
  std::size_t searched_ = 0;  // in bytes_
  bool at_end_ = false;
  std::vector<Bzip2Mark> marks_;
};

// Reasons reported for damage outside blocks.
inline constexpr std::string_view kBzip2WrongSum =
    "the checksum of the bzip2 stream is wrong, though those of its blocks are right";

// Bytes after the last stream; the file may still be complete.
inline constexpr std::string_view kBzip2Rest = "after the end of the last bzip2 stream";

// Throws IoError, and FormatError if the file is not empty and does not begin with a bzip2 stream.
std::unique_ptr<ByteStream> open_bzip2(const std::filesystem::path& path, const StreamOptions& options);

// Bytes of the file: whole streams, as listed in the index of a multistream dump. `end` 0: to the end of the file.
struct Bzip2Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  // `begin` is any byte: bytes before the first undamaged block are skipped without being reported. The checksum of a
  // stream that began earlier is not compared.
  bool is_anywhere = false;
  // After this byte, little is decoded ahead; 0: no limit.
  std::uint64_t last_wanted = 0;
};
std::unique_ptr<ByteStream> open_bzip2(const std::filesystem::path& path, const StreamOptions& options,
                                       const Bzip2Range& range);

class Bzip2Stream final : public ByteStream {
 public:
  Bzip2Stream(const std::filesystem::path& path, StreamOptions options, const Bzip2Range& range);

  std::string_view next_block() override;
  bool is_after_gap() const override { return is_after_gap_; }
  FileBytes gap() const override { return gap_; }
  std::optional<std::uint64_t> file_byte() const override { return file_byte_; }

 private:
  // A mark found ahead.
  struct Step {
    Bzip2Mark mark;
    std::uint64_t end_bit = 0;            // of the block, if the next mark is known
    std::unique_ptr<Bzip2Block> block{};  // null: the mark ends a stream
  };

  void look_ahead();
  void add_step(const Bzip2Mark& mark);
  Step take_step();
  std::size_t blocks_ahead() const;
  bool find_next_mark(std::uint64_t after_bit, std::uint64_t give_up_bit, Bzip2Mark& mark);
  void set_block(const Bzip2Mark& mark, std::uint64_t end_bit, Bzip2Block& block) const;
  Bzip2Decoder& decoder(std::size_t worker);
  void take(Step& step);
  void take_block(Step& step);
  bool extend_block(const Step& step);
  void take_end(const Step& step);
  void begin_stream(std::uint64_t byte);
  bool take_damaged_end(const Step& step);
  void take_damaged_beginning(const Step& step);
  void end_gap(std::uint64_t byte);
  void finish_file();
  bool is_header(std::uint64_t byte) const;
  std::string place(std::uint64_t bit) const;
  void report(std::uint64_t bit, const std::string& reason);
  void lose(std::uint64_t bit, const std::string& reason);
  [[noreturn]] void refuse_truncated();

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
  bool has_gap_ = false;
  bool is_after_gap_ = false;
  FileBytes gap_;      // the last one
  bool is_searching_;  // no undamaged block so far, and none is required
  std::uint64_t last_wanted_;
  std::uint64_t file_byte_ = 0;  // of the current block
  // Destroyed first: its tasks use the members above.
  std::unique_ptr<TaskQueue> queue_;
};

}  // namespace bertprep
