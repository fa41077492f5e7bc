// Ids that other implementations publish as their tests: HuggingFace's SQuAD questions, transformers.js,
// llama.cpp.
#include <map>
#include <memory>
#include <sstream>

#include "support/golden_data.h"
#include "support/json_lines.h"
#include "twins/tokenizer.h"

namespace bertprep {
namespace {

// Cases that no line of text can reproduce, by name, with the reason. All others follow the reference.
const std::map<std::string, std::string> kDifferent = {
    {"TEXT_PAIR", "the ids are those of two texts in one call, of which `text` is the first"},
};

class Peers : public test::GoldenTest {
 protected:
  std::filesystem::path vectors() const { return shared() / "corpora" / "vectors"; }
  Vocab vocabulary(const std::string& name) const { return Vocab::load(vectors() / "vocab" / (name + ".vocab.txt")); }
};

TEST_F(Peers, SquadQuestions) {
  const Vocab vocab = vocabulary("bert-base-uncased");
  Tokenizer tokenizer(vocab, {});
  const auto rows = test::read_json_lines(vectors() / "bert-uncased-squad-questions-shared.jsonl");
  ASSERT_EQ(rows.size(), 5285U);
  for (const auto& row : rows) {
    const std::string& text = row.at("original").text;
    ASSERT_EQ(basic_tokens(text, {}), row.at("basic").texts()) << text;
    ASSERT_EQ(test::encode(tokenizer, text), row.at("ids").integers()) << text;
  }
}

std::vector<int> with_frame(const Vocab& vocab, std::vector<int> ids) {
  ids.insert(ids.begin(), vocab.cls());
  ids.push_back(vocab.sep());
  return ids;
}

struct Model {
  Model(Vocab pieces, bool lower_case) : vocab(std::move(pieces)), tokenizer(vocab, {.lower_case = lower_case}) {}

  Vocab vocab;
  Tokenizer tokenizer;
};

TEST_F(Peers, TransformersJs) {
  std::size_t same = 0, different = 0;
  std::map<std::string, std::unique_ptr<Model>> models;
  for (const auto& row : test::read_json_lines(vectors() / "transformersjs-bert-shared.jsonl")) {
    const std::string& vocab_name = row.at("vocab_here").text;
    const std::string& name = row.at("name").text;
    auto& model = models[vocab_name];
    if (!model) model = std::make_unique<Model>(vocabulary(vocab_name), vocab_name.ends_with("-uncased"));
    const auto ids = with_frame(model->vocab, test::encode(model->tokenizer, row.at("text").text));
    if (kDifferent.contains(name)) {
      EXPECT_NE(ids, row.at("ids").integers()) << vocab_name << " " << name << ": " << kDifferent.at(name);
      ++different;
    } else {
      EXPECT_EQ(ids, row.at("ids").integers()) << vocab_name << " " << name;
      ++same;
    }
  }
  EXPECT_EQ(same, 78U);
  EXPECT_EQ(different, 1U);
}

std::vector<std::string> split_at(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = text.find(separator); end != std::string::npos; end = text.find(separator, begin)) {
    parts.push_back(text.substr(begin, end - begin));
    begin = end + separator.size();
  }
  parts.push_back(text.substr(begin));
  return parts;
}

std::vector<int> integers_of(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<int>(stream), {}};
}

TEST_F(Peers, LlamaCpp) {
  const Vocab vocab = vocabulary("bert-base-uncased");
  Tokenizer tokenizer(vocab, {});
  const auto texts = split_at(test::read_bytes(vectors() / "llama.cpp-bert-bge.inp"), "\n__ggml_vocab_test__\n");
  const auto lines = split_at(test::read_bytes(vectors() / "llama.cpp-bert-bge.out"), "\n");
  ASSERT_GE(texts.size(), 40U);
  ASSERT_GE(lines.size(), texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    EXPECT_EQ(test::encode(tokenizer, texts[i]), integers_of(lines[i])) << texts[i];
  }
}

// 119,547 and 105,879 pieces do not fit 16 bits.
TEST_F(Peers, LargeVocabulariesKeepTheirIds) {
  for (const std::string name : {"bert-base-multilingual-cased", "bert-base-multilingual-uncased"}) {
    const Vocab vocab = vocabulary(name);
    ASSERT_GT(vocab.size(), 100000U);
    const TokenizerOptions options{.lower_case = name.ends_with("-uncased")};
    Tokenizer tokenizer(vocab, options);
    std::size_t large = 0;
    for (const TokenId id : vocab.ids()) {
      const std::string piece(vocab.piece(id));
      const auto ids = test::encode(tokenizer, piece);
      ASSERT_EQ(ids, test::plain_encode(vocab, options, piece)) << piece;
      if (ids.size() == 1 && ids[0] > 65535) ++large;
    }
    EXPECT_GT(large, 10000U);
  }
}

}  // namespace
}  // namespace bertprep
