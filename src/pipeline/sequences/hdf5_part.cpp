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
        rows_(rule),
        file_(shape_of(rule)) {}

  void add(const TokenizedDocuments& articles) override {
    rows_.add(articles, [this](std::span<const TokenId> row) { file_.add(row); });
  }

  FinishedPart finish(const Progress& progress) override {
    const SequenceCounts counts = rows_.finish([this](std::span<const TokenId> row) { file_.add(row); });
    require_sequences(counts, input_, rule_);
    file_.write(pending_.path(), progress);
    FinishedPart part{.files = {}, .names = {file_name_}, .counts = counts};
    part.files.push_back(std::move(pending_));
    return part;
  }

 private:
  static TokenFileShape shape_of(const SequenceRule& rule) {
    const bool is_padded = rule.options.blocks == 0;
    const auto length = static_cast<std::size_t>(is_padded ? rule.options.max_tokens : rule.options.blocks);
    return {.column = rule.options.column, .length = length, .pad = rule.pad, .has_mask = is_padded};
  }

  const SequenceRule& rule_;
  std::filesystem::path input_;  // for errors
  std::string file_name_;
  PendingFile pending_;
  SequenceRows rows_;
  TokenFileWriter file_;
};

}  // namespace

std::unique_ptr<PartWriter> write_hdf5_part(const OutputFolder& folder, const SequenceUnit& unit,
                                            const SequenceRule& rule) {
  return std::make_unique<Hdf5PartWriter>(folder, unit, rule);
}

}  // namespace bertprep
