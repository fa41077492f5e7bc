#include "source/formats/text_source.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace bertprep {
namespace {

std::string detokenized(std::string row) {
  detokenize_wikitext(row);
  return row;
}

// The plain twin: rule after rule over copies, character by character.

std::string replaced(const std::string& text, const std::string& before, const std::string& after) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (text.compare(i, before.size(), before) == 0) {
      out += after;
      i += before.size();
    } else {
      out += text[i++];
    }
  }
  return out;
}

bool begins_with_blank(std::string_view text, std::size_t& size) {
  for (const char* blank : {"\t", "\n", "\v", "\f", "\r", "\x1C", "\x1D", "\x1E", "\x1F", " ", "\xC2\x85", "\xC2\xA0",
                            "\xE2\x80\x89", "\xE3\x80\x80"}) {
    size = std::string_view(blank).size();
    if (text.starts_with(blank)) return true;
  }
  return false;
}

std::string without_blanks_at_ends(std::string text) {
  std::size_t size = 0;
  while (begins_with_blank(text, size)) text.erase(0, size);
  for (bool found = true; found;) {
    found = false;
    for (std::size_t at = text.size(); at-- > 0 && text.size() - at <= 3;) {
      if (!begins_with_blank(text.substr(at), size) || at + size != text.size()) continue;
      text.erase(at);
      found = true;
      break;
    }
  }
  return text;
}

std::string stripped_inside(const std::string& text, char open, char close) {
  std::string out;
  std::size_t done = 0;
  for (;;) {
    const std::size_t begin = text.find(open, done);
    if (begin == std::string::npos) break;
    const std::size_t end = text.find(close, begin + 1);
    if (end == std::string::npos) break;
    out +=
        text.substr(done, begin + 1 - done) + without_blanks_at_ends(text.substr(begin + 1, end - begin - 1)) + close;
    done = end + 1;
  }
  return out + text.substr(done);
}

std::string plain(std::string text) {
  text = replaced(text, "s '", "s'");
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const bool is_number = text.compare(i, 3, "/' ") == 0 && i + 4 < text.size() && text[i + 3] >= '0' &&
                           text[i + 3] <= '9' && text[i + 4] == '/';
    out += is_number ? "/'[0-9]/" : text.substr(i, 1);
    i += is_number ? 5 : 1;
  }
  text = out;
  for (const std::string mark : {"-", ",", "."}) text = replaced(text, " @" + mark + "@ ", mark);
  for (const std::string mark : {":", ";", ".", "!", "?", ","}) text = replaced(text, " " + mark + " ", mark + " ");
  for (const std::string_view pair : {"()", "[]", "{}", "\"\"", "''"}) text = stripped_inside(text, pair[0], pair[1]);
  text = replaced(replaced(replaced(text, "= = = =", "===="), "= = =", "==="), "= =", "==");
  text = replaced(text, " \xC2\xB0 ", "\xC2\xB0");
  text = replaced(replaced(text, " \n", "\n"), "\n ", "\n");
  return replaced(replaced(text, " N ", " 1 "), " 's", "'s");
}

TEST(DetokenizeWikitext, MakesRunningText) {
  EXPECT_EQ(detokenized(" = Harbour bells = \n"), " = Harbour bells =\n");
  EXPECT_EQ(detokenized(" = = = Sound = = = \n"), " === Sound ===\n");
  EXPECT_EQ(detokenized(" The bell weighs 1 @,@ 250 @.@ 5 kg ; it 's cast @-@ iron ( red ) . \n"),
            " The bell weighs 1,250.5 kg; it's cast-iron (red).\n");
  EXPECT_EQ(detokenized(" the sailors ' bell and the crew 's \n"), " the sailors'bell and the crew's\n");
  EXPECT_EQ(detokenized(" \" ring \" and 5 \xC2\xB0 N of it"), " \"ring\" and 5\xC2\xB0N of it");
  EXPECT_EQ(detokenized(" 5 N wide "), " 5 1 wide ");
  EXPECT_EQ(detokenized("/' 5/' 6/"), "/'[0-9]/' 6/") << "a fault of theirs";
  EXPECT_EQ(detokenized(" ( open . \n"), " ( open.\n");
  EXPECT_EQ(detokenized("( [ a ) ]"), "([a)]");
  EXPECT_EQ(detokenized(""), "");
}

TEST(DetokenizeWikitext, IsTheSlowTwinOnRandomRows) {
  const std::vector<std::string> parts = {" ",  " ", " ", "@", "-", ",", ".",  ":", ";",        "!",           "?",
                                          "(",  ")", "[", "]", "{", "}", "\"", "'", "'",        "=",           "=",
                                          "\n", "N", "s", "/", "7", "a", "\t", "é", "\xC2\xB0", "\xE3\x80\x80"};
  std::mt19937 random(5);
  for (int round = 0; round < 100'000; ++round) {
    std::string row;
    for (std::size_t left = random() % 24; left > 0; --left) row += parts[random() % parts.size()];
    ASSERT_EQ(detokenized(row), plain(row)) << "'" << row << "'";
  }
}

}  // namespace
}  // namespace bertprep
