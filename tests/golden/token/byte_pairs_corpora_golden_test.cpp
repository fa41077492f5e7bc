// Every line of the shared corpora: digests of the ids of HuggingFace's tokenizers 0.23.2 (npm, encodeBatch) in
// tests/golden/data/byte_pairs/corpora.tsv.
#include "io/digest.h"

#include <algorithm>
#include "support/golden_data.h"
#include "token/bpe/byte_pair_encoder.h"
#include "token/bpe/byte_pair_files.h"

namespace bertprep {
namespace {

class BytePairCorpora : public test::GoldenTest {
 protected:
  void expect_digests(const std::string& model, std::size_t column) const {
    const auto path = shared() / "models" / "bpe" / model;
    BytePairEncoder encoder(std::make_shared<const BytePairModel>(read_byte_pairs(path)), SpecialInText::kControl);
    std::size_t files = 0;
    for (const std::string& row :
         test::read_lines(test::source_folder() / "tests" / "golden" / "data" / "byte_pairs" / "corpora.tsv")) {
      const auto cells = test::split_tabs(row);
      const std::string digest = digest_of(test::read_bytes(shared() / "corpora" / cells.at(0)), encoder);
      EXPECT_EQ(digest.substr(0, cells.at(column).size()), cells.at(column)) << cells[0];
      ++files;
    }
    EXPECT_GT(files, 100U);
  }

 private:
  // Of the ids of every line, in digits with blanks between.
  static std::string digest_of(const std::string& text, BytePairEncoder& encoder) {
    std::string out;
    std::vector<TokenId> ids;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      ids.clear();
      encoder.encode(std::string_view(text).substr(begin, end - begin), ids);
      for (const TokenId id : ids) {
        if (!out.empty() && out.back() != '\n') out += ' ';
        out += std::to_string(id);
      }
      out += '\n';
      begin = end + 1;
    }
    return sha256_of(out);
  }
};

TEST_F(BytePairCorpora, Gpt2) {
  expect_digests("gpt2", 1);
}
TEST_F(BytePairCorpora, OlmoNeox) {
  expect_digests("olmo-neox", 2);
}

}  // namespace
}  // namespace bertprep
