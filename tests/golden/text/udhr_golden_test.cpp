// Sentences of the Universal Declaration of Human Rights in scripts with their own marks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "bertprep/text/sentences.h"
#include "support/golden_data.h"
#include "support/json_lines.h"

namespace bertprep::test {
namespace {

std::size_t occurrences(std::string_view text, std::string_view mark) {
  std::size_t count = 0;
  for (std::size_t at = text.find(mark); at != text.npos; at = text.find(mark, at + mark.size())) ++count;
  return count;
}

class UdhrGolden : public GoldenTest {};

// The text is joined to one line, so that only the marks can end a sentence.
TEST_F(UdhrGolden, SentencesEndAtTheMarksOfTheScript) {
  const std::map<std::string, std::string> mark_of = {
      {"khm", "\u17D4"}, {"bod", "\u0F0D"}, {"mya", "\u104B"}, {"san", "\u0964"}, {"urd", "\u06D4"}};
  const auto splitter = make_sentence_splitter({.rules = SentenceRules::kIcu});
  std::size_t languages = 0;
  for (const JsonValue& document : read_json_lines(shared() / "corpora" / "jsonl" / "udhr-shared.jsonl")) {
    const auto mark = mark_of.find(document.at("lang").text);
    if (mark == mark_of.end()) continue;
    ++languages;
    std::string text = document.at("text").text;
    std::replace(text.begin(), text.end(), '\n', ' ');
    std::vector<std::string_view> sentences;
    splitter->split(text, sentences);
    std::size_t ended = 0;
    for (const std::string_view sentence : sentences) ended += occurrences(sentence, mark->second) != 0 ? 1 : 0;
    EXPECT_EQ(ended, occurrences(text, mark->second)) << mark->first;
    EXPECT_GT(ended, 50U) << mark->first;
  }
  EXPECT_EQ(languages, mark_of.size());
}

}  // namespace
}  // namespace bertprep::test
