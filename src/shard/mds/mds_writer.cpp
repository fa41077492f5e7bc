#include "shard/mds/mds_writer.h"

#include <limits>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/output_file.h"
#include "shard/id_type.h"

namespace bertprep {
namespace {

constexpr std::uint64_t kOffsetBytes = 4;
constexpr std::uint64_t kLengthBytes = 4;
constexpr std::uint64_t kMaxShardBytes = std::numeric_limits<std::uint32_t>::max();

std::vector<std::pair<std::string, std::string>> digests_of(const MdsFormat& format, std::string_view bytes) {
  std::vector<std::pair<std::string, std::string>> digests;
  for (const std::string& name : format.hashes) digests.emplace_back(name, digest_by_name(name, bytes).value());
  return digests;
}

}  // namespace

MdsWriter::MdsWriter(MdsFormat format, NewFile new_file, Compressor compressor)
    : format_(std::move(format)),
      new_file_(std::move(new_file)),
      compressor_(std::move(compressor)),
      configuration_(format_.configuration().dump_python()) {
  for (const MdsColumn& column : format_.columns) column_bytes_.push_back(mds_value_bytes(column.encoding));
}

std::uint64_t MdsWriter::bytes_with(std::span<const std::string_view> values) const {
  std::uint64_t bytes = kOffsetBytes * (ends_.size() + 3) + configuration_.size() + samples_.size();
  for (std::size_t i = 0; i < values.size(); ++i) bytes += values[i].size() + (column_bytes_[i] ? 0 : kLengthBytes);
  return bytes;
}

void MdsWriter::add(std::span<const std::string_view> values) {
  if (values.size() != column_bytes_.size()) throw FormatError("a sample lacks a column, or has one too many");
  const std::uint64_t limit = format_.size_limit.value_or(kMaxShardBytes);
  if (!ends_.empty() && bytes_with(values) > limit) {
    if (!format_.size_limit) {
      throw FormatError("the shard grows beyond 4 GiB", {}, "give `size_limit`: offsets in a shard have 32 bits");
    }
    write_shard();
  }
  if (bytes_with(values) > kMaxShardBytes) throw FormatError("a sample is larger than 4 GiB");
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!column_bytes_[i]) {
      append_little_endian(static_cast<std::uint32_t>(values[i].size()), samples_);
    } else if (values[i].size() != *column_bytes_[i]) {
      throw FormatError("a value of " + counted(values[i].size(), "byte") + " in the column '" +
                        format_.columns[i].name + "', whose values have " + std::to_string(*column_bytes_[i]));
    }
  }
  for (const std::string_view value : values) samples_ += value;
  ends_.push_back(static_cast<std::uint32_t>(samples_.size()));
}

std::string MdsWriter::take_shard() {
  std::string shard;
  const std::uint64_t first = kOffsetBytes * (ends_.size() + 2) + configuration_.size();
  shard.reserve(first + samples_.size());
  append_little_endian(static_cast<std::uint32_t>(ends_.size()), shard);
  append_little_endian(static_cast<std::uint32_t>(first), shard);
  for (const std::uint32_t end : ends_) append_little_endian(static_cast<std::uint32_t>(first + end), shard);
  shard += configuration_;
  shard += samples_;
  samples_.clear();
  ends_.clear();
  return shard;
}

void MdsWriter::finish() {
  if (!ends_.empty()) write_shard();
  if (shards_.empty()) {
    throw FormatError("there is no sequence to write", {}, "readers refuse a set without samples: check the input");
  }
}

std::string MdsWriter::index() const {
  std::vector<Json> entries;
  for (const MdsShardFacts& shard : shards_) entries.push_back(mds_index_entry(format_, shard));
  return mds_index(std::move(entries));
}

void MdsWriter::write_shard() {
  const std::uint64_t samples = ends_.size();
  const std::string shard = take_shard();
  const std::string name = mds_shard_name(shards_.size());
  MdsShardFacts facts{.raw = {name, shard.size(), digests_of(format_, shard)}, .zip = std::nullopt, .samples = samples};
  std::string zip;
  if (compressor_.compress) {
    zip = compressor_.compress(shard);
    facts.zip = {name + compressor_.ending, zip.size(), digests_of(format_, zip)};
  }
  PendingFile pending = new_file_(facts.zip ? facts.zip->basename : name);
  OutputFile file(pending.path());
  file.write(facts.zip ? zip : shard);
  file.finish();
  files_.push_back(std::move(pending));
  shards_.push_back(std::move(facts));
}

}  // namespace bertprep
