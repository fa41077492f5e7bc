#include "pipeline/stages/corpus_pieces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "support/packed.h"
#include "support/piece_reading.h"
#include "support/temp_folder.h"
#include "unit/stream/bzip2_file.h"

namespace bertprep {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

CorpusPart part_of(std::vector<std::filesystem::path> inputs, const std::string& format) {
  CorpusPart part{std::move(inputs)};
  part.source.format = input_format(format);
  return part;
}

TEST(CorpusPieces, SmallFilesAreReadTogetherButNeverOfTwoInputs) {
  const test::TempFolder folder;
  for (const char* name : {"a/1.txt", "a/2.txt", "a/3.txt", "b/1.txt", "b/2.txt"})
    folder.write(name, std::string(100, name[0]) + "\n");
  const std::vector<CorpusPart> parts{part_of({folder / "a", folder / "b"}, "books")};
  const auto pieces = split_into_pieces(parts, 250, {});
  ASSERT_THAT(pieces, SizeIs(3));
  EXPECT_THAT(pieces[0].input.files, SizeIs(2));
  EXPECT_EQ(pieces[0].input.bytes, 202U);
  EXPECT_EQ(pieces[2].input.input, 1U);
  EXPECT_EQ(test::read_pieces(parts, pieces), test::read_corpus(parts));
}

TEST(CorpusPieces, ATinyLastPieceJoinsThePrevious) {
  const test::TempFolder folder;
  folder.write("1", std::string(900, 'x'));
  folder.write("2", std::string(200, 'x'));
  folder.write("3", std::string(10, 'x'));
  const std::vector<CorpusPart> parts{part_of({folder.path()}, "articles")};
  EXPECT_THAT(split_into_pieces(parts, 1000, {}), SizeIs(2));
  EXPECT_THAT(split_into_pieces(parts, 205, {}).back().input.files, SizeIs(2));
}

// Lines of 64 bytes begin at marks, those of 1,000 bytes don't.
TEST(CorpusPieces, MarksChangeNoLineNumber) {
  constexpr std::size_t kMiB = std::size_t{1} << 20U;
  const test::TempFolder folder;
  for (const std::size_t length : {64, 1000}) {
    std::string text;
    while (text.size() < 4 * kMiB + 300'000) text += std::string(length - 1, 'x') + "\n";
    const auto file = folder.write("f", text);
    LineMarks marks;
    marks.begin_file(file);
    for (std::size_t at = 0; at < text.size(); at += 300'001) marks.see(at, std::string_view(text).substr(at, 300'001));
    for (const std::string format : {"articles", "sentences"}) {
      const std::vector<CorpusPart> parts{part_of({file}, format)};
      for (const std::size_t piece_bytes : {100'000, 777'777, 1'048'576, 2'097'152, 3'000'000}) {
        const auto pieces = split_into_pieces(parts, piece_bytes, {}, marks);
        EXPECT_EQ(pieces, split_into_pieces(parts, piece_bytes, {})) << length << ' ' << format << ' ' << piece_bytes;
        for (const CorpusPiece& piece : pieces) EXPECT_EQ(piece.input.first_line, 1 + piece.input.begin / length);
      }
    }
  }
}

struct LineFile {
  const char* format;
  std::string bytes;
};

class LinePieces : public testing::TestWithParam<LineFile> {};

// Lines are short, so that every position of the file is a boundary of some split.
TEST_P(LinePieces, EqualTheWholeFile) {
  const test::TempFolder folder;
  const std::vector<CorpusPart> parts{part_of({folder.write("f", GetParam().bytes)}, GetParam().format)};
  const test::PieceReading whole = test::read_corpus(parts);
  std::size_t max_pieces = 0;
  for (std::uint64_t piece_bytes = 1; piece_bytes <= GetParam().bytes.size(); ++piece_bytes) {
    const auto pieces = split_into_pieces(parts, piece_bytes, {});
    max_pieces = std::max(max_pieces, pieces.size());
    std::uint64_t end = 0;
    for (const CorpusPiece& piece : pieces) {
      if (!piece.input.is_range()) continue;
      EXPECT_EQ(piece.input.begin, end);
      end = piece.input.end;
      EXPECT_EQ(piece.input.bytes, end - piece.input.begin);
      EXPECT_GT(piece.input.bytes, 0U);
    }
    ASSERT_EQ(test::read_pieces(parts, pieces), whole) << piece_bytes;
  }
  EXPECT_GE(max_pieces, 4U);
}

INSTANTIATE_TEST_SUITE_P(
    Formats, LinePieces,
    testing::Values(
        LineFile{"articles", "one\n\ntwo \xC3\xA9\n three\r\nfour\n\n\nfive\rmore\nlast"},
        LineFile{"articles", "\n\n\n\none\ntwo\nthree\nfour\nfive\n"},
        LineFile{
            "jsonl",
            "{\"text\":\"a\"}\n\n{\"text\":\"b\", \"title\":\"B\"}\nbad\n \n{\"text\":\"\xC3\xA9\"}\n[\n{\"t\":1}\n"},
        LineFile{"jsonl",
                 "\xEF\xBB\xBF\n\r\n\n{\"text\":\"a\"}\n[\n{\"text\":\"b\"}\n{\"text\":\"c\"}\n{\"text\":\"d\"}"},
        LineFile{
            "csv",
            "text,id\r\na,1\n\n\"b\nc\",2\nbad\n\"open,3\n\"d\"\"\ne\",4\n\"f\"g,5\nh,6\n\xC3\xA9,7\n\"i\n\n\nj\",8"},
        LineFile{"tsv", "\xEF\xBB\xBFid\ttext\n1\ta\n2\t\"b\n3\tc\n4\td\n5\te\n\n\"6\n\"\tf\n7\tg\n"},
        LineFile{"sentences", "a\nb\n\nc\n\n\nd\r\ne\r\n\r\nf\n \t\ng\n\xC2\xA0\nh\ri\n\n\rj\r\rk\n\nl"},
        LineFile{"sentences", "\n\n\na\n\nb\n\nc\n\nd\n\ne\n\n"}),
    [](const auto& test) { return test.param.format + std::to_string(test.index); });

TEST(CorpusPieces, LinesThatAreNotUtf8AreNamedWithTheirPlaceInTheFile) {
  const test::TempFolder folder;
  const std::vector<CorpusPart> parts{part_of({folder.write("f", "one\ntwo\nthree\nb\xFF\nfour\n")}, "articles")};
  const auto pieces = split_into_pieces(parts, 4, {});
  EXPECT_GT(pieces.size(), 3U);
  EXPECT_EQ(test::read_pieces(parts, pieces).error, test::read_corpus(parts).error);
}

TEST(CorpusPieces, ALongLineIsNotTruncated) {
  const test::TempFolder folder;
  const std::vector<CorpusPart> parts{part_of({folder.write("f", std::string(1000, 'x'))}, "articles")};
  EXPECT_THAT(split_into_pieces(parts, 10, {}), SizeIs(1));
}

TEST(CorpusPieces, CompressedFilesArchivesAndOtherFormatsAreNotSplit) {
  const test::TempFolder folder;
  std::string lines;
  for (int i = 0; i < 1000; ++i) lines += "line " + std::to_string(i * 7919) + "\n\n";
  std::vector<std::filesystem::path> files;
  for (const char* filter : {"gzip", "bzip2", "zstd", "xz"})
    files.push_back(folder.write(filter, test::compress(filter, lines)));
  const std::vector<test::PackedMember> members{{"m.txt", lines}};
  for (const char* archive : {"ustar", "zip"})
    files.push_back(folder.write(archive, test::pack("none", archive, members)));
  for (const char* format : {"articles", "sentences"}) {
    const std::vector<CorpusPart> parts{part_of(files, format)};
    const auto pieces = split_into_pieces(parts, 100, {});
    EXPECT_THAT(pieces, SizeIs(6));
    EXPECT_EQ(test::read_pieces(parts, pieces), test::read_corpus(parts));
  }
  const auto plain = folder.write("p", lines);
  for (const char* format : {"books", "wikitext", "wikiextractor"}) {
    const std::vector<CorpusPart> parts{part_of({plain}, format)};
    EXPECT_THAT(split_into_pieces(parts, 100, {}), SizeIs(1));
  }
}

// Templates, a separate wiki for each dump, and a page with the id of the previous one.
std::string dump_of(const std::string& wiki, int pages) {
  std::string xml =
      "<mediawiki version=\"0.10\">\n<siteinfo>\n<base>https://" + wiki + ".org/wiki/Main</base>\n</siteinfo>\n";
  for (int id = 1; id <= pages; ++id) {
    const bool is_template = id % 10 == 0;
    xml += "<page>\n<title>" + std::string(is_template ? "Template:T" : "P") + std::to_string(id) + "</title>\n<ns>" +
           (is_template ? "10" : "0") + "</ns>\n<id>" + std::to_string(id - id % 9 / 8) +
           "</id>\n<revision>\n<id>7</id>\n<timestamp>20" + std::to_string(10 + id % 80) +
           "-01-02T03:04:05Z</timestamp>\n<text>In {{CURRENTYEAR}} {{T10}} " + std::to_string(id * 31) +
           ".</text>\n</revision>\n</page>\n";
  }
  return xml + "</mediawiki>\n";
}

TEST(CorpusPieces, DumpsAreSplitAndTheirTemplatesKnown) {
  const test::TempFolder folder;
  folder.write("d/a-pages.xml", dump_of("aa", 200));
  folder.write("d/b.xml.bz2", test::compress("bzip2", dump_of("bb", 100)) + test::compress("bzip2", "<!-- -->\n"));
  folder.write("d/c-multistream-index.txt", "no dump");
  folder.write("d/e.xml.gz", test::compress("gzip", dump_of("ee", 30)));
  folder.write("d/f.xml", dump_of("ff", 3));
  folder.write("d/g.xml", dump_of("gg", 3));
  std::vector<CorpusPart> parts{part_of({folder / "d"}, "mediawiki"),
                                part_of({folder.write("x", "text\n")}, "articles")};
  parts[0].wiki.templates = folder / "templates";
  const auto pieces = split_into_pieces(parts, 1500, {});
  EXPECT_TRUE(std::filesystem::exists(folder / "templates"));
  EXPECT_GT(pieces.size(), 20U);
  EXPECT_EQ(pieces.back().part, 1U);
  const test::PieceReading whole = test::read_corpus(parts);
  EXPECT_GT(whole.rejections.size(), 30U);
  EXPECT_THAT(whole.documents.at(3), HasSubstr("In 2011"));
  EXPECT_EQ(test::read_pieces(parts, pieces), whole);
  require_articles(parts, pieces, test::count_documents(parts, pieces));
}

TEST(CorpusPieces, DumpsThatCantBeReadInPartsAreNotSplit) {
  const test::TempFolder folder;
  const std::string xml = dump_of("aa", 60);
  std::string utf16 = "\xFF\xFE";
  for (const char c : xml) utf16.append({c, '\0'});
  std::string wrong_sum = test::bzip2_stream(xml, 1);
  wrong_sum[wrong_sum.size() - 3] ^= 1;
  const std::vector<test::PackedMember> members{{"a.xml", xml}};
  for (const std::string& bytes :
       {utf16, wrong_sum, test::compress("bzip2", utf16), test::pack("bzip2", "ustar", members),
        test::compress("xz", xml), xml.substr(xml.find("<page>")),
        std::string("<mediawiki>\n") + xml.substr(xml.find("<page>"))}) {
    const std::vector<CorpusPart> parts{part_of({folder.write("x", bytes)}, "mediawiki")};
    const auto pieces = split_into_pieces(parts, 100, {});
    EXPECT_THAT(pieces, SizeIs(1)) << bytes.substr(0, 100);
    EXPECT_EQ(test::read_pieces(parts, pieces), test::read_corpus(parts));
  }
  std::string damaged = test::bzip2_stream(xml, 1);
  damaged[6] ^= 1;
  EXPECT_THAT(split_into_pieces(std::vector<CorpusPart>{part_of({folder.write("y", damaged)}, "mediawiki")}, 100, {}),
              SizeIs(1));
}

// With a lost block, the checksum of its stream is not compared, so a part can be read like the whole.
TEST(CorpusPieces, ADamagedDumpIsStillSplit) {
  const test::TempFolder folder;
  std::string packed;
  for (int i = 0; i < 4; ++i) packed += test::bzip2_stream(dump_of("aa", 60), 1);
  packed[packed.size() / 2 + 300] ^= 16;
  const std::vector<CorpusPart> parts{part_of({folder.write("x", packed)}, "mediawiki")};
  const auto pieces = split_into_pieces(parts, 500, {});
  EXPECT_GT(pieces.size(), 3U);
  const test::PieceReading whole = test::read_corpus(parts);
  EXPECT_FALSE(whole.rejections.empty());
  EXPECT_EQ(test::read_pieces(parts, pieces), whole);
}

TEST(CorpusPieces, AnInputWithoutAnArticleIsNamed) {
  const test::TempFolder folder;
  const std::vector<CorpusPart> parts{
      part_of({folder.write("a", "x\n"), folder.write("b", "\n\n"), folder.write("c", "y\n")}, "articles")};
  const auto pieces = split_into_pieces(parts, 1, {});
  require_articles(parts, pieces, std::vector<std::uint64_t>(pieces.size(), 1));
  try {
    const auto counts = test::count_documents(parts, pieces);
    require_articles(parts, pieces, counts);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const FormatError& error) {
    EXPECT_EQ(error.what(), test::read_corpus(parts).error);
    EXPECT_THAT(error.what(), HasSubstr("/b: there is not a single article"));
  }
}

}  // namespace
}  // namespace bertprep
