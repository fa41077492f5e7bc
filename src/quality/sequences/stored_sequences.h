// StoredSequences: any row of a set of token sequences, of any origin.
//
// For one thread at a time. Bytes of MDS and Megatron sets that a manifest records otherwise are refused; those of HDF5
// are compared by RecordedFiles.
#pragma once

#include <memory>

#include "quality/doctor/doctor.h"

namespace bertprep {

class StoredSequences {
 public:
  // `path`: an HDF5 file with ids alone, the folder of an MDS set, or PREFIX of a Megatron set, whose rows are its
  // sequences. Throws IoError; FormatError if there is no such set, or it contradicts itself; Cancelled.
  static std::unique_ptr<StoredSequences> open(const std::filesystem::path& path, SetFormat format,
                                               const Progress& progress);
  virtual ~StoredSequences() = default;

  virtual std::uint64_t rows() const = 0;
  virtual std::uint64_t bytes() const = 0;  // of the set on disk, without what describes it
  // Replaces `ids` by those of a row below rows(), without padding. Throws as open() does.
  virtual void read(std::uint64_t row, std::vector<std::int64_t>& ids) = 0;
};

}  // namespace bertprep
