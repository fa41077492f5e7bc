// Sets of Megatron-LM's IndexedDatasetBuilder, written again from the same ids: the same bytes.
#include <gtest/gtest.h>

#include "bertprep/base/error.h"
#include "io/json.h"
#include "shard/megatron/megatron_set.h"
#include "support/golden_data.h"
#include "support/json_lines.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

class MegatronGolden : public test::GoldenTest {
 protected:
  fs::path sets() const { return shared() / "goldens" / "outputs" / "megatron"; }

  MegatronSet new_set(IdType type) {
    return {PendingFile(temp_ / "made.bin", temp_.path()), PendingFile(temp_ / "made.idx", temp_.path()), type};
  }

  void expect_equal(MegatronSet& made, const MegatronPaths& golden) {
    EXPECT_EQ(test::read_bytes(made.bin().path()), test::read_bytes(golden.bin)) << golden.bin;
    EXPECT_EQ(test::read_bytes(made.idx().path()), test::read_bytes(golden.idx)) << golden.idx;
  }

  test::TempFolder temp_;
};

TEST_F(MegatronGolden, TheSameFilesAsItsBuilder) {
  for (const std::string name : {"bert-sentence-uint16", "document-int32", "edges-uint16", "gpt2-document-uint16",
                                 "one-document", "sentence-int32-eod"}) {
    const Json options = Json::parse(test::read_bytes(sets() / name / "options.json"), name);
    const Json& eod = options.at("append_eod");
    const bool by_sentence = options.at("level").text() == "sentence";
    const IdType type = megatron_id_type(options.at("vocab_size").as_unsigned());
    EXPECT_EQ(name_of(type), options.at("dtype").text());
    MegatronSet set = new_set(type);
    for (const auto& document : test::read_json_lines(sets() / name / "input.jsonl")) {
      std::vector<std::vector<std::int32_t>> sequences;
      for (const auto& sentence : document.items) {
        const std::vector<int> ids = sentence.integers();
        if (ids.empty()) continue;
        if (by_sentence || sequences.empty()) sequences.emplace_back();
        sequences.back().insert(sequences.back().end(), ids.begin(), ids.end());
      }
      if (eod.kind() == Json::Kind::Number && !sequences.empty()) {
        sequences.back().push_back(static_cast<std::int32_t>(eod.as_unsigned()));
      }
      for (const auto& sequence : sequences) set.add_sequence(sequence);
      set.end_document();
    }
    set.finish();
    expect_equal(set, MegatronPaths(sets() / name / ("corpus_text_" + options.at("level").text())));
  }
}

TEST_F(MegatronGolden, SeveralSetsBecomeOne) {
  MegatronSet merged = new_set(IdType::kUint16);
  merged.append(MegatronPaths(sets() / "bert-sentence-uint16" / "corpus_text_sentence"));
  merged.append(MegatronPaths(sets() / "edges-uint16" / "corpus_text_sentence"));
  merged.finish();
  expect_equal(merged, MegatronPaths(sets() / "merged_text_sentence"));
}

TEST_F(MegatronGolden, TheTypeFollowsTheVocabulary) {
  const Json types = Json::parse(test::read_bytes(sets() / "dtype-by-vocabulary.json"), "types");
  for (const auto& [size, type] : types.members()) {
    EXPECT_EQ(name_of(megatron_id_type(std::stoull(size))), type.text()) << size;
  }
}

}  // namespace
}  // namespace bertprep
