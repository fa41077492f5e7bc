#include "quality/doctor/parquet_traps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bertprep/base/error.h"
#include "quality/doctor/doctor.h"
#include "support/temp_folder.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;

// FileMetaData: version 1, a schema of two elements (a name; a name, a number and a nested struct), then the rows.
std::string metadata_of(std::uint64_t rows) {
  std::string bytes(
      "\x15\x02"            // field 1, i32: 1
      "\x19\x2c"            // field 2, a list of two structs
      "\x48\x06schema\x00"  // field 4, text
      "\x15\x0c\x38\x01"    // field 1, i32: 6; field 4, text of one byte
      "A\x5c\x11\x00\x00"   // field 9, a struct with a Boolean
      "\x16",               // field 3, i64
      23);
  for (std::uint64_t zigzag = rows * 2;; zigzag >>= 7U) {
    bytes += static_cast<char>((zigzag & 0x7fU) | (zigzag >= 0x80U ? 0x80U : 0U));
    if (zigzag < 0x80U) return bytes + '\0';
  }
}

std::string parquet_of(std::uint64_t rows) {
  const std::string metadata = metadata_of(rows);
  return "PAR1" + metadata + static_cast<char>(metadata.size()) + std::string(3, '\0') + "PAR1";
}

TEST(ParquetRowsTest, ReadsTheNumberOfRows) {
  for (const std::uint64_t rows : {0ULL, 63ULL, 64ULL, 5000000000ULL}) {
    EXPECT_EQ(rows_of_parquet_metadata(metadata_of(rows), "x"), rows);
    const TempFolder folder;
    EXPECT_EQ(parquet_rows(folder.write("a.parquet", parquet_of(rows))), rows);
  }
}

TEST(ParquetRowsTest, RefusesTruncatedOrChangedFiles) {
  const std::string valid = metadata_of(300);
  for (std::size_t size = 0; size + 1 < valid.size(); ++size) {
    EXPECT_THROW(rows_of_parquet_metadata(valid.substr(0, size), "x"), FormatError) << size;
  }
  for (std::size_t at = 0; at < valid.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = valid;
      changed[at] = static_cast<char>(changed[at] ^ (1 << bit));
      try {
        rows_of_parquet_metadata(changed, "x");
      } catch (const FormatError&) {
        continue;
      }
    }
  }
  const TempFolder folder;
  EXPECT_THROW(parquet_rows(folder.write("a.parquet", "PAR1")), FormatError);
  EXPECT_THROW(parquet_rows(folder.write("b.parquet", parquet_of(3) + "x")), FormatError);
}

class ParquetTrapsTest : public testing::Test {
 protected:
  std::string found(const DoctorOptions& options = {}) {
    Progress progress;
    std::string text;
    const std::vector<Diagnosis> diagnoses = diagnose(folder_.path(), options, progress);
    for (const Finding& finding : diagnoses.front().findings) {
      text += std::string(facts_of(finding.trap).name) + ": " + finding.place.file + ": " + finding.what + "\n";
    }
    return text;
  }

  TempFolder folder_;
};

TEST_F(ParquetTrapsTest, FilesDifferByExactlyOneRow) {
  folder_.write("a.parquet", parquet_of(10));
  folder_.write("b.parquet", parquet_of(10));
  EXPECT_EQ(found(), "unbalanced-files: a.parquet: has 10 rows, as all 2 files have\n");
  folder_.write("b.parquet", parquet_of(11));
  EXPECT_EQ(found(), "");
  folder_.write("c.parquet", parquet_of(12));
  EXPECT_EQ(found(), "unbalanced-files: a.parquet: has 10 rows, c.parquet has 12 rows\n");
  Progress progress;
  EXPECT_THROW(diagnose(folder_.path(), {.trainers = {TrainerKind::kHabana}}, progress), FormatError);
}

TEST_F(ParquetTrapsTest, BinsAreFilesOfTheirOwn) {
  folder_.write("a.parquet_0", parquet_of(10));
  folder_.write("b.parquet_0", parquet_of(11));
  folder_.write("a.parquet_1", parquet_of(80));
  folder_.write("b.parquet_1", parquet_of(81));
  EXPECT_EQ(found(), "");
  EXPECT_EQ(found({.ranks = 2}), "undivided-files: : has 2 files for 2 ranks with 4 workers each\n");
}

TEST_F(ParquetTrapsTest, FindsDamage) {
  folder_.write("a.parquet", parquet_of(10));
  folder_.write("b.parquet", parquet_of(11));
  folder_.write("c.parquet", parquet_of(11).substr(0, 20));
  EXPECT_THAT(found(), HasSubstr("damaged-file: c.parquet: "));
}

}  // namespace
}  // namespace bertprep::test
