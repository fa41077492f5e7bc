// One flipped bit anywhere in a dump: returned pages are undamaged, and missing ones are reported.
#include "wiki/dump/page_scanner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <regex>
#include <span>
#include <string>
#include <vector>

#include "base/task_runner.h"
#include "stream/bzip2_scan.h"
#include "support/sanitized.h"
#include "support/temp_folder.h"
#include "unit/stream/bzip2_file.h"
#include "wiki/dump/dump_reader.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

using testing::HasSubstr;

constexpr int kPages = 30;

struct Reading {
  std::vector<int> pages;  // their numbers; 0 for a changed one
  std::vector<std::string> rejected;
  std::string error;
  bool operator==(const Reading&) const = default;
};

std::string text_of_page(int number) {
  std::minstd_rand random(static_cast<unsigned>(number));
  std::string text;
  for (std::size_t size = 3000 + random() % 12000; text.size() < size;)
    text += random() % 60 == 0 ? '\n' : static_cast<char>('A' + random() % 50);
  return text;
}

std::string xml_of_page(int number, const std::string& text) {
  const std::string id = std::to_string(number);
  return "  <page>\n    <title>Page " + id + "</title>\n    <ns>0</ns>\n    <id>" + id +
         "</id>\n    <revision>\n      <id>9" + id + "</id>\n      <text>" + text +
         "</text>\n    </revision>\n  </page>\n";
}

const std::string kDamagedHead =
    "<mediawiki version=\"0.10\">\n  <siteinfo>\n    <base>https://xx.org/wiki/Main</base>\n  </siteinfo>\n";
const std::string kDamagedEnd = "</mediawiki>\n";

template <class Reader>
void read_damaged(Reading& reading, Reader& reader) {
  try {
    for (DumpPage page; reader.next(page);) {
      const int number = std::atoi(page.page.id.c_str());
      const bool is_valid = page.page.title == "Page " + page.page.id && page.page.text == text_of_page(number) &&
                            reader.site()->url_base == "https://xx.org/wiki";
      reading.pages.push_back(is_valid ? number : 0);
    }
  } catch (const FormatError& error) {
    reading.error += error.what();
  }
}

class DamagedDump : public testing::Test {
 protected:
  Reading read(const std::string& bytes) {
    const fs::path file = folder_.write("x.xml.bz2", bytes);
    Reading reading;
    Rejects rejects(false, [&](const auto& where, const auto&, auto) { reading.rejected.push_back(where); });
    DumpReader reader(std::span(&file, 1), "", rejects, TaskRunner{});
    read_damaged(reading, reader);
    return reading;
  }

  // The same file in four parts, as read by the tasks of an array.
  Reading read_in_parts(const std::string& bytes) {
    const fs::path file = folder_.write("x.xml.bz2", bytes);
    Reading reading;
    Rejects rejects(false, [&](const auto& where, const auto&, auto) { reading.rejected.push_back(where); });
    for (std::uint64_t part = 0; part < 4; ++part) {
      const DumpRange range{file, bytes.size() * part / 4, bytes.size() * (part + 1) / 4, 1000};
      DumpRangeReader reader(range, "", rejects, TaskRunner{});
      read_damaged(reading, reader);
    }
    return reading;
  }

  // The flipped byte and the missing pages are in the parts reported as lost.
  static void expect_told(const Reading& reading, std::size_t byte, const std::string& what) {
    ASSERT_THAT(reading.pages, testing::Not(testing::Contains(0))) << what;
    ASSERT_TRUE(std::is_sorted(reading.pages.begin(), reading.pages.end())) << what;
    static const std::regex kLost("bytes ([0-9]+) to ([0-9]+) are damaged: at least ([0-9]+) page");
    std::smatch lost;
    if (!std::regex_search(reading.error, lost, kLost)) {
      const auto says = [&](const char* words) { return reading.error.find(words) != std::string::npos; };
      const bool is_no_dump = byte < 10 && says("it is not bzip2");
      const bool is_told = is_no_dump || says("ends within") || says("the head of the dump is damaged");
      ASSERT_TRUE(is_told || reading.pages.size() == kPages) << what << ": " << reading.error;
      return;
    }
    const std::size_t missing = kPages - reading.pages.size();
    ASSERT_GE(missing, std::stoul(lost[3])) << what << ": " << reading.error;
    ASSERT_LE(std::stoul(lost[1]), byte) << what;
    ASSERT_GE(std::stoul(lost[2]) + 1, byte) << what;
    int first = 1;
    while (first <= kPages && std::count(reading.pages.begin(), reading.pages.end(), first) != 0) ++first;
    if (first > 1) {
      ASSERT_THAT(reading.error, HasSubstr("'Page " + std::to_string(first - 1) + "' (id ")) << what;
    }
    const int behind = first + static_cast<int>(missing);
    if (behind <= kPages) {
      ASSERT_THAT(reading.error, HasSubstr("'Page " + std::to_string(behind) + "'")) << what;
    }
  }

  static constexpr std::size_t kStepNearMarks = test::kSanitized ? 5 : 2;

