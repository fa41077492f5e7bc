// The files of an MDS set against its index: what is missing, truncated, not listed, listed twice, compressed; and its
// columns.
#pragma once

#include "io/input_file.h"
#include "quality/doctor/doctor.h"
#include "shard/mds/mds_reader.h"

namespace bertprep {

// A shard in the index, with the file that holds its samples.
struct MdsSetShard {
  MdsShardEntry entry;
  std::filesystem::path file;  // empty: missing
  bool is_compressed = false;
  bool is_again = false;  // the index has listed it before
};

// Throws IoError.
std::vector<MdsSetShard> find_mds_files(const std::filesystem::path& folder, const std::vector<MdsShardEntry>& entries,
                                        const DoctorOptions& options, Findings& findings);

// All shards in the folder and below it, except hidden ones, as sorted relative paths. Throws IoError.
std::vector<std::filesystem::path> mds_shards_below(const std::filesystem::path& folder);

// The bytes of a shard, decompressed if necessary. Throws IoError, FormatError.
class MdsShardBytes {
 public:
  explicit MdsShardBytes(const MdsSetShard& shard);
  std::string_view bytes() const { return mapped_ ? mapped_->bytes() : std::string_view(unpacked_); }

 private:
  std::optional<MappedFile> mapped_;
  std::string unpacked_;
};

// Columns: which trainers can read a set and which can't.

inline constexpr const char* kTextColumn = "text";

const MdsColumnEntry* find_column(const std::vector<MdsColumnEntry>& columns, std::string_view name);
inline bool has_column(const std::vector<MdsColumnEntry>& columns, std::string_view name) {
  return find_column(columns, name) != nullptr;
}
// The column of ids, input_ids or tokens; else the only array. nullptr if there is none.
const MdsColumnEntry* id_column(const std::vector<MdsColumnEntry>& columns);

// The trainers for which a set with such columns is meant.
std::vector<TrainerKind> readers_of(const std::vector<MdsColumnEntry>& columns);

// `type` of the ids in the first sample, "uint16"; empty if unknown.
void find_column_traps(const std::vector<MdsColumnEntry>& columns, const std::string& type, Findings& findings);

}  // namespace bertprep
