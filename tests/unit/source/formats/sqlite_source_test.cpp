#include "source/formats/sqlite_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "bertprep/base/error.h"
#include "support/packed.h"
#include "support/read_documents.h"
#include "support/read_text.h"
#include "support/sqlite_file.h"
#include "support/temp_folder.h"
#include "support/thrown.h"

namespace bertprep {
namespace {

using testing::HasSubstr;

constexpr const char* kPages =
    "create table pages (id integer primary key, title text, body text, url text);"
    "insert into pages values (7, 'Rain', 'It rains. Ü', 'http://x/7'), (9, null, 'It snows.', null);"
    "create view long_pages as select * from pages where length(body) > 10;";
constexpr const char* kAll = "select id, title, body as text, url from pages order by id";

class SqliteSourceTest : public testing::Test {
 protected:
  std::filesystem::path make(const std::string& script, const std::string& name = "x.sqlite") {
    return test::make_sqlite(folder_.path() / name, script);
  }
  test::Reading read(const std::filesystem::path& file, const std::string& query, SourceOptions options = {}) {
    options.query = query;
    return test::read_documents({file}, options);
  }
  template <class Fault = ConfigError>
  std::string failure(const std::filesystem::path& file, const std::string& query, const SourceOptions& options = {}) {
    return test::thrown_by<Fault>([&] { read(file, query, options); });
  }

