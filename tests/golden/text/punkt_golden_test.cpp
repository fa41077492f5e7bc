#include <set>
#include <utility>

#include "bertprep/text/sentences.h"
#include "support/golden_data.h"
#include "support/json_lines.h"
#include "unicode/utf8_text.h"

namespace bertprep::test {
namespace {

class PunktGolden : public GoldenTest {
 protected:
  // Checks the splitter against the vectors of a file; returns their number.
  std::size_t check(const char* file) {
    const auto splitter = make_sentence_splitter({.rules = SentenceRules::kPunkt, .punkt = english().string()});
    std::vector<std::string_view> sentences;
    std::size_t count = 0;
    for (const JsonValue& vector : read_json_lines(goldens() / "vectors" / file)) {
      splitter->split(vector[0].text, sentences);
      EXPECT_EQ(std::vector<std::string>(sentences.begin(), sentences.end()), vector[1].texts()) << vector[0].text;
      ++count;
    }
    return count;
  }
  std::filesystem::path english() const { return shared() / "models" / "punkt_tab" / "english"; }
};

TEST_F(PunktGolden, SplitsRandomTextAsTheReferenceDoes) {
  EXPECT_EQ(check("punkt.jsonl"), 3000U);
}

TEST_F(PunktGolden, SplitsTextAroundItsParametersAsTheReferenceDoes) {
  EXPECT_EQ(check("punkt_targeted.jsonl"), 533U);
}

TEST_F(PunktGolden, LeavesTheArticlesOfTheShardsAsTheReferenceDoes) {
  const auto splitter = make_sentence_splitter({.rules = SentenceRules::kPunkt, .punkt = english().string()});
  std::set<std::string> expected;
  const auto folder = goldens() / "A_wikitext2" / "sharded_training_shards_8_test_shards_4_fraction_0.1";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::string article;
    for (const std::string& line : read_lines(entry.path())) {
      if (!line.empty()) {
        article += line + '\n';
      } else {
        expected.insert(std::exchange(article, ""));
      }
    }
  }
  std::set<std::string> found;
  std::vector<std::string_view> sentences;
  for (const std::string& line : read_lines(goldens() / "A_wikitext2" / "wikitext-2_one_article_per_line.txt")) {
    splitter->split(strip_end(line), sentences);
    std::string article;
    for (const auto sentence : sentences) article.append(sentence) += '\n';
    if (!article.empty()) found.insert(article);
  }
  EXPECT_EQ(found.size(), 120U);
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace bertprep::test
