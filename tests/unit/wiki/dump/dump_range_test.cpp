#include "wiki/dump/dump_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <random>
#include <regex>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/task_runner.h"
#include "bertprep/base/error.h"
#include "stream/bzip2_scan.h"
#include "support/golden_data.h"
#include "support/sanitized.h"
#include "support/temp_folder.h"
#include "unit/stream/bzip2_file.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

using Log = std::vector<std::string>;

// What an error says about each damaged part of a dump, without guesses at the number of pages.
void add_error(Log& log, const FormatError& error) {
  static const std::regex kGuessOrFile(", some [0-9]+ by the size of those before|/[^ ]*/x[.][^ :]*:? ");
  const std::string text = std::regex_replace(std::string(error.what()), kGuessOrFile, "");
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find("; ", begin), text.size());
    log.push_back("error " + text.substr(begin, end - begin));
    begin = end + 2;
  }
}

// All results and reports of a reading, in order.
template <class MakeReader>
void read_into(Log& log, bool strict, const MakeReader& make_reader) {
  Rejects rejects(strict, [&](const auto& where, const auto& reason, auto record) {
    log.push_back("rejected " + where + ": " + reason + " [" + std::string(record) + "]");
  });
  const auto reader = make_reader(rejects);
  try {
    for (DumpPage page; reader->next(page);) {
      const WikiSite& site = *reader->site();
      log.push_back("page " + page.page.id + "|" + page.page.title + "|" + page.namespace_key + "|" +
                    page.page.revision_id + "|" + page.page.timestamp + "|" + std::to_string(page.byte) + "|" +
                    site.url_base + "|" + site.clock + "|" + site.dump + "|" + page.page.text);
    }
    DumpPage after;
    if (reader->next(after)) log.push_back("a page behind the end");
  } catch (const FormatError& error) {
    add_error(log, error);
  }
}

// Errors last, as parts report theirs one by one.
Log with_errors_last(Log log) {
  const auto errors =
      std::stable_partition(log.begin(), log.end(), [](const std::string& line) { return !line.starts_with("error"); });
  std::sort(errors, log.end());
  log.erase(std::unique(errors, log.end()), log.end());
  return log;
}

Log read_whole(const fs::path& file, bool strict = false, bool reads_elements = false) {
  Log log;
  read_into(log, strict, [&](Rejects& rejects) {
    auto reader = std::make_unique<DumpReader>(std::span(&file, 1), "", rejects, TaskRunner{});
    if (reads_elements) reader->read_elements();
    return reader;
  });
  return log;
}

Log read_cut(const fs::path& file, std::vector<std::uint64_t> cuts, std::uint64_t look_back_bytes,
             bool reads_elements = false) {
  Log log;
  cuts.push_back(fs::file_size(file));
  std::uint64_t begin = 0;
  for (const std::uint64_t end : cuts) {
    read_into(log, false, [&](Rejects& rejects) {
      return std::make_unique<DumpRangeReader>(DumpRange{file, begin, end, look_back_bytes, reads_elements}, "",
                                               rejects, TaskRunner{});
    });
    begin = end;
  }
  return log;
}

std::string first_difference(const Log& one, const Log& other) {
  const Log found = with_errors_last(one), wanted = with_errors_last(other);
  for (std::size_t i = 0; i < std::max(found.size(), wanted.size()); ++i) {
    const std::string a = i < found.size() ? found[i] : "nothing";
    const std::string b = i < wanted.size() ? wanted[i] : "nothing";
    if (a != b) return std::to_string(i) + ":\n  found  " + a.substr(0, 300) + "\n  wanted " + b.substr(0, 300);
  }
  return "";
}

const std::string kHead =
    "<mediawiki version=\"0.10\">\n  <siteinfo>\n    <base>https://xx.org/wiki/Main</base>\n  </siteinfo>\n";
const std::string kEnd = "</mediawiki>\n";

struct Page {
  std::string id;
  std::string text;
  std::string extra{};
  std::string namespace_key = "    <ns>0</ns>\n";
};

std::string xml_of(const Page& page) {
  return "  <page>\n    <title>T\xC3\xA4" + page.id + "</title>\n" + page.namespace_key + "    <id>" + page.id +
         "</id>\n" + page.extra + "    <revision>\n      <id>9" + page.id +
         "</id>\n      <timestamp>2019-03-04T05:06:07Z</timestamp>\n      <text>" + page.text +
         "</text>\n    </revision>\n  </page>\n";
}

std::string xml_of(std::span<const Page> pages) {
  std::string xml;
  for (const Page& page : pages) xml += xml_of(page);
  return xml;
}

