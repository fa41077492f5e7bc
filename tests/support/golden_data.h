// The golden data beside a developer's checkout, and the smaller set that the project ships.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace bertprep::test {

// The checkout this test was built from.
std::filesystem::path source_folder();

// $BERTPREP_SHARED, else ../shared beside the checkout; empty if there is none.
std::filesystem::path shared_folder();

std::string read_bytes(const std::filesystem::path& path);
std::vector<std::string> read_lines(const std::filesystem::path& path);
// The cells of a tab-separated line.
std::vector<std::string> split_tabs(const std::string& line);

// A fixture whose tests are skipped, and say so, if the shared golden data is absent.
class GoldenTest : public testing::Test {
 protected:
  void SetUp() override;
  std::filesystem::path shared() const { return shared_folder(); }
  std::filesystem::path goldens() const { return shared_folder() / "goldens" / "pipeline"; }
};

}  // namespace bertprep::test
