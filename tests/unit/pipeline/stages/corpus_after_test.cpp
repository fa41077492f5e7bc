// open_corpus_after(): whatever was read before, the rest is the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "support/packed.h"
#include "support/piece_reading.h"
#include "support/temp_folder.h"
#include "unit/stream/bzip2_file.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;
using test::PieceReading;
using test::TempFolder;

CorpusPart part_after(std::vector<fs::path> inputs, const std::string& format) {
  CorpusPart part{std::move(inputs)};
  part.source.format = input_format(format);
  return part;
}

// Reads `documents`, then the rest anew; nothing where that can't be.
std::optional<PieceReading> read_in_two(std::span<const CorpusPart> parts, std::uint64_t documents) {
  PieceReading reading;
  std::optional<ReadPlace> place;
  {
    const auto source = open_corpus(parts, test::sink_of(reading), {});
    for (SourceDocument document; reading.count < documents && source->read(document);)
      test::take(document, reading, true);
    place = source->place();
  }
  if (!place) return std::nullopt;
  test::take_all(*open_corpus_after(parts, *place, test::sink_of(reading), {}), reading, true);
  return reading;
}

void expect_the_same_after_any_document(std::span<const CorpusPart> parts) {
  const PieceReading whole = test::read_corpus(parts);
  EXPECT_GT(whole.count, 2U);
  for (std::uint64_t documents = 1; documents <= whole.count; ++documents) {
    ASSERT_EQ(read_in_two(parts, documents), whole) << "after " << documents;
  }
}

struct Lines {
  const char* format;
  std::string bytes;
};

class CorpusAfter : public testing::TestWithParam<Lines> {};

