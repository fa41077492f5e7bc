// WikiText files against the reference tool, tools/wikitext_articles.py of the golden data.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "support/golden_data.h"
#include "support/read_documents.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

using test::as_lines;
using test::read_bytes;

class WikitextGolden : public test::GoldenTest {
 protected:
  std::vector<test::Article> read(const std::vector<std::filesystem::path>& files) {
    return test::read_documents(files, {.format = InputFormat::kWikitext}).articles;
  }

  // Runs the tool on `files`; skips the test without Python.
  void run_tool(const std::vector<std::filesystem::path>& files, std::string& lines) {
    std::string command =
        "python3 '" + (shared() / "tools" / "wikitext_articles.py").string() + "' '" + (folder_ / "out").string() + "'";
    for (const auto& file : files) command += " '" + file.string() + "'";
    if (std::system("python3 -c pass 2>/dev/null") != 0) GTEST_SKIP() << "skipped: no python3";
    ASSERT_EQ(std::system((command + " 2>/dev/null").c_str()), 0) << command;
    lines = read_bytes(folder_ / "out");
  }

  test::TempFolder folder_;
};

struct Expected {
  const char* file;
  std::size_t articles;
  const char* sha256;  // of the articles, one per line, as written by the tool
  const char* first_title;
};

TEST_F(WikitextGolden, ReadsTheCorporaAsTheToolDid) {
  for (const Expected& expected : {
           Expected{"wt103-valid.txt", 60, "ffaf0771b73be73cdb5e2a0ce60070a17809a5ec1a1381dc089f64965d7bc29f",
                    "Homarus gammarus"},
           Expected{"wt2-raw-valid.txt", 60, "fab310ba081f85ff2205762deadc7b3927c863b8d2b34335d7f5d524d9513fcd",
                    "Homarus gammarus"},
           Expected{"wt2-train.txt", 600, "9a5ceb9de123dcc0b361a19512b7741452c6bdff69d0ea42193c140bf245a1a1",
                    "Valkyria Chronicles III"},
           Expected{"wt2-valid.txt", 60, "d374581ac8bafb5b6ecfc09b8523b8c5ba644ca6d1994c87b852f0b78828517f",
                    "Homarus gammarus"},
       }) {
    const auto articles = read({shared() / "corpora" / "wikitext" / expected.file});
    ASSERT_EQ(articles.size(), expected.articles) << expected.file;
    EXPECT_EQ(articles.front().title, expected.first_title);
    EXPECT_EQ(sha256_of(as_lines(articles)), expected.sha256) << expected.file;
  }
}

TEST_F(WikitextGolden, AgreesWithTheToolOnTheCorpora) {
  std::vector<std::filesystem::path> files;
  for (const char* name : {"wt103-valid.txt", "wt2-raw-valid.txt", "wt2-train.txt", "wt2-valid.txt"}) {
    files.push_back(shared() / "corpora" / "wikitext" / name);
  }
  std::string expected;
  run_tool(files, expected);
  if (!IsSkipped()) {
    EXPECT_EQ(as_lines(read(files)), expected);
  }
}

// Random files of parts that matter.
std::string random_file(std::uint64_t& state) {
  static const std::vector<std::string> kParts = {"\n",
                                                  " \n",
                                                  "\n\n",
                                                  " = Ab = \n",
                                                  "\n = Title = \n\n",
                                                  "\n = T = \n\n",
                                                  "\n = \xC3\xA9t = \n\n",
                                                  " = = S = = \n",
                                                  " = = = = \n",
                                                  " a . \n",
                                                  "b\r\n",
                                                  "\r",
                                                  "\xC2\xA0\n",
                                                  "\xE2\x80\xA8",
                                                  " = A = B = ",
                                                  "= ",
                                                  " =",
                                                  "x",
                                                  "\x1C\n",
                                                  " =  = \n",
                                                  "\n = \xC3\xA9 = \n"};
  const auto below = [&state](std::size_t bound) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>(state >> 33) % bound;
  };
  std::string bytes;
  for (std::size_t parts = below(30); parts > 0; --parts) bytes += kParts[below(kParts.size())];
  return bytes;
}

TEST_F(WikitextGolden, AgreesWithTheToolOnRandomFiles) {
  constexpr int kFiles = 2000;
  std::uint64_t state = 1;
  std::vector<std::filesystem::path> files;
  std::string found;
  for (int i = 0; i < kFiles; ++i) {
    files.push_back(folder_.write(std::to_string(i), random_file(state)));
    try {
      found += as_lines(read({files.back()}));
    } catch (const FormatError&) {
      // A file without articles, which the tool skips.
    }
  }
  std::string expected;
  run_tool(files, expected);
  if (!IsSkipped()) {
    EXPECT_EQ(found, expected);
  }
  EXPECT_GT(found.size(), 10000U);
}

}  // namespace
}  // namespace bertprep
