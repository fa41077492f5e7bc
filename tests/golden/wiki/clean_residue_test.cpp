// Markup left in clean text, counted on real articles. The limits are those of wtf_wikipedia on such articles; and
// there must be at least as many words as with the reference's extractor.
#include <array>
#include <cstdio>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "support/clean_text.h"
#include "support/golden_data.h"
#include "support/sanitized.h"
#include "twins/dump.h"

namespace bertprep::test {
namespace {

struct Residue {
  const char* name;
  const char* pattern;
  double limit_per_1000;  // 0: none at all
};

constexpr std::array<Residue, 18> kResidues{{
    {"{{", R"(\{\{)", 97},
    {"}}", R"(\}\})", 102},
    {"{| |}", R"(\{\||\|\})", 19},
    {"|", R"(\|)", 1352},
    {"[[", R"(\[\[)", 46},
    {"<ref", "</?ref", 14},
    {"<tag>", R"(</?[A-Za-z][^<>\n]*>)", 60},
    {"&name;", R"(&#?[A-Za-z0-9]+;)", 32},
    {"NBSP", "\xC2\xA0", 42},
    {"()", R"((^|[^A-Za-z0-9_=>)\]])\([\s,;]*\))", 0},  // f() is text
    {"(, (;", R"(\([,;])", 51},
    {"blank , . ;", R"( [,.;])", 718},
    {"\"\"", R"("")", 23},
    {"formula_N", "formula_[0-9]|codice_[0-9]", 0},
    {"File: thumb|", R"(\b(File|Image):|thumb\|)", 46},
    {"Category:", "Category:", 9},
    {"URL", R"((https?|ftp)://)", 56},
    {"''", "''", 0},
}};

struct Counts {
  std::array<std::size_t, kResidues.size()> found{};
  std::size_t articles = 0;
  std::size_t words = 0;
};

std::size_t count_words(std::string_view text) {
  std::size_t words = 0;
  bool in_word = false;
  for (const char byte : text) {
    const bool is_blank = byte == ' ' || byte == '\n' || byte == '\t';
    words += !is_blank && !in_word;
    in_word = !is_blank;
  }
  return words;
}

std::size_t count_matches(const std::string& text, const std::regex& pattern) {
  const std::sregex_iterator first(text.begin(), text.end(), pattern);
  return static_cast<std::size_t>(std::distance(first, std::sregex_iterator()));
}

Counts count(const PlainDump& dump) {
  std::vector<std::regex> patterns;
  for (const Residue& residue : kResidues) patterns.emplace_back(residue.pattern, std::regex::optimize);
  const auto site = std::make_shared<WikiSite>(dump.site);
  CleanExtractor extractor({}, site);
  Counts counts;
  std::string lines;
  for (const WikiPage& page : dump.pages) {
    extractor.extract(page, lines);
    ++counts.articles;
    counts.words += count_words(lines);
    if (kSanitized) continue;  // which watches the extraction; to search the text by std::regex would take minutes
    for (std::size_t i = 0; i < patterns.size(); ++i) counts.found[i] += count_matches(lines, patterns[i]);
  }
  return counts;
}

void print(const std::string& name, const Counts& counts) {
  std::printf("%s: %zu articles, %zu words each\n", name.c_str(), counts.articles, counts.words / counts.articles);
  for (std::size_t i = 0; i < kResidues.size(); ++i) {
    const double share = 1000.0 * static_cast<double>(counts.found[i]) / static_cast<double>(counts.articles);
    std::printf("  %-13s %8.1f per 1000 articles\n", kResidues[i].name, share);
  }
}

class CleanResidue : public GoldenTest {
 protected:
  void SetUp() override {
    GoldenTest::SetUp();
    if (!IsSkipped() && !std::filesystem::exists(shared() / "goldens" / "wiki"))
      GTEST_SKIP() << "skipped: no wiki goldens";
  }

  Counts expect_clean(const std::string& file) {
    const Counts counts = count(read_plain_dump(read_maybe_xz(shared() / file)));
    print(file, counts);
    for (std::size_t i = 0; i < kResidues.size(); ++i) {
      const double limit = kResidues[i].limit_per_1000 * static_cast<double>(counts.articles) / 1000;
      EXPECT_LE(static_cast<double>(counts.found[i]), limit) << kResidues[i].name;
    }
    return counts;
  }

  std::size_t words_of_reference(const std::string& name) const {
    return count_words(read_maybe_xz(shared() / "goldens" / "wiki" / (name + ".default") / "formatted.txt"));
  }
};

TEST_F(CleanResidue, EnglishOf2016) {
  EXPECT_GE(expect_clean("goldens/wiki/enwiki2016.xml").words, words_of_reference("enwiki2016"));
}

TEST_F(CleanResidue, EnglishWithTables) {
  EXPECT_GE(expect_clean("goldens/wiki/enwiki2017-tables.xml").words, words_of_reference("enwiki2017-tables"));
}

TEST_F(CleanResidue, Latgalian) {
  EXPECT_GE(expect_clean("goldens/wiki/ltgwiki.xml").words, words_of_reference("ltgwiki"));
}

TEST_F(CleanResidue, OddPages) {
  expect_clean("corpora/wikidump/assembled-wtf-pages.xml");
}

TEST_F(CleanResidue, RandomizedPages) {
  for (const char* name : {"fuzz", "ltgwiki-fuzz"}) {
    const PlainDump dump = read_plain_dump(read_maybe_xz(shared() / "goldens" / "wiki" / (std::string(name) + ".xml")));
    const Counts counts = count(dump);
    print(name, counts);
    for (const std::size_t i : {0, 1, 2, 4, 5, 8, 9, 10, 12, 13}) EXPECT_EQ(counts.found[i], 0u) << kResidues[i].name;
  }
}

}  // namespace
}  // namespace bertprep::test
