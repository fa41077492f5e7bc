#include "wiki/markup/letter_case.h"

#include <gtest/gtest.h>

#include "wiki/templates/python_number.h"

namespace bertprep {
namespace {

using Append = void (*)(std::string_view, std::string&);

std::string made_by(Append append, std::string_view text) {
  std::string out = "<";
  append(text, out);
  return out.substr(1);
}

TEST(LetterCase, MapsInFull) {
  EXPECT_EQ(made_by(append_lower, "ABC xyz"), "abc xyz");
  EXPECT_EQ(made_by(append_upper, "abc XYZ {|}"), "ABC XYZ {|}");
  EXPECT_EQ(made_by(append_upper, "straße"), "STRASSE");
  EXPECT_EQ(made_by(append_lower, "ΟΔΥΣΣΕΥΣ ΑΣ."), "οδυσσευς ας.");
  EXPECT_EQ(made_by(append_lower, "İ"), "i̇");
  EXPECT_EQ(made_by(append_lower, ""), "");
}

TEST(LetterCase, MapsTheFirstLetter) {
  EXPECT_EQ(made_by(append_upper_first, "éa"), "Éa");
  EXPECT_EQ(made_by(append_upper_first, "ßA"), "SSA");
  EXPECT_EQ(made_by(append_lower_first, "ΣΑ"), "σΑ");
  EXPECT_EQ(made_by(append_lower_first, ""), "");
}

TEST(PythonInteger, IsWrittenInCanonicalForm) {
  EXPECT_EQ(made_by(append_integer, "007"), "7");
  EXPECT_EQ(made_by(append_integer, " -1_000\n"), "-1000");
  EXPECT_EQ(made_by(append_integer, "+٣"), "3");
  EXPECT_EQ(made_by(append_integer, "-0"), "0");
  EXPECT_EQ(made_by(append_integer, "12345678901234567890123"), "12345678901234567890123");
  for (const char* const wrong : {"", "-", "1.5", "1e3", "_1", "1_", "1__2", "x", "²"}) {
    EXPECT_EQ(made_by(append_integer, wrong), "") << wrong;
  }
  EXPECT_EQ(made_by(append_integer, std::string(4300, '9')), std::string(4300, '9'));
  EXPECT_EQ(made_by(append_integer, std::string(4301, '9')), "");
}

}  // namespace
}  // namespace bertprep
