#include "source/formats/column_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "source/source_pieces.h"
#include "support/golden_data.h"
#include "support/memory_stream.h"
#include "support/packed.h"
#include "support/read_documents.h"
#include "support/read_text.h"
#include "support/temp_folder.h"
#include "support/thrown.h"

namespace bertprep {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string foreign(const std::string& name) {
  return test::read_text(test::source_folder() / "tests/data/parquet" / name);
}

class ArrowSourceTest : public testing::Test {
 protected:
  test::Reading read(const std::string& bytes, const SourceOptions& options = {}, const std::string& name = "x.arrow") {
    path_ = folder_.write(name, bytes);
    return test::read_documents({path_}, options);
  }
  std::string failure(const std::string& bytes, const SourceOptions& options = {}) {
    return test::thrown_by<FormatError>([&] { read(bytes, options); });
  }

  test::TempFolder folder_;
  std::filesystem::path path_;
};

TEST_F(ArrowSourceTest, RejectsRowsByTheirNumber) {
  const auto reading = read(foreign("arrow_js.stream.arrow"));
  ASSERT_FALSE(reading.rejected.empty());
  EXPECT_EQ(reading.rejected[0].where, path_.string() + ":4");
  EXPECT_EQ(reading.rejected[0].reason, "field \"text\" is null");
}

TEST_F(ArrowSourceTest, ReadsWhatIsCompressedAsAWhole) {
  const std::string stream = foreign("arrow_js.stream.arrow");
  const auto expected = read(stream).articles;
  EXPECT_EQ(read(test::compress("gzip", stream), {}, "x.arrow.gz").articles, expected);
}

// The schema and the dictionaries, which grow, come before the pieces that need them.
TEST_F(ArrowSourceTest, HasABatchAsAPiece) {
  for (const std::string name : {"arrow_js.stream.arrow", "arrow_js.dictionary.arrow", "polars.uncompressed.arrow"}) {
    const std::string bytes = foreign(name);
    const auto whole = read(bytes);
    test::Reading parts;
    const RejectSink sink = [&](const auto& where, const auto& reason, auto) {
      parts.rejected.push_back({where, reason, ""});
    };
    const std::vector<std::filesystem::path> inputs{path_};
    const auto pieces = split_source(inputs, {}, bytes.size() / 3, {}, {});
    EXPECT_EQ(pieces.size(), name == "polars.uncompressed.arrow" ? 1U : 2U) << name;
    for (const InputPiece& piece : pieces) {
      const auto source = finish_documents(open_source_piece(inputs, piece, {}, sink, {}), sink);
      for (const auto& article : test::drain(*source)) parts.articles.push_back(article);
    }
    EXPECT_EQ(parts.articles, whole.articles) << name;
    ASSERT_EQ(parts.rejected.size(), whole.rejected.size()) << name;
    for (std::size_t i = 0; i < parts.rejected.size(); ++i) EXPECT_EQ(parts.rejected[i].where, whole.rejected[i].where);
  }
}

// A fault is reported by the piece that it is in.
TEST_F(ArrowSourceTest, ReadsThePiecesBeforeDamage) {
  const std::string bytes = foreign("arrow_js.stream.arrow");
  const auto whole = read(bytes);
  const std::vector<std::filesystem::path> inputs{folder_.write("cut.arrow", bytes.substr(0, bytes.size() - 500))};
  const auto pieces = split_source(inputs, {}, bytes.size() / 3, {}, {});
  ASSERT_EQ(pieces.size(), 2U);
  const RejectSink ignore = [](const auto&, const auto&, auto) {};
  const auto articles = test::drain(*finish_documents(open_source_piece(inputs, pieces[0], {}, ignore, {}), ignore));
  ASSERT_FALSE(articles.empty());
  EXPECT_TRUE(std::equal(articles.begin(), articles.end(), whole.articles.begin()));
  EXPECT_THAT(test::thrown_by<FormatError>([&] {
                test::drain(*finish_documents(open_source_piece(inputs, pieces[1], {}, ignore, {}), ignore));
              }),
              HasSubstr("it ends early"));
}

TEST_F(ArrowSourceTest, RefusesColumnsWithoutText) {
  const std::string stream = foreign("arrow_js.stream.arrow");
  EXPECT_THAT(
      failure(stream, {.text_field = "body"}),
      AllOf(HasSubstr("x.arrow: no column \"body\": the file has \"id\", \"title\", \"text\", \"url\", \"meta\""),
            HasSubstr("`text_field`")));
  EXPECT_THAT(failure(stream, {.text_field = "id"}), HasSubstr("column \"id\" is not a string"));
  EXPECT_THAT(failure(stream, {.text_field = "meta"}), HasSubstr("column \"meta\" is a group"));
}

TEST_F(ArrowSourceTest, RefusesWhatEndsEarlyOrGoesOn) {
  for (const std::string name : {"arrow_js.stream.arrow", "polars.uncompressed.arrow"}) {
    const std::string bytes = foreign(name);
    for (const std::size_t size : {bytes.size() - 9, bytes.size() / 2, std::size_t{300}}) {
      EXPECT_THAT(failure(bytes.substr(0, size)), HasSubstr("it ends early")) << name << ' ' << size;
    }
  }
  const std::string stream = foreign("arrow_js.stream.arrow");
  EXPECT_THAT(failure(stream + stream), HasSubstr("can't be read: more follows after its end; get the file again"));
  EXPECT_EQ(read(stream.substr(0, stream.size() - 8)).articles, read(stream).articles) << "the end mark may be missing";
}

TEST_F(ArrowSourceTest, RefusesLiesAboutLengths) {
  const std::string stream = foreign("arrow_js.stream.arrow");
  const auto lie = [&](std::size_t place, const std::string& number) {
    std::string bytes = stream;
    return failure(bytes.replace(place, number.size(), number), {.format = InputFormat::kArrow});
  };
  EXPECT_THAT(lie(4, "\xFF\xFF\xFF\x7F"), HasSubstr("batch 0 can't be read: its metadata is said to have 2147483647"));
  EXPECT_THAT(lie(8, "\xFF\xFF\xFF\x7F"), HasSubstr("its metadata can't be read"));
  const std::string lz4 = foreign("polars.lz4.arrow");
  const std::size_t frame = lz4.find("\x04\x22\x4D\x18");
  ASSERT_NE(frame, std::string::npos);
  for (const char* length : {"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F", "\x01\0\0\0\0\0\0"}) {
    std::string bytes = lz4;
    bytes.replace(frame - 8, 8, length, 8);
    EXPECT_THAT(failure(bytes), testing::AnyOf(HasSubstr("a batch of 9223372036854775807 bytes is larger"),
                                               HasSubstr("can't be decompressed")));
  }
}

// Whatever a number says, the file is read or refused.
TEST_F(ArrowSourceTest, SurvivesAnyNumber) {
  Rejects rejects(false, [](const auto&, const auto&, auto) {});
  const OpenText open = arrow_reader({.text_field = "text,meta.body"}, {{}, ArticleLimit(1U << 20, rejects)});
  for (const std::string name : {"arrow_js.dictionary.arrow", "arrow_js.views.arrow", "polars.zstd.arrow"}) {
    const std::string bytes = foreign(name);
    std::size_t refused = 0;
    for (std::size_t place = 0; place + 4 <= bytes.size(); place += place < 3000 ? 4 : 52) {
      for (const char* number : {"\xFF\xFF\xFF\x7F", "\xFF\xFF\xFF\xFF", "\1\0\0\0"}) {
        std::string changed = bytes;
        changed.replace(place, 4, number, 4);
        const auto source = open({"x", std::make_unique<test::MemoryStream>(std::move(changed), 5000)});
        try {
          for (Document document; source->next(document);) continue;
        } catch (const FormatError&) {
          ++refused;
        }
      }
    }
    EXPECT_GT(refused, 100U) << name;
  }
}

}  // namespace
}  // namespace bertprep