TEST_P(CorpusAfter, GoesOnWithinAFileWhateverItsCompression) {
  const TempFolder folder;
  for (const char* filter : {"none", "gzip", "zstd"}) {
    SCOPED_TRACE(filter);
    const std::string bytes =
        filter == std::string("none") ? GetParam().bytes : test::compress(filter, GetParam().bytes);
    const std::vector<CorpusPart> parts{
        part_after({folder.write("f", bytes), folder.write("g", bytes)}, GetParam().format)};
    expect_the_same_after_any_document(parts);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Formats, CorpusAfter,
    testing::Values(
        Lines{"articles", "one\n\ntwo \xC3\xA9\n three\r\nfour\n\n\nfive\rmore\nlast"},
        Lines{"jsonl",
              "{\"text\":\"a\"}\n\n{\"text\":\"b\", \"title\":\"B\"}\nbad\n \n{\"text\":\"\xC3\xA9\"}\n[\n{\"t\":1}\n"},
        Lines{"jsonl", "[{\"text\":\"a\"},\n{\"text\":\"b\"}, {\"text\":\"c\"},\n\n{\"text\":\"d\"}]"},
        Lines{"csv",
              "text,id\r\na,1\n\n\"b\nc\",2\nbad\n\"open,3\n\"d\"\"\ne\",4\n\"f\"g,5\nh,6\n\xC3\xA9,7\n\"i\n\n\nj\",8"},
        Lines{"tsv", "\xEF\xBB\xBFid\ttext\n1\ta\n2\t\"b\n3\tc\n4\td\n5\te\n\n\"6\n\"\tf\n7\tg\n"},
        Lines{"sentences", "a\nb\n\nc\n\n\nd\r\ne\r\n\r\nf\n \t\ng\n\xC2\xA0\nh\ri\n\n\rj\r\rk\n\nl"},
        Lines{"wikitext", " = AA = \n \n one\n \n = BB = \n \n two\n \n = CC = \n \n three\n"}),
    [](const auto& test) { return std::string(test.param.format) + std::to_string(test.index); });

TEST(CorpusAfterFiles, GoesOnBetweenInputsPartsAndMembersOfArchives) {
  const TempFolder folder;
  for (const char* name : {"a/1.txt", "a/2.txt", "a/3.txt", "b/1.txt", "b/2.txt"}) {
    folder.write(name, std::string(100, name[0]) + name + "\n");
  }
  const std::vector<test::PackedMember> members{{"m.txt", "one\ntwo\n"}, {"n.txt", "three\nfour\n"}};
  folder.write("z/x.tar.gz", test::pack("gzip", "ustar", members));
  folder.write("z/y.txt", "five\nsix\n");
  const std::vector<CorpusPart> parts{part_after({folder / "a", folder / "b"}, "books"),
                                      part_after({folder / "z"}, "articles"),
                                      part_after({folder.write("j", "{\"text\":\"j\"}\n{\"text\":\"k\"}\n")}, "jsonl")};
  expect_the_same_after_any_document(parts);
}

// Redirects, other namespaces, and pages with the id of the previous one, which are rejected.
std::string dump_after(const std::string& wiki, int pages) {
  std::string xml =
      "<mediawiki version=\"0.10\">\n<siteinfo>\n<base>https://" + wiki + ".org/wiki/Main</base>\n</siteinfo>\n";
  for (int id = 1; id <= pages; ++id) {
    const bool is_template = id % 10 == 0;
    xml += "<page>\n<title>" + std::string(is_template ? "Template:T" : "P") + std::to_string(id) + "</title>\n<ns>" +
           (is_template ? "10" : "0") + "</ns>\n<id>" + std::to_string(id - id % 9 / 8) + "</id>\n" +
           (id % 7 == 3 ? "<redirect title=\"X\" />\n" : "") +
           "<revision>\n<id>7</id>\n<timestamp>2010-01-02T03:04:05Z</timestamp>\n<text>In {{CURRENTYEAR}} " +
           std::to_string(id * 31) + ".</text>\n</revision>\n</page>\n";
  }
  return xml + "</mediawiki>\n";
}

TEST(CorpusAfterFiles, GoesOnWithinDumps) {
  const TempFolder folder;
  const std::string xml = dump_after("aa", 60);
  std::string streams;
  for (int i = 0; i < 3; ++i) streams += test::bzip2_stream(dump_after("bb", 20), 1);
  std::string wrong_sum = test::bzip2_stream(xml, 1);
  wrong_sum[wrong_sum.size() - 3] ^= 1;
  folder.write("d/a.xml", xml);
  folder.write("d/b.xml.bz2", streams);
  folder.write("d/c.xml.gz", test::compress("gzip", dump_after("cc", 15)));
  folder.write("d/e.xml.bz2", wrong_sum);
  folder.write("d/f.xml", xml.substr(0, xml.size() / 2));  // truncated
  folder.write("d/g.xml", dump_after("gg", 12));
  const std::vector<CorpusPart> parts{part_after({folder / "d"}, "mediawiki"),
                                      part_after({folder.write("x", "text\nmore\n")}, "articles")};
  const PieceReading whole = test::read_corpus(parts);
  EXPECT_FALSE(whole.error.empty());
  const auto first_after_fault = std::ranges::find_if(
      whole.documents, [](const std::string& document) { return document.find("|f.xml|") != std::string::npos; });
  const auto sound_documents = static_cast<std::uint64_t>(first_after_fault - whole.documents.begin());
  for (std::uint64_t documents = 1; documents <= whole.count; documents += 3) {
    const auto read = read_in_two(parts, documents);
    ASSERT_EQ(read.has_value(), documents <= sound_documents) << documents;
    if (!read) continue;
    const PieceReading& two = *read;
    for (std::size_t i = 0; i < std::min(two.documents.size(), whole.documents.size()); ++i) {
      ASSERT_EQ(two.documents[i], whole.documents[i]) << documents;
    }
    ASSERT_EQ(two.documents.size(), whole.documents.size()) << documents;
    ASSERT_FALSE(two.error.empty()) << documents;
  }
  const std::vector<CorpusPart> sound{
      part_after({folder / "d/a.xml", folder / "d/b.xml.bz2", folder / "d/c.xml.gz"}, "mediawiki")};
  expect_the_same_after_any_document(sound);
}

// What is entered is not read from its start.
TEST(CorpusAfterFiles, EntersAFileWhereItCanBeCut) {
  const TempFolder folder;
  std::string lines;
  for (int i = 0; i < 1000; ++i) lines += "{\"text\": \"" + std::to_string(i) + "\"}\n";
  const std::vector<CorpusPart> parts{part_after({folder.write("f", lines)}, "jsonl")};
  ReadPlace place;
  {
    const auto source = open_corpus(parts, {}, {});
    Document document;
    for (int i = 0; i < 900; ++i) ASSERT_TRUE(source->next(document));
    place = source->place().value();
  }
  EXPECT_EQ(place.documents, 900U);
  EXPECT_EQ(place.documents_from_byte, 1U);
  EXPECT_EQ(lines.substr(place.byte, 14), "{\"text\": \"899\"");
}

TEST(CorpusAfterFiles, AFileWithFewerRecordsIsAnError) {
  const TempFolder folder;
  const std::vector<CorpusPart> parts{part_after({folder.write("f", "one\ntwo\n")}, "articles")};
  PieceReading reading;
  test::take_all(*open_corpus_after(parts, {.documents = 3}, test::sink_of(reading), {}), reading, false);
  EXPECT_THAT(reading.error, testing::HasSubstr("has fewer records"));
}

}  // namespace
}  // namespace bertprep
