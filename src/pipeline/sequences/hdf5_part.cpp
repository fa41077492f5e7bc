#include <utility>

#include "pipeline/sequences/part_writer.h"
#include "pipeline/sequences/sequence_rows.h"
#include "shard/hdf5/token_file.h"

namespace bertprep {
namespace {

class Hdf5PartWriter final : public PartWriter {
 public:
  Hdf5PartWriter(const OutputFolder& folder, const SequenceUnit& unit, const SequenceRule& rule)
      : rule_(rule),
        input_(unit.inputs.front()),
        file_name_(rule.name + (unit.split == kTrainSplit ? "_training_" : "_test_") + std::to_string(unit.number) +
                   ".hdf5"),
        pending_(folder.begin(file_name_)),
        is_padded_(rule.options.blocks == 0),
        length_(static_cast<std::size_t>(is_padded_ ? rule.options.max_tokens : rule.options.blocks)),
        rows_(rule) {}

  void add(const TokenizedDocuments& articles) override {
    rows_.add(articles, [this](std::span<const TokenId> row) { add_row(row); });
  }

  FinishedPart finish(const Progress& progress) override {
    const SequenceCounts counts = rows_.finish([this](std::span<const TokenId> row) { add_row(row); });
    require_sequences(counts, input_, rule_);
    write_token_file(pending_.path(), {rule_.options.column, length_, ids_, row_tokens_, rule_.pad, is_padded_},
                     progress);
    FinishedPart part{.files = {}, .names = {file_name_}, .counts = counts};
    part.files.push_back(std::move(pending_));
    return part;
  }

 private:
  void add_row(std::span<const TokenId> row) {
    ids_.insert(ids_.end(), row.begin(), row.end());
    row_tokens_.push_back(static_cast<std::uint32_t>(row.size()));
  }

  const SequenceRule& rule_;
  std::filesystem::path input_;  // for errors
  std::string file_name_;
  PendingFile pending_;
  bool is_padded_;
  std::size_t length_;
  SequenceRows rows_;
  std::vector<TokenId> ids_;
  std::vector<std::uint32_t> row_tokens_;
};

}  // namespace

std::unique_ptr<PartWriter> write_hdf5_part(const OutputFolder& folder, const SequenceUnit& unit,
                                            const SequenceRule& rule) {
  return std::make_unique<Hdf5PartWriter>(folder, unit, rule);
}

}  // namespace bertprep