const std::string kRedirect = "    <redirect title=\"X\" />\n";

// Pages with all data that the next may inherit.
std::vector<Page> odd_pages() {
  return {{"1", "first", kRedirect},
          {"2", "one\n&lt;page&gt;\nmore \xE2\x82\xAC"},
          {"3", "a template", "", "    <ns>10</ns>\n"},
          {"3", "the same id"},
          {"4", "of another space", kRedirect, "    <ns>14</ns>\n"},
          {"5", "without a space", "", ""},
          {"5", "again", kRedirect},
          {"5", "and again", "", "    <ns>14</ns>\n"},
          {"6", "takes over the space of a page that is left out", "", ""},
          {"7", "\n\n* a\n* b\n"},
          {"8", "a template", "", "    <ns>10</ns>\n"},
          {"8", "the same id, in a space of its own", "", "    <ns>14</ns>\n"},
          {"8", "and in that one", "", ""},
          {"9", "so, too", "", ""},
          {"17", "seven", "<page><title>one line</title></page>\n"},
          {"18", "eight"}};
}

struct Dump {
  const char* name;
  std::string xml;
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

std::vector<Dump> small_dumps() {
  const std::string pages = xml_of(odd_pages());
  const std::string one = xml_of(Page{"50", "fifty"});
  const std::string two = xml_of(Page{"51", "fifty-one"});
  const std::string three = xml_of(Page{"52", "fifty-two"});
  const std::string unclosed_text = replaced(one, "</text>", "");
  const std::string unclosed_page = replaced(two, "  </page>\n", "");
  std::vector<Page> redirects(20, {"60", "x", kRedirect});
  return {
      {"sound", kHead + pages + kEnd},
      {"crlf", replaced(kHead + pages + kEnd, "\n", "\r\n")},
      {"cr", replaced(kHead + pages + kEnd, "\n", "\r")},
      {"unclosed_text", kHead + one + unclosed_text + two + "stray\n<b>text</b>\n" + pages + kEnd},
      {"unclosed_page", kHead + one + unclosed_page + pages + unclosed_page + unclosed_page + one + kEnd},
      {"page_twice_closed", kHead + one + "  </page>\n" + two + "  <title>Stray</title>\n  </page>\n" + pages + kEnd},
      {"empty_texts", kHead + replaced(pages, "<text>the same id</text>", "<text />") + one +
                          replaced(two, "<text>fifty-one</text>", "<text bytes=\"0\" />") + three + kEnd},
      {"redirects", kHead + one + xml_of(redirects) + replaced(one, "    <ns>0</ns>\n", "") + two + kEnd},
      {"redirects_first", kHead + xml_of(redirects) + one + pages + kEnd},
      {"no_end", kHead + pages},
      {"early_end", kHead + one + kEnd + pages},
      {"two_dumps", kHead + one + kEnd + kHead + pages + kEnd},
      {"cut_in_page", kHead + pages + one.substr(0, one.size() - 30)},
      {"cut_in_last_line", kHead + pages + kEnd.substr(0, 5)},
      {"no_root", pages},
      {"root_later", one + kHead + pages + kEnd},
      {"no_siteinfo", "<mediawiki version=\"1\">\n" + pages + kEnd},
      {"unseen", "<mediawiki>\n" + pages + kEnd},
      {"no_page", kHead + std::string(50, '\n')},
      {"no_line_end", kHead + pages + "</mediawiki>"},
      {"much_behind_the_end", kHead + one + two + kEnd + std::string(400, '\n') + std::string(300, 'x')},
  };
}

constexpr std::uint64_t kStep = test::kSanitized ? 5 : 1;  // not all positions are tried

// Each dump, read by lines as the reference does, and by elements.
class SmallDumps : public testing::TestWithParam<std::tuple<Dump, bool>> {
 protected:
  static const Dump& dump() { return std::get<0>(GetParam()); }
  // By elements, a dump names its language.
  static std::string xml() {
    const char* const kLanguage = std::get<1>(GetParam()) ? "<mediawiki xml:lang=\"de\"" : "<mediawiki";
    return replaced(dump().xml, "<mediawiki", kLanguage);
  }
  static Log whole(const fs::path& file) { return read_whole(file, false, std::get<1>(GetParam())); }
  static Log cut(const fs::path& file, std::vector<std::uint64_t> cuts, std::uint64_t look_back_bytes) {
    return read_cut(file, std::move(cuts), look_back_bytes, std::get<1>(GetParam()));
  }

