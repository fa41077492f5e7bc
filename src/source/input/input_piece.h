// InputPiece: a part of an input that can be read independently, so that many processes share the reading of a corpus.
#pragma once

#include <functional>

#include "source/input/input_list.h"
#include "stream/byte_stream.h"

namespace bertprep {

struct InputPiece {
  std::size_t input = 0;  // index of the user's input that it belongs to
  // Whole files in order, or the bytes [begin, end) of one file.
  std::vector<std::filesystem::path> files;
  std::uint64_t begin = 0;       // of the file as stored on disk
  std::uint64_t end = 0;         // after the last byte; 0, with `begin` 0: the whole file
  std::uint64_t first_line = 1;  // number of the line that begins at `begin`, in formats whose records are lines
  std::uint64_t bytes = 0;       // on disk

  bool is_range() const { return end != 0; }
  bool operator==(const InputPiece&) const = default;
};

// Groups the files of an input into pieces: large files are split, small ones are combined.

// Where a range of a file begins.
struct SplitPoint {
  std::uint64_t byte = 0;
  std::uint64_t line = 1;  // its number
};

// The positions at which to split a file, ascending; empty if it can't be split. `pieces` is the number wanted.
using SplitFile = std::function<std::vector<SplitPoint>(const std::filesystem::path& file, std::uint64_t file_bytes,
                                                        std::uint64_t pieces)>;

// The i-th of the `pieces` - 1 positions that split `file_bytes` evenly.
std::uint64_t even_split(std::uint64_t file_bytes, std::uint64_t i, std::uint64_t pieces);

// EvenSplit: chooses `pieces` - 1 of the records of a file, as even as they allow.
class EvenSplit {
 public:
  EvenSplit(std::uint64_t file_bytes, std::uint64_t pieces) : file_bytes_(file_bytes), pieces_(pieces) {}

  // Where a record begins, in ascending order.
  void offer(SplitPoint record);
  // None that is offered will be chosen.
  bool is_done() const { return next_ >= pieces_; }
  const std::vector<SplitPoint>& points() const { return points_; }

 private:
  std::uint64_t file_bytes_;
  std::uint64_t pieces_;
  std::uint64_t next_ = 1;  // of the positions that split evenly
  std::vector<SplitPoint> points_;
};

// Consecutive files make a piece of at most `piece_bytes`; `split` splits a larger file. A piece belongs to
// a single input, and a tiny last one is added to the previous one. Throws IoError.
std::vector<InputPiece> group_files(std::span<const Input> inputs, std::uint64_t piece_bytes, const SplitFile& split);

// LineMarks: the lines of files, counted while their bytes are read for another purpose, so that the lines before a
// byte can be counted from a mark near it. Memory: 8 bytes for each MiB of the files.
class LineMarks final : public ReadObserver {
 public:
  // A place in a file, and the number of line feeds before it.
  struct Mark {
    std::uint64_t byte = 0;
    std::uint64_t lines = 0;
  };

  // The bytes of a file come in order, from its beginning.
  void begin_file(const std::filesystem::path& file) override;
  void see(std::uint64_t begin, std::string_view bytes) override;

  // The last mark at or before `byte`: the beginning of a file that was not seen.
  Mark before(const std::filesystem::path& file, std::uint64_t byte) const;

 private:
  std::map<std::filesystem::path, std::vector<std::uint64_t>> files_;  // lines before each further MiB
  std::vector<std::uint64_t>* marks_ = nullptr;                        // of the current file
  std::uint64_t lines_ = 0;                                            // so far
};

}  // namespace bertprep
