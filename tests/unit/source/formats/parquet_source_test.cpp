#include "source/formats/column_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "source/source_pieces.h"
#include "support/packed.h"
#include "support/parquet_file.h"
#include "support/read_documents.h"
#include "support/temp_folder.h"
#include "support/thrown.h"

namespace bertprep {
namespace {

using test::Articles;
using test::parquet_file;
using test::WrittenCodec;
using test::WrittenColumn;
using test::WrittenEncoding;
using testing::AllOf;
using testing::HasSubstr;

using Values = std::vector<std::optional<std::string>>;

WrittenColumn text_column(Values values) {
  return {.name = "text", .values = std::move(values)};
}

class ParquetSourceTest : public testing::Test {
 protected:
  test::Reading read(const std::string& bytes, const SourceOptions& options = {}) {
    path_ = folder_.write("x.parquet", bytes);
    return test::read_documents({path_}, options);
  }
  std::string failure(const std::string& bytes, const SourceOptions& options = {}) {
    return test::thrown_by<FormatError>([&] { read(bytes, options); });
  }

  test::TempFolder folder_;
  std::filesystem::path path_;
};

TEST_F(ParquetSourceTest, ReadsEachEncodingAndKindOfPage) {
  const Values values{"a", "", "abc", "abcd", std::nullopt, "b\xC3\xA9", "abc", "abc", std::nullopt, "z"};
  const Articles expected{{"", "a"}, {"", "abc"}, {"", "abcd"}, {"", "b\xC3\xA9"}, {"", "abc"}, {"", "abc"}, {"", "z"}};
  for (const auto encoding : {WrittenEncoding::kPlain, WrittenEncoding::kOldDictionary, WrittenEncoding::kDictionary,
                              WrittenEncoding::kDeltaLength, WrittenEncoding::kDeltaBytes}) {
    for (const auto codec : {WrittenCodec::kNone, WrittenCodec::kGzip, WrittenCodec::kZstd}) {
      for (const bool is_v2 : {false, true}) {
        WrittenColumn column = text_column(values);
        column.encoding = encoding;
        column.codec = codec;
        column.is_v2 = column.has_checksums = is_v2;
        column.page_rows = 3;
        const auto reading = read(parquet_file({column}, {4, 6}));
        EXPECT_EQ(reading.articles, expected) << static_cast<int>(encoding) << static_cast<int>(codec) << is_v2;
        ASSERT_EQ(reading.rejected.size(), 3U);
        EXPECT_EQ(reading.rejected[0].where, path_.string() + ":2");
        EXPECT_EQ(reading.rejected[0].reason, "field \"text\" is empty");
        EXPECT_EQ(reading.rejected[1].where, path_.string() + ":5");
        EXPECT_EQ(reading.rejected[1].reason, "field \"text\" is null");
      }
    }
  }
}

TEST_F(ParquetSourceTest, TakesTitleAndOriginFromTheirColumns) {
  WrittenColumn id{.name = "id", .values = {"-7", "9000000000"}, .is_number = true, .is_required = true};
  for (const auto encoding : {WrittenEncoding::kPlain, WrittenEncoding::kDelta, WrittenEncoding::kDictionary}) {
    id.encoding = encoding;
    const WrittenColumn title{.name = "title", .values = {"T", std::nullopt}};
    const WrittenColumn url{.name = "url", .values = {"https://x.org/", "u"}};
    const WrittenColumn time{.name = "timestamp", .values = {"1", "2"}, .is_number = true};
    const std::filesystem::path path =
        folder_.write("o.parquet", parquet_file({id, title, text_column({"a", "b"}), url, time}, {1, 1}));
    const std::vector<std::filesystem::path> inputs{path};
    const auto source = open_source(inputs, {}, {});
    Document document;
    ASSERT_TRUE(source->next(document));
    EXPECT_EQ(document.title, "T");
    EXPECT_EQ(document.text, "a");
    EXPECT_EQ(document.origin.page_id, "-7");
    EXPECT_EQ(document.origin.url, "https://x.org/");
    EXPECT_EQ(document.origin.timestamp, "");  // as a number in JSON Lines
    EXPECT_EQ(document.origin.line, 1U);
    EXPECT_EQ(document.origin.byte, 4U);
    ASSERT_TRUE(source->next(document));
    EXPECT_EQ(document.title, "");
    EXPECT_EQ(document.origin.page_id, "9000000000");
    EXPECT_EQ(document.origin.line, 2U);
    EXPECT_GT(document.origin.byte, 4U);
    EXPECT_FALSE(source->next(document));
  }
}

TEST_F(ParquetSourceTest, FindsNestedAndJoinedFields) {
  const WrittenColumn body{.name = "a.body", .values = {"x", std::nullopt, std::nullopt, std::nullopt}};
  const WrittenColumn head{.name = "a.head", .values = {"h", "i", std::nullopt, std::nullopt}};
  const std::string bytes = parquet_file({body, head, text_column({"t", "u", "v", "w"})}, {4});
  EXPECT_EQ(read(bytes, {.text_field = "a.head"}).articles, (Articles{{"", "h"}, {"", "i"}}));
  const auto joined = read(bytes, {.text_field = "a.head,absent,a.body"});
  EXPECT_EQ(joined.articles, (Articles{{"", "h\n\nx"}, {"", "i"}}));
  ASSERT_EQ(joined.rejected.size(), 2U);
  EXPECT_EQ(joined.rejected[0].reason, "none of the fields \"a.head\", \"absent\", \"a.body\" has text");
  const WrittenColumn whole{.name = "a,b", .values = {"w"}};
  EXPECT_EQ(read(parquet_file({whole}, {1}), {.text_field = "a,b"}).articles, (Articles{{"", "w"}}));
}

TEST_F(ParquetSourceTest, ReadsTheTitleAsTextToo) {
  const WrittenColumn title{.name = "title", .values = {"T", "U"}};
  EXPECT_EQ(read(parquet_file({title, text_column({"a", "b"})}, {2}), {.text_field = "title,text"}).articles,
            (Articles{{"T", "T\n\na"}, {"U", "U\n\nb"}}));
}

TEST_F(ParquetSourceTest, RefusesColumnsWithoutTextByName) {
  const WrittenColumn number{.name = "n", .values = {"1"}, .is_number = true};
  const WrittenColumn list{.name = "many", .values = {"1"}, .is_list = true};
  const WrittenColumn inner{.name = "a.b", .values = {"x"}};
  const std::string bytes = parquet_file({number, list, inner}, {1});
  EXPECT_THAT(failure(bytes), AllOf(HasSubstr("x.parquet: no column \"text\": the file has \"n\", \"many\", \"a\""),
                                    HasSubstr("`text_field`")));
  EXPECT_THAT(failure(bytes, {.text_field = "a.c"}), HasSubstr("no column \"a.c\": \"a\" has \"b\""));
  EXPECT_THAT(failure(bytes, {.text_field = "n"}), HasSubstr("column \"n\" is not a string"));
  EXPECT_THAT(failure(bytes, {.text_field = "many"}), HasSubstr("column \"many\" is a list"));
  EXPECT_THAT(failure(bytes, {.text_field = "a"}), HasSubstr("column \"a\" is a group: it has \"b\""));
  EXPECT_THAT(failure(bytes, {.text_field = "x,y"}), HasSubstr("none of the columns \"x\", \"y\" is there"));
  const WrittenColumn twice{.name = "text", .values = {"x"}};
  EXPECT_THAT(failure(parquet_file({twice, twice}, {1})), HasSubstr("two columns are named \"text\""));
}

TEST_F(ParquetSourceTest, RejectsRowsThatAreNotUtf8OrTooLong) {
  const WrittenColumn title{.name = "title", .values = {"\xFF", "t", "t", "t"}};
  const std::string bytes = parquet_file({title, text_column({"a", "b\xC3", std::string(2000, 'x'), "d"})}, {4});
  const auto reading = read(bytes, {.max_article = "1K"});
  EXPECT_EQ(reading.articles, (Articles{{"t", "d"}}));
  ASSERT_EQ(reading.rejected.size(), 3U);
  for (const auto& rejected : reading.rejected) {
    if (rejected.where.ends_with(":1")) {
      EXPECT_EQ(rejected.reason, "invalid UTF-8 at byte 0 of field \"title\"");
    }
    if (rejected.where.ends_with(":2")) {
      EXPECT_EQ(rejected.reason, "invalid UTF-8 at byte 1 of field \"text\"");
      EXPECT_EQ(rejected.record, "b\xC3");
    }
    if (rejected.where.ends_with(":3")) {
      EXPECT_THAT(rejected.reason, HasSubstr("it is too long: 2000 bytes"));
    }
  }
}

TEST_F(ParquetSourceTest, ReadsTheRowGroupsOfAPiece) {
  Values values;
  for (int i = 0; i < 300; ++i) values.emplace_back("article " + std::to_string(i));
  path_ = folder_.write("x.parquet", parquet_file({text_column(values)}, {100, 50, 0, 149, 1}));
  const std::vector<std::filesystem::path> inputs{path_};
  const auto whole = test::places(*open_source(inputs, {}, {}));
  ASSERT_EQ(whole.size(), 300U);
  for (const std::uint64_t piece_bytes : {1U, 500U, 1500U, 100000U}) {
    std::vector<test::Place> found;
    const auto pieces = split_source(inputs, {}, piece_bytes, {}, {});
    EXPECT_EQ(pieces.size() == 1, piece_bytes == 100000);
    for (const InputPiece& piece : pieces) {
      if (piece.is_range()) {
        EXPECT_EQ(whole.at(found.size()).first, piece.first_line);
      }
      const auto part = test::places(*open_source_piece(inputs, piece, {}, {}, {}));
      found.insert(found.end(), part.begin(), part.end());
    }
    EXPECT_EQ(found, whole);
  }
}

TEST_F(ParquetSourceTest, ReadsOnlyTheColumnsItNeeds) {
  std::string bytes = parquet_file({{.name = "other", .values = {std::string(100, 'o')}}, text_column({"a"})}, {1});
  const std::size_t other = bytes.find("oooo");
  ASSERT_NE(other, std::string::npos);
  bytes.replace(4, other, std::string(other, '\xFF'));
  EXPECT_EQ(read(bytes).articles, (Articles{{"", "a"}}));
}

TEST_F(ParquetSourceTest, RefusesWhatIsNotOnDisk) {
  const std::string bytes = parquet_file({text_column({"a"})}, {1});
  const std::vector<std::filesystem::path> inputs{folder_.write("x.parquet.gz", test::compress("gzip", bytes))};
  EXPECT_THAT(test::thrown_by<FormatError>([&] { test::read_documents(inputs, {}); }), HasSubstr("unpack it first"));
}

TEST_F(ParquetSourceTest, NamesFileColumnAndRowGroupOfDamage) {
  const Values values(20, std::string(50, 'a'));
  WrittenColumn column = text_column(values);
  column.has_checksums = true;
  column.page_rows = 5;
  std::string bytes = parquet_file({column}, {10, 10});
  bytes[bytes.rfind("aaaa")] = 'b';
  const std::string error = failure(bytes);
  EXPECT_THAT(error, HasSubstr("x.parquet: column \"text\" of row group 1 can't be read: a page does not have its"));
  EXPECT_THAT(failure(bytes.substr(0, bytes.size() - 1)), HasSubstr("is not a complete Parquet file: its end is miss"));
  EXPECT_THAT(failure("PAR1" + bytes.substr(bytes.size() - 8)), HasSubstr("its metadata is said to have"));
}

TEST_F(ParquetSourceTest, RefusesLiesAboutLengths) {
  const std::string one = test::parquet_page(5, 5, 1, 0, std::string("\1\0\0\0a", 5));
  EXPECT_EQ(read(test::parquet_lie(one, {})).articles, (Articles{{"", "a"}}));
  const auto lie = [&](std::int64_t bytes, std::int64_t stored, std::int64_t values, std::int64_t encoding,
                       const std::string& content, std::int64_t codec = 0) {
    return failure(test::parquet_lie(test::parquet_page(bytes, stored, values, encoding, content), {.codec = codec}));
  };
  const std::string text("\1\0\0\0a", 5);
  EXPECT_THAT(lie(2147483647, 5, 1, 0, text), HasSubstr("it expands to more than 1000 times its size"));
  EXPECT_THAT(lie(5, 2147483647, 1, 0, text), HasSubstr("a page is said to have 2147483647 bytes"));
  EXPECT_THAT(lie(-5, 5, 1, 0, text), HasSubstr("its metadata can't be read"));
  EXPECT_THAT(lie(6, 5, 1, 0, text), HasSubstr("a page can't be decompressed"));
  EXPECT_THAT(lie(5, 5, 2, 0, text), HasSubstr("its pages have more values than the row group"));
  EXPECT_THAT(lie(5, 5, 1, 0, std::string("\xFF\xFF\xFF\xFF", 4) + "a"), HasSubstr("its values end early"));
  EXPECT_THAT(lie(5, 5, 1, 6, std::string("\x80\1\4\xFF\x0F", 5)), HasSubstr("its values end early"));
  EXPECT_THAT(lie(5, 5, 1, 8, text), HasSubstr("its dictionary is missing"));
  EXPECT_THAT(lie(5, 5, 1, 9, text), HasSubstr("its encoding 9 is not read"));
  EXPECT_THAT(lie(5, 5, 1, 0, text, 3), HasSubstr("it is compressed by LZO"));
  EXPECT_THAT(lie(5, 5, 1, 0, text, 99), HasSubstr("compressed in a way that is not known (99)"));
  for (const std::int64_t codec : {1, 2, 4, 6, 7}) {
    EXPECT_THAT(lie(50'000'000, 5, 1, 0, text, codec), HasSubstr("a page can't be decompressed")) << codec;
  }
  EXPECT_THAT(failure(test::parquet_lie(one, {.chunk_begin = std::uint64_t{1} << 62})),
              HasSubstr("outside of the file"));
  EXPECT_THAT(failure(test::parquet_lie(one, {.chunk_bytes = std::uint64_t{1} << 62})),
              HasSubstr("outside of the file"));
  EXPECT_THAT(failure(test::parquet_lie(one, {.rows = 7})), HasSubstr("it has 1 values for 7 rows"));
  EXPECT_THAT(failure(test::parquet_lie(one, {.rows = 7, .values = 7})), HasSubstr("its pages end early"));
}

}  // namespace
}  // namespace bertprep
