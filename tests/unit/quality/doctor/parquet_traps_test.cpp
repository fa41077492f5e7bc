#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bertprep/base/error.h"
#include "quality/doctor/doctor.h"
#include "support/parquet_file.h"
#include "support/temp_folder.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;

std::string parquet_of(std::size_t rows) {
  return parquet_file({{.name = "A", .values = std::vector<std::optional<std::string>>(rows, "a")}}, {rows});
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
