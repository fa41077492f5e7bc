// Bzip2Stream: a bzip2 file, its blocks decoded in parallel (one stream, multistream, or many files in a row).
//
// Blocks are found by their marks, decoded each on its own by the caller's TaskRunner, and given out in order. A mark
// that stands in the data by chance does not break a file: a block has to end where the next one begins, and its
// checksum has to be right. Memory: 5 MB for each of at most 24 blocks that are under way.
//
// A damaged block is reported with its place and left out alone; a damaged header or end of a stream costs nothing and
// is reported. Bytes behind the end of the last stream are reported where somebody listens; zeros are nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/task_runner.h"
#include "stream/bzip2_block.h"
#include "stream/open_stream.h"

namespace bertprep {

// How damage is told that lies in no block.
inline constexpr std::string_view kBzip2WrongSum =
    "the checksum of the bzip2 stream is wrong, though those of its blocks are right";

// Bytes behind the last stream, which a file may have and still be whole.
inline constexpr std::string_view kBzip2Rest = "after the end of the last bzip2 stream";

// Throws IoError, and FormatError when the file is not empty and begins with no bzip2 stream.
std::unique_ptr<ByteStream> open_bzip2(const std::filesystem::path& path, const StreamOptions& options);

// Bytes of the file: whole streams, as an index of a multistream dump tells them. `end` 0: to the end of the file.
struct Bzip2Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  // `begin` is any byte: what comes before the first block that is sound is left out, and is no damage. The checksum
  // of a stream that began before is not compared.
  bool is_anywhere = false;
  // Behind this byte little is decoded ahead; 0: nowhere.
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
  // A mark of the present batch; a block has a slot.
  struct Step {
    Bzip2Mark mark;
    std::uint64_t end_bit = 0;  // of the block, if the next mark is one
    std::size_t slot = 0;
  };

  void gather();
  std::size_t blocks_ahead() const;
  bool find_next_mark(std::uint64_t after_bit, std::uint64_t give_up_bit, Bzip2Mark& mark);
  void decode(const Step& step, std::uint64_t end_bit, Bzip2Block& block) const;
  void take(const Step& step);
  void take_block(const Step& step);
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
  std::vector<Bzip2Block> blocks_;
  std::vector<Step> steps_;
  std::size_t step_ = 0;
  Bzip2Block* serving_ = nullptr;
  std::uint64_t position_ = 0;  // bit where the next mark is expected, or from which on one is looked for
  bool is_in_step_ = true;      // a mark is expected at position_ itself
  bool is_between_ = false;     // no stream is open: the file may end here
  bool is_padding_ = false;     // what follows the last stream is zeros
  bool is_sum_known_ = true;    // no block of this stream was lost
  std::uint32_t sum_ = 0;       // of the checksums of the stream's blocks
  bool is_finished_ = false;
  bool has_gap_ = false;
  bool is_after_gap_ = false;
  FileBytes gap_;      // the last one
  bool is_searching_;  // no block was sound so far, and there need not be one
  std::uint64_t last_wanted_;
  std::uint64_t file_byte_ = 0;  // of the block that is served
};

}  // namespace bertprep
