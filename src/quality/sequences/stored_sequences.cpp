#include "quality/sequences/stored_sequences.h"

#include <algorithm>

#include "base/number_text.h"
#include "bertprep/shard/shard_reader.h"
#include "io/digest.h"
#include "io/folder.h"
#include "quality/doctor/set_tokenizer.h"
#include "quality/sequences/mds_files.h"
#include "shard/megatron/megatron_set.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMakeAgain = "fetch or make it again";

[[noreturn]] void refuse(const fs::path& file, const std::string& what) {
  throw FormatError(what, file, "bertprep doctor " + file.string() + " shows all findings");
}

class Hdf5Rows final : public StoredSequences {
 public:
  explicit Hdf5Rows(const fs::path& file) : file_(file), reader_(file, RowContent::kTokens) {}

  std::uint64_t rows() const override { return reader_.shape().rows; }
  std::uint64_t bytes() const override { return fs::file_size(file_); }
  void read(std::uint64_t row, std::vector<std::int64_t>& ids) override {
    reader_.read(row, 1, batch_);
    ids.clear();
    for (std::size_t i = 0; i < batch_.input_ids.size(); ++i) {
      if (batch_.input_mask[i] != 0) ids.push_back(batch_.input_ids[i]);
    }
  }

 private:
  fs::path file_;
  ShardReader reader_;
  Batch batch_;
};

class MdsRows final : public StoredSequences {
 public:
  MdsRows(const fs::path& folder, const Progress& progress)
      : progress_(progress), recorded_(recorded_files_with(folder)) {
    const fs::path index = folder / kMdsIndexName;
    if (!fs::exists(index)) {
      throw FormatError("has shards, but no index.json", folder, "write one: bertprep reindex " + folder.string());
    }
    recorded_.require_unchanged(index, progress, kMakeAgain);
    const std::vector<MdsShardEntry> entries = parse_mds_index(read_file(index), index.string());
    Findings findings({}, false);  // doctor's
    shards_ = find_mds_files(folder, entries, {}, findings);
    for (const MdsShardEntry& entry : entries) {
      ends_.push_back((ends_.empty() ? 0 : ends_.back()) + entry.facts.samples);
      bytes_ += entry.facts.zip ? entry.facts.zip->bytes : entry.facts.raw.bytes;
    }
  }

  std::uint64_t rows() const override { return ends_.empty() ? 0 : ends_.back(); }
  std::uint64_t bytes() const override { return bytes_; }
  void read(std::uint64_t row, std::vector<std::int64_t>& ids) override {
    const auto number = static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), row) - ends_.begin());
    const MdsSetShard& shard = shards_.at(number);
    if (shard.file.empty()) refuse(shard.entry.facts.raw.basename, "is named in the index, but missing");
    if (!content_ || number != number_) open(number);
    const std::vector<MdsColumnEntry>& columns = shard.entry.columns;
    const MdsColumnEntry* column = id_column(columns);
    if (column == nullptr) refuse(shard.file, "has no column of ids");
    const MdsShardView view(content_->bytes());
    const std::uint64_t sample = row - (number == 0 ? 0 : ends_[number - 1]);
    if (sample >= view.samples()) refuse(shard.file, "has fewer samples than the index says");
    view.read(sample, columns, values_);
    const auto at = static_cast<std::size_t>(column - columns.data());
    const MdsNumbers numbers = mds_numbers(column->encoding, values_.at(at));
    widen(numbers.values, numbers.bytes, numbers.is_signed, ids);
  }

 private:
  void open(std::size_t number) {
    recorded_.require_unchanged(shards_[number].file, progress_, kMakeAgain);
    content_.reset();
    content_.emplace(shards_[number]);
    number_ = number;
  }

  const Progress& progress_;
  RecordedFiles recorded_;
  std::vector<MdsSetShard> shards_;
  std::vector<std::uint64_t> ends_;  // of each shard, in rows of the set
  std::uint64_t bytes_ = 0;
  std::optional<MdsShardBytes> content_;  // of the shard read last
  std::size_t number_ = 0;
  std::vector<std::string_view> values_;
};

class MegatronRows final : public StoredSequences {
 public:
  MegatronRows(const fs::path& prefix, const Progress& progress)
      : paths_(prefix),
        idx_(recorded(paths_.idx, progress)),
        bin_(recorded(paths_.bin, progress)),
        index_(idx_.bytes()) {
    if (megatron_id_bytes(index_.type_code()) == 0) refuse(paths_.idx, "has ids of an unknown type");
  }

  std::uint64_t rows() const override { return index_.sequences(); }
  std::uint64_t bytes() const override { return bin_.bytes().size(); }
  void read(std::uint64_t row, std::vector<std::int64_t>& ids) override {
    const unsigned width = megatron_id_bytes(index_.type_code());
    const std::int64_t offset = index_.offset(row);
    const std::int64_t length = index_.length(row);
    const std::string_view bin = bin_.bytes();
    if (offset < 0 || length < 0 || static_cast<std::uint64_t>(offset) > bin.size() ||
        static_cast<std::uint64_t>(length) > (bin.size() - static_cast<std::uint64_t>(offset)) / width) {
      refuse(paths_.idx, "places sequence " + grouped(row) + " outside of " + paths_.bin.filename().string());
    }
    widen(bin.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(length) * width), width,
          is_megatron_type_signed(index_.type_code()), ids);
  }

 private:
  static const fs::path& recorded(const fs::path& file, const Progress& progress) {
    recorded_files_with(folder_of(file)).require_unchanged(file, progress, kMakeAgain);
    return file;
  }

  MegatronPaths paths_;
  MappedFile idx_;
  MappedFile bin_;
  MegatronView index_;
};

}  // namespace

std::unique_ptr<StoredSequences> StoredSequences::open(const fs::path& path, SetFormat format,
                                                       const Progress& progress) {
  switch (format) {
    case SetFormat::kMds:
      return std::make_unique<MdsRows>(path, progress);
    case SetFormat::kMegatron:
      return std::make_unique<MegatronRows>(path, progress);
    case SetFormat::kHdf5:
      break;
  }
  return std::make_unique<Hdf5Rows>(path);
}

}  // namespace bertprep