  test::TempFolder folder_;
};

// The plain twin of reading in pieces is a reading of the whole.
TEST_P(SmallDumps, GiveTheSameForAnySplit) {
  const fs::path file = folder_.write("x.xml", xml());
  const Log expected = whole(file);
  ASSERT_FALSE(expected.empty());
  const std::uint64_t step = (dump().name == std::string("sound") ? 1 : 3) * kStep;
  for (std::uint64_t at = 1; at < xml().size(); at += step)
    ASSERT_EQ(first_difference(cut(file, {at}, 1), expected), "") << at;
  for (std::uint64_t at = 1; at < xml().size(); at += 11 * kStep)
    ASSERT_EQ(first_difference(cut(file, {at}, 700), expected), "") << at;
}

TEST_P(SmallDumps, GiveTheSameInManyPieces) {
  const fs::path file = folder_.write("x.xml", xml());
  const Log expected = whole(file);
  for (const std::uint64_t piece_bytes : {7, 50, 333}) {
    std::vector<std::uint64_t> cuts;
    for (std::uint64_t at = piece_bytes; at < xml().size(); at += piece_bytes) cuts.push_back(at);
    ASSERT_EQ(first_difference(cut(file, cuts, 1), expected), "") << piece_bytes;
  }
}

// One stream per page, or one per line.
TEST_P(SmallDumps, GiveTheSameInManyStreamsOfBzip2) {
  for (const std::string& end : {std::string("</page>\n"), std::string("\n")}) {
    std::string packed;
    const std::string whole_xml = xml();
    std::string_view rest = whole_xml;
    while (!rest.empty()) {
      const std::size_t size = std::min(rest.find(end), rest.size() - 1);
      packed += test::bzip2_stream(rest.substr(0, std::min(size + end.size(), rest.size())), 1);
      rest.remove_prefix(std::min(size + end.size(), rest.size()));
    }
    const fs::path file = folder_.write("x.xml.bz2", packed);
    const Log expected = whole(file);
    const std::uint64_t step = std::max<std::uint64_t>(packed.size() / test::some_of(60), 1);
    for (std::uint64_t at = 1; at < packed.size(); at += step)
      ASSERT_EQ(first_difference(cut(file, {at}, 1), expected), "") << at;
  }
}

// Those that name their language in front of the first page: others are refused when they are read by elements.
std::vector<Dump> dumps_with_a_head() {
  std::vector<Dump> dumps = small_dumps();
  std::erase_if(dumps, [](const Dump& dump) { return !dump.xml.starts_with("<mediawiki"); });
  return dumps;
}

constexpr auto kNameOfDump = [](const auto& test) { return std::string(std::get<0>(test.param).name); };

INSTANTIATE_TEST_SUITE_P(ByLines, SmallDumps,
                         testing::Combine(testing::ValuesIn(small_dumps()), testing::Values(false)), kNameOfDump);
INSTANTIATE_TEST_SUITE_P(ByElements, SmallDumps,
                         testing::Combine(testing::ValuesIn(dumps_with_a_head()), testing::Values(true)), kNameOfDump);

// Text that bzip2 can't make much smaller, so that there are many blocks.
std::string big_dump(std::size_t bytes, bool has_repeated_ids = true) {
  std::minstd_rand random(7);
  std::string xml = kHead;
  for (int id = 1; xml.size() < bytes; ++id) {
    std::string text;
    for (std::size_t size = random() % 20'000; text.size() < size;)
      text += random() % 60 == 0 ? '\n' : static_cast<char>('A' + random() % 50);
    xml += xml_of(Page{std::to_string(has_repeated_ids ? id - id % 5 / 4 : id), text, id % 7 == 0 ? kRedirect : ""});
  }
  return xml + kEnd;
}

std::vector<Bzip2Mark> marks_of(std::string bytes) {
  const std::size_t size = bytes.size();
  bytes.append(kBzip2MarkReach, '\0');
  std::vector<Bzip2Mark> marks;
  find_bzip2_marks(bytes, 0, size, 0, marks);
  return marks;
}

class BigBzip2Dump : public testing::Test {
 protected:
  // Cuts around each mark, and some anywhere.
  void compare(const std::string& packed, const std::string& what) {
    const fs::path file = folder_.write("x.xml.bz2", packed);
    const Log whole = read_whole(file);
    std::vector<std::uint64_t> cuts;
    for (const Bzip2Mark& mark : marks_)
      for (const std::uint64_t near : {0, 1}) cuts.push_back(mark.bit / 8 + near);
    for (int i = 0; i < 2; ++i) cuts.push_back(1 + random_() % (packed.size() - 1));
    std::sort(cuts.begin(), cuts.end());
    std::erase_if(cuts, [&](std::uint64_t cut) { return cut >= packed.size(); });
    for (const std::uint64_t cut : cuts)
      ASSERT_EQ(first_difference(read_cut(file, {cut}, 1), whole), "") << what << ", cut at " << cut;
    ASSERT_EQ(first_difference(read_cut(file, cuts, 30'000), whole), "") << what << ", cut everywhere";
  }

  test::TempFolder folder_;
  std::string packed_ = test::bzip2_stream(big_dump(230'000), 1);
  std::vector<Bzip2Mark> marks_ = marks_of(packed_);
  std::minstd_rand random_{11};
};

TEST_F(BigBzip2Dump, GivesTheSameForAnySplit) {
  ASSERT_EQ(marks_.size(), 4U);
  compare(packed_, "sound");
}

TEST_F(BigBzip2Dump, GivesTheSameWhenBlocksAreDamaged) {
  std::string damaged = packed_;
  damaged[marks_[1].bit / 8 + 5000] ^= 4;
  compare(damaged, "a block");
  damaged[marks_[2].bit / 8 + 3] ^= 4;
  compare(damaged, "and the mark behind it");
  damaged = packed_;
  damaged[marks_[0].bit / 8 + 5000] ^= 4;
  compare(damaged, "the first block");
}

TEST_F(BigBzip2Dump, GivesTheSameWhenTruncated) {
  for (const std::size_t size : {marks_[2].bit / 8 + 3000, marks_.back().bit / 8 + 3})
    compare(packed_.substr(0, size), "cut short at " + std::to_string(size));
}

TEST_F(BigBzip2Dump, GivesTheSameWithOtherBytesAfterIt) {
  compare(packed_ + std::string(3000, 'x'), "bytes behind the end");
  compare(packed_ + std::string(3000, '\0'), "zeros behind the end");
}

TEST_F(BigBzip2Dump, StrictReadingStopsWhereTheDamageIs) {
  packed_ = test::bzip2_stream(big_dump(230'000, false), 1);
  marks_ = marks_of(packed_);
  packed_[marks_[2].bit / 8 + 5000] ^= 4;
  const fs::path file = folder_.write("x.xml.bz2", packed_);
  const auto read = [&](std::uint64_t begin, std::uint64_t end) {
    Log log;
    read_into(log, true, [&](Rejects& rejects) {
      return std::make_unique<DumpRangeReader>(DumpRange{file, begin, end}, "", rejects, TaskRunner{});
    });
    return log;
  };
  const std::uint64_t cut = marks_[2].bit / 8 + 100;
  EXPECT_EQ(read(0, cut), read_whole(file, true));
  for (const std::string& line : read(cut, packed_.size())) EXPECT_THAT(line, testing::StartsWith("page"));
}

// What this process has read from files so far.
std::uint64_t bytes_read() {
  std::ifstream file("/proc/self/io");
  std::string name;
  std::uint64_t bytes = 0;
  file >> name >> bytes;
  return bytes;
}

TEST(DumpRange, CostsItsOwnBytesAndSomeMore) {
  const test::TempFolder folder;
  const std::string xml = big_dump(8'000'000);
  for (const fs::path& file : {folder.write("x.xml", xml), folder.write("x.bz2", test::bzip2_stream(xml, 1))}) {
    const std::uint64_t size = fs::file_size(file);
    const std::uint64_t before = bytes_read();
    Log log;
    read_into(log, false, [&](Rejects& rejects) {
      return std::make_unique<DumpRangeReader>(DumpRange{file, size / 2, size / 2 + size / 8}, "", rejects,
                                               TaskRunner{});
    });
    EXPECT_GT(log.size(), 50U);
    EXPECT_LT(bytes_read() - before, size / 2) << file;
  }
}

class SharedDumps : public test::GoldenTest {};

TEST_F(SharedDumps, GiveTheSameForAnySplit) {
  std::minstd_rand random(5);
  std::size_t files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(shared() / "corpora" / "wikidump")) {
    const std::string name = entry.path().filename();
    if (!entry.is_regular_file() || (!name.ends_with(".xml") && !name.ends_with(".xml.bz2"))) continue;
    const Log whole = read_whole(entry.path());
    std::vector<std::uint64_t> cuts;
    for (int i = 0; i < 3; ++i) cuts.push_back(1 + random() % (fs::file_size(entry.path()) - 1));
    std::sort(cuts.begin(), cuts.end());
    for (const std::uint64_t look_back : {fs::file_size(entry.path()) / 30, std::uint64_t{1} << 20U})
      ASSERT_EQ(first_difference(read_cut(entry.path(), cuts, look_back), whole), "") << entry.path();
    ++files;
  }
  EXPECT_GT(files, 10U);
}

}  // namespace
}  // namespace bertprep
