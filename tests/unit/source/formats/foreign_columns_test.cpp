// Files of other programs (tests/data/parquet/make_files.mjs) give the articles and origins of the same rows as JSON
// Lines.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "bertprep/source/open_source.h"
#include "support/golden_data.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

struct Rows {
  std::vector<std::string> articles;
  std::set<std::string> rejected;  // rows
  bool operator==(const Rows&) const = default;
};

Rows rows_of(const fs::path& file, const std::string& text_field) {
  Rows rows;
  const RejectSink sink = [&](const std::string& where, const auto&, auto) {
    rows.rejected.insert(where.substr(where.rfind(':')));
  };
  const std::vector<fs::path> inputs{file};
  const auto source = open_source(inputs, {.text_field = text_field}, sink);
  for (Document document; source->next(document);) {
    const Origin& origin = document.origin;
    rows.articles.push_back(std::to_string(origin.line) + "|" + origin.page_id + "|" + origin.url + "|" +
                            document.title + "|" + document.text);
  }
  return rows;
}

TEST(ForeignColumnsTest, GiveTheArticlesOfJsonLines) {
  const fs::path folder = test::source_folder() / "tests/data/parquet";
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const fs::path& file = entry.path();
    if (file.extension() != ".parquet" && file.extension() != ".arrow") continue;
    ++files;
    const bool is_nested = !file.filename().string().starts_with("hyparquet");
    for (const std::string field : {"text", "meta.body", "title,meta.body,text"}) {
      if (!is_nested && field != "text") continue;
      const Rows expected = rows_of(folder / "rows.jsonl", field);
      EXPECT_GT(expected.articles.size(), 100U);
      EXPECT_EQ(rows_of(file, field), expected) << file << ' ' << field;
    }
  }
  EXPECT_EQ(files, 23U);
}

}  // namespace
}  // namespace bertprep