  test::TempFolder folder_;
};

TEST_F(SqliteSourceTest, GivesTheArticlesOfJsonLines) {
  const auto lines =
      folder_.write("x.jsonl",
                    "{\"id\": 7, \"title\": \"Rain\", \"text\": \"It rains. Ü\", \"url\": \"http://x/7\"}"
                    "\n{\"id\": 9, \"title\": null, \"text\": \"It snows.\", \"url\": null}\n");
  const auto file = make(kPages);
  const RejectSink refuse;
  std::vector<std::string> origins;
  for (const auto& [input, query] : {std::pair(lines, ""), std::pair(file, kAll)}) {
    const std::vector<std::filesystem::path> inputs{input};
    const auto source = open_source(inputs, {.query = query}, refuse);
    std::string all;
    for (Document document; source->next(document);) {
      all += document.title + '|' + document.text + '|' + document.origin.page_id + '|' + document.origin.url + '|' +
             std::to_string(document.origin.line) + '\n';
    }
    origins.push_back(all);
  }
  EXPECT_EQ(origins[1], origins[0]);
  EXPECT_EQ(origins[1], "Rain|It rains. Ü|7|http://x/7|1\n|It snows.|9||2\n");
}

TEST_F(SqliteSourceTest, TakesTheOnlyColumnAndJoinsSeveral) {
  const auto file = make(kPages);
  EXPECT_EQ(test::as_lines(read(file, "select body from pages order by id desc").articles), "It snows.\nIt rains. Ü\n");
  const auto joined = read(file, "select title, body from pages order by id", {.text_field = "title,body"}).articles;
  EXPECT_EQ(test::as_lines(joined), "Rain\n\nIt rains. Ü\nIt snows.\n");
  EXPECT_THAT(failure<FormatError>(file, "select id, body from pages"),
              HasSubstr("no column \"text\": the query has \"id\", \"body\"; name the column of the text"));
}

TEST_F(SqliteSourceTest, RejectsRowsWithoutText) {
  const auto file = make(
      "create table t (text); insert into t values ('It rains.'), (null), (x'00ff'), (12), (' '), "
      "(cast(x'61ff' as text)), ('" +
      std::string(50, 'a') + "');");
  const auto reading = read(file, "select text from t order by rowid", {.max_article = "40"});
  EXPECT_EQ(test::as_lines(reading.articles), "It rains.\n");
  std::vector<std::string> reasons;
  for (const auto& rejected : reading.rejected)
    reasons.push_back(rejected.where.substr(file.string().size()) + ' ' + rejected.reason);
  EXPECT_THAT(reasons, testing::UnorderedElementsAre(":2 field \"text\" is null", ":3 field \"text\" is not a string",
                                                     ":4 field \"text\" is not a string", ":5 field \"text\" is empty",
                                                     ":6 invalid UTF-8 at byte 1 of field \"text\"", HasSubstr(":7 ")));
}

TEST_F(SqliteSourceTest, RunsOneQueryThatIsRepeatable) {
  const auto file = make(kPages);
  const std::vector<std::pair<std::string, std::string>> faults = {
      {"select text from page", "no such table: page"},
      {"selec", "near \"selec\": syntax error"},
      {"-- nothing", "it selects nothing"},
      {"select body from pages; select title from pages", "something follows its statement"},
      {"delete from pages", "it selects nothing"},
      {"attach 'y.sqlite' as y", "it selects nothing"},
      {"select body from pages order by random()", "random numbers and the current time give other rows each time"},
      {"select current_timestamp || body from pages", "random numbers and the current time"},
      {"select date('now') || body from pages", "random numbers and the current time"},
      {"select body from pages where strftime('%Y') > '2020'", "random numbers and the current time"}};
  for (const auto& [query, fault] : faults) {
    EXPECT_THAT(failure(file, query), HasSubstr("the query can't be run: " + fault)) << query;
  }
  EXPECT_EQ(read(file, "select body from pages; ").articles.size(), 2U);
  EXPECT_THAT(failure<FormatError>(file, "delete from pages returning body"),
              HasSubstr("row 1 can't be read: attempt to write a readonly database"));
  const auto indexed = make("create virtual table t using fts5(body); insert into t values ('It rains.');", "f.sqlite");
  EXPECT_EQ(test::as_lines(read(indexed, "select body from t where t match 'rains'").articles), "It rains.\n");
}

TEST_F(SqliteSourceTest, AsksForTheQueryAndNamesTheTables) {
  const auto file = make(kPages, "x.db");
  const std::string fault = "x.db: this is an SQLite database, with \"pages\", \"long_pages\"; say which";
  EXPECT_THAT(failure(file, ""), HasSubstr(fault));
  EXPECT_THAT(failure(file, "", {.format = InputFormat::kSqlite}), HasSubstr(fault));
}

TEST_F(SqliteSourceTest, ReadsWithoutAMarkOnTheFolder) {
  const auto file = make("pragma journal_mode = wal;" + std::string(kPages), "a ?#%3f.sqlite");
  EXPECT_EQ(read(file, kAll).articles.size(), 2U);
  folder_.write("a ?#%3f.sqlite-journal", std::string(20, '\0'));
  EXPECT_EQ(read(file, kAll).articles.size(), 2U);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 2);
  for (const std::string ending : {"-wal", "-journal"}) {
    const auto beside = folder_.write("a ?#%3f.sqlite" + ending, "x");
    EXPECT_THAT(failure<FormatError>(file, kAll),
                HasSubstr("changes that are not in it yet are in " + beside.string() + "; close the programs"));
    std::filesystem::remove(beside);
  }
}

TEST_F(SqliteSourceTest, RefusesWhatIsNoDatabaseInUtf8) {
  const auto file = make(kPages);
  const std::string bytes = test::read_text(file);
  EXPECT_THAT(failure<FormatError>(folder_.write("x.sqlite.gz", test::compress("gzip", bytes)), kAll),
              HasSubstr("SQLite in an archive or a compressed file is not read; unpack it first"));
  EXPECT_THAT(failure<FormatError>(folder_.write("y.sqlite", "It rains.\n"), kAll),
              HasSubstr("its name is that of SQLite, its content is not"));
  const SourceOptions sqlite{.format = InputFormat::kSqlite};
  EXPECT_THAT(failure<FormatError>(folder_.write("x.txt", "It rains.\n"), kAll, sqlite),
              HasSubstr("it can't be read: file is not a database"));
  EXPECT_THAT(failure<FormatError>(make("pragma encoding = 'UTF-16'; create table t (text);", "z.sqlite"), kAll),
              HasSubstr("its text is in UTF-16; copy it: sqlite3 FILE .dump | sqlite3 COPY"));
  std::string damaged = bytes;
  std::fill(damaged.begin() + 4096, damaged.begin() + 8192, 'x');
  EXPECT_THAT(failure<FormatError>(folder_.write("w.sqlite", damaged), kAll),
              HasSubstr("row 1 can't be read: database disk image is malformed; get the file again"));
}

}  // namespace
}  // namespace bertprep
