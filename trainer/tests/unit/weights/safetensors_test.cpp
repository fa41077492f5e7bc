#include "trainer/weights/safetensors.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "support/golden_data.h"
#include "support/temp_folder.h"

namespace bertprep::test {
namespace {

class SafetensorsTest : public testing::Test {
 protected:
  void write_sample() {
    write_safetensors(path(), {{"b", "F32", {2, 3}, std::as_bytes(std::span(values_)), {}}, {"a", "U8", {0}, {}, {}}},
                      {{"format", "pt"}});
  }
  void write_bytes(const std::string& bytes) { std::ofstream(path(), std::ios::binary) << bytes; }
  // A file with this header and 8 bytes of values.
  void write_header(const std::string& header) {
    write_bytes(std::string(1, static_cast<char>(header.size())) + std::string(7, '\0') + header + "12345678");
  }
  static std::string digits(std::uint64_t checksum) {
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(checksum));
    return text;
  }
  std::filesystem::path path() const { return folder_ / "x.safetensors"; }

  TempFolder folder_;
  std::vector<float> values_{1, -2, 3.5F, 4, 5, 6};
};

TEST_F(SafetensorsTest, ComesBack) {
  write_sample();
  const SafetensorsFile file(path());
  ASSERT_EQ(file.tensors().size(), 2U);
  const TensorView* view = file.find("b");
  ASSERT_NE(view, nullptr);
  EXPECT_EQ(view->dtype, "F32");
  EXPECT_EQ(view->shape, (std::vector<std::int64_t>{2, 3}));
  const auto expected = std::as_bytes(std::span(values_));
  EXPECT_TRUE(std::equal(view->bytes.begin(), view->bytes.end(), expected.begin(), expected.end()));
  EXPECT_EQ(file.find("c"), nullptr);
  EXPECT_EQ(file.note("format"), "pt");
  EXPECT_EQ(file.note("other"), "");
}

TEST_F(SafetensorsTest, BytesAreThoseOfTheFormat) {
  write_safetensors(path(), {{"x", "U8", {2}, std::as_bytes(std::span("AB", 2))}}, {});
  const std::string written = read_bytes(path());
  const std::string tensor = R"("tensors_xxh3":")" + digits(checksum_of("AB")) + R"("},"x":)";
  const std::string header = R"({"__metadata__":{"header_xxh3":"0000000000000000",)" + tensor +
                             R"({"dtype":"U8","shape":[2],"data_offsets":[0,2]}})";
  std::string padded = header + std::string((8 - header.size() % 8) % 8, ' ');
  padded.replace(padded.find("0000"), 16, digits(checksum_of(padded, padded.size())));
  EXPECT_EQ(written, std::string(1, static_cast<char>(padded.size())) + std::string(7, '\0') + padded + "AB");
}

TEST_F(SafetensorsTest, NoticesEveryFlippedBit) {
  write_sample();
  const std::string whole = read_bytes(path());
  const auto read = [&](const std::string& bytes) {
    const TensorTable table = parse_safetensors(bytes, path());
    for (const TensorView& tensor : table.tensors) require_valid(tensor, tensor.bytes, path());
  };
  EXPECT_NO_THROW(read(whole));
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
    EXPECT_THROW(read(damaged), FormatError) << "bit " << bit % 8 << " of byte " << bit / 8;
  }
}

// Other programs don't write checksums.
TEST_F(SafetensorsTest, ReadsFilesWithoutChecksums) {
  write_header(R"({"__metadata__":{"format":"pt"},"x":{"dtype":"U8","shape":[8],"data_offsets":[0,8]}})");
  const SafetensorsFile file(path());
  EXPECT_FALSE(file.tensors().front().checksum);
  EXPECT_NO_THROW(require_valid(file.tensors().front(), file.tensors().front().bytes, path()));
}

TEST_F(SafetensorsTest, RefusesEveryPartOfAFile) {
  write_sample();
  const std::string whole = read_bytes(path());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    write_bytes(whole.substr(0, size));
    EXPECT_THROW(SafetensorsFile file(path()), Error) << size;
  }
}

TEST_F(SafetensorsTest, RefusesWrongHeaders) {
  for (const char* header : {"[]", R"({"x":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})",
                             R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})",
                             R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})",
                             R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[0]}})",
                             R"({"x":{"dtype":"F33","shape":[2],"data_offsets":[0,8]}})",
                             R"({"x":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}})",
                             R"({"x":{"shape":[2],"data_offsets":[0,8]}})"}) {
    write_header(header);
    EXPECT_THROW(SafetensorsFile file(path()), FormatError) << header;
  }
}

}  // namespace
}  // namespace bertprep::test