  // A bit of every `step`th byte, and of many bytes around the marks.
  void flip(const std::string& valid, std::size_t step) {
    std::string padded = valid + std::string(kBzip2MarkReach, '\0');
    std::vector<Bzip2Mark> marks;
    find_bzip2_marks(padded, 0, valid.size(), 0, marks);
    std::size_t errors = 0;
    for (std::size_t byte = 4; byte < valid.size(); ++byte) {
      const bool is_near = std::any_of(marks.begin(), marks.end(), [&](const Bzip2Mark& mark) {
        return byte + 4 >= mark.bit / 8 && byte <= mark.bit / 8 + 11 && byte % kStepNearMarks == 0;
      });
      if (byte % step != 0 && !is_near) continue;
      std::string damaged = valid;
      damaged[byte] = static_cast<char>(damaged[byte] ^ 1 << byte % 8);
      const std::string what = "byte " + std::to_string(byte) + " of " + std::to_string(valid.size());
      const Reading whole = read(damaged);
      ASSERT_NO_FATAL_FAILURE(expect_told(whole, byte, what));
      errors += whole.error.empty() ? 0 : 1;
      // Such dumps are not divided.
      if (whole.error.find("checksum") != std::string::npos) continue;
      if (whole.error.find("it is not bzip2") != std::string::npos) continue;
      const Reading parts = read_in_parts(damaged);
      ASSERT_EQ(parts.pages, whole.pages) << what;
      ASSERT_EQ(parts.rejected, whole.rejected) << what;
      ASSERT_EQ(parts.error.empty(), whole.error.empty()) << what << ": " << whole.error << parts.error;
    }
    EXPECT_GT(errors, test::some_of(20));
  }

  test::TempFolder folder_;
};

TEST_F(DamagedDump, OfOneStreamTellsWhatIsLost) {
  std::string xml = kDamagedHead;
  for (int i = 1; i <= kPages; ++i) xml += xml_of_page(i, text_of_page(i));
  const std::string valid = test::bzip2_stream(xml + kDamagedEnd, 1);
  EXPECT_EQ(read(valid).pages.size(), kPages);
  EXPECT_EQ(read(valid).error, "");
  flip(valid, 9973);
}

TEST_F(DamagedDump, OfManyStreamsTellsWhatIsLost) {
  std::string valid = test::bzip2_stream(kDamagedHead, 1);
  for (int i = 1; i <= kPages; i += 15) {
    std::string xml;
    for (int k = i; k < i + 15; ++k) xml += xml_of_page(k, text_of_page(k));
    valid += test::bzip2_stream(xml, 1);
  }
  valid += test::bzip2_stream(kDamagedEnd, 1);
  EXPECT_EQ(read(valid).pages.size(), kPages);
  EXPECT_EQ(read(valid).error, "");
  flip(valid, 9973);
}

// A flipped bit of text can't be detected in uncompressed XML. It never silently costs another page.
TEST_F(DamagedDump, OfPlainXmlCostsNoOtherPage) {
  std::string valid = kDamagedHead;
  for (int i = 1; i <= 3; ++i) valid += xml_of_page(i, "the text");
  valid += kDamagedEnd;
  std::size_t errors = 0;
  for (std::size_t byte = valid.find("<page>"); byte < valid.size(); ++byte) {
    for (const int bit : {0, 4}) {
      std::string damaged = valid;
      damaged[byte] = static_cast<char>(damaged[byte] ^ 1 << bit);
      const fs::path file = folder_.write("x.xml", damaged);
      std::vector<std::string> told;
      Rejects rejects(false, [&](const auto& where, const auto&, auto) { told.push_back(where); });
      DumpReader reader(std::span(&file, 1), "", rejects, TaskRunner{});
      int valid_pages = 0;
      try {
        for (DumpPage page; reader.next(page);) {
          valid_pages += page.page.text == "the text" && page.page.title == "Page " + page.page.id ? 1 : 0;
        }
      } catch (const FormatError&) {
        ++errors;
        continue;
      }
      EXPECT_GE(valid_pages + static_cast<int>(told.size()), 2) << byte << ": " << damaged.substr(byte, 20);
    }
  }
  EXPECT_GT(errors, 50U);
}

TEST(DumpDamage, TellsTheFirstPartsAndCountsTheOthers) {
  std::vector<DumpDamage> damage(7);
  damage[0].bytes = {10, 20};
  damage[0].pages = 2;
  damage[0].likely_pages = 9;
  damage[0].before = "'A' (id 1)";
  damage[0].after = "'B'";
  damage[1].fault = "the page 'C' has no end";
  EXPECT_STREQ(damage_error("x.xml", std::span(damage).first(2), "and cut").what(),
               "x.xml: bytes 10 to 20 are damaged: at least 2 pages are lost, some 9 by the size of those before, "
               "between 'A' (id 1) and 'B'; the page 'C' has no end; and cut; get the file again");
  EXPECT_THAT(damage_error("x.xml", damage, "").what(), HasSubstr("; and there are 2 more; get the file again"));
}

}  // namespace
}  // namespace bertprep
