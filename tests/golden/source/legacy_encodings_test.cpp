// The Universal Declaration of Human Rights in many languages and encodings, given by the file names.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "source/books/books_source.h"
#include "source/encoding/converter.h"
#include "support/golden_data.h"

namespace bertprep {
namespace {

// The meaning of a name's suffix. "Latin2", "Cyrillic" and so on are alphabets: the encodings below are those in which
// the files make sense.
const std::map<std::string, std::string> kEncodings = {
    {"Latin1", "windows-1252"}, {"Latin2", "windows-1250"}, {"Cyrillic", "windows-1251"},
    {"Arabic", "windows-1256"}, {"Hebrew", "windows-1255"}, {"Turkish", "windows-1254"},
    {"Baltic", "ISO-8859-4"},   {"UTF8", "UTF-8"},          {"Unicode", "UTF-16"},
    {"SJIS", "Shift_JIS"},      {"EUC", "EUC-JP"},          {"HZ", "HZ"}};

// Files in encodings that no converter supports.
const std::set<std::string> kMisses = {"Abkhaz-Cyrillic+Abkh", "Azeri_Azerbaijani_Latin-Az.Times.Lat0117",
                                       "Esperanto-T61", "Vietnamese-TCVN", "Vietnamese-VIQR"};

std::string ending_of(const std::string& name) {
  const std::size_t dash = name.rfind('-');
  return dash == std::string::npos ? "Latin1" : name.substr(dash + 1);
}

class LegacyEncodingsGolden : public test::GoldenTest {
 protected:
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder())) found.push_back(entry.path().filename());
    std::sort(found.begin(), found.end());
    return found;
  }
  std::filesystem::path folder() const { return shared() / "corpora" / "unicode" / "udhr-legacy"; }
};

TEST_F(LegacyEncodingsGolden, AreReadAsTheirNamesSay) {
  BookDecoder decoder("auto");
  std::set<std::string> misses;
  std::size_t files = 0;
  for (const std::string& name : names()) {
    ++files;
    const std::string bytes = test::read_bytes(folder() / name);
    std::string text;
    std::string note;
    EXPECT_FALSE(decoder.decode(bytes, text, note)) << name;
    const auto encoding = kEncodings.find(ending_of(name));
    std::string expected;
    if (encoding != kEncodings.end()) Decoder(encoding->second).decode(bytes, expected);
    if (text != expected) misses.insert(name);
  }
  EXPECT_EQ(misses, kMisses);
  EXPECT_EQ(files, 160U);
}

TEST_F(LegacyEncodingsGolden, GuessesAreTold) {
  BookDecoder decoder("auto");
  std::string text;
  std::string note;
  decoder.decode(test::read_bytes(folder() / "Russian-Cyrillic"), text, note);
  EXPECT_NE(note.find("windows-1251"), std::string::npos);
  note.clear();
  decoder.decode(test::read_bytes(folder() / "Czech-UTF8"), text, note);
  EXPECT_EQ(note, "");
}

}  // namespace
}  // namespace bertprep
