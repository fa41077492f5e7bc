// Sets of MosaicML's MDSWriter, written again from the same samples: the same bytes, including the index.
#include <gtest/gtest.h>

#include <algorithm>

#include "bertprep/base/error.h"
#include "io/json.h"
#include "shard/id_type.h"
#include "shard/mds/mds_writer.h"
#include "support/golden_data.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// A number as `bytes` little-endian bytes.
void append_number(const Json& number, std::size_t bytes, std::string& out) {
  const std::string& text = number.text();
  const auto value = text.starts_with('-') ? static_cast<std::uint64_t>(std::stoll(text)) : std::stoull(text);
  for (std::size_t i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFFU);
}

std::string from_hex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

// An array of numbers, or {"dtype", "shape", "data"}.
std::string array_bytes(const Json& value, const std::string& encoding) {
  const bool is_free = value.kind() == Json::Kind::Object;
  const bool is_fixed = std::ranges::count(encoding, ':') == 2;
  const std::string type = is_free ? value.at("dtype").text() : encoding.substr(encoding.find(':') + 1);
  const Json& data = is_free ? value.at("data") : value;
  std::vector<std::uint64_t> shape{data.items().size()};
  if (is_free) {
    shape.clear();
    for (const Json& dimension : value.at("shape").items()) shape.push_back(dimension.as_unsigned());
  }
  std::string bytes;
  if (encoding == "ndarray") bytes += static_cast<char>(find_mds_type(type)->code);
  if (!is_fixed) append_mds_shape(shape, bytes);
  for (const Json& number : data.items()) append_number(number, mds_value_bytes(type).value(), bytes);
  return bytes;
}

std::string value_bytes(const Json& value, const std::string& encoding) {
  if (encoding == "bytes") return from_hex(value.text());
  if (encoding == "str" || encoding == "str_int") return value.text();
  if (encoding == "json") return value.dump_python();
  if (encoding.starts_with("ndarray")) return array_bytes(value, encoding);
  std::string bytes;
  append_number(value, mds_value_bytes(encoding).value(), bytes);
  return bytes;
}

MdsFormat format_of(const Json& options) {
  MdsFormat format;
  for (const auto& [name, encoding] : options.at("columns").members())
    format.columns.push_back({name, encoding.text()});
  for (const Json& hash : options.at("hashes").items()) format.hashes.push_back(hash.text());
  const Json& limit = options.at("size_limit");
  format.size_limit.reset();
  if (limit.kind() == Json::Kind::Number) format.size_limit = limit.as_unsigned();
  if (limit.kind() == Json::Kind::String) format.size_limit = limit.text() == "4kb" ? 4096 : std::stoull(limit.text());
  if (options.at("compression").kind() == Json::Kind::String) format.compression = options.at("compression").text();
  format.check();
  return format;
}

class MdsGolden : public test::GoldenTest {
 protected:
  fs::path profiles() const { return shared() / "goldens" / "outputs" / "mds"; }
  Json options(const std::string& profile) const {
    return Json::parse(test::read_bytes(profiles() / profile / "options.json"), profile);
  }
  fs::path expected(const std::string& profile) const {
    return profiles() / profile / "expected" / options(profile).at("split").text();
  }

  MdsWriter writer(const std::string& profile) {
    fs::create_directories(temp_ / profile);
    const auto new_file = [this, profile](const std::string& name) {
      return PendingFile(temp_ / profile / name, temp_.path());
    };
    MdsFormat format = format_of(options(profile));
    MdsWriter::Compressor compressor;
    // The output of compressors varies: this one does not compress.
    if (!format.compression.empty()) compressor = {".zstd", [](std::string_view bytes) { return std::string(bytes); }};
    return MdsWriter(std::move(format), new_file, std::move(compressor));
  }

  void add_samples(const std::string& profile, MdsWriter& writer) const {
    const MdsFormat format = format_of(options(profile));
    for (const std::string& line : test::read_lines(profiles() / profile / "input.jsonl")) {
      const Json sample = Json::parse(line, profile);
      std::vector<std::string> values;
      for (const MdsColumn& column : format.columns)
        values.push_back(value_bytes(sample.at(column.name), column.encoding));
      const std::vector<std::string_view> views(values.begin(), values.end());
      writer.add(views);
    }
  }

  void expect_same_files(const std::string& profile, MdsWriter& writer) {
    for (PendingFile& file : writer.files()) {
      const std::string name = file.final_path().filename();
      EXPECT_EQ(test::read_bytes(file.path()), test::read_bytes(expected(profile) / name)) << profile << " " << name;
    }
  }

  test::TempFolder temp_;
};

TEST_F(MdsGolden, TheSameFilesAsTheWriterOfStreaming) {
  for (const std::string profile :
       {"bioclinical", "encodings", "eurobert", "eurobert-tokens-only", "hashes", "int64-len-id", "limit-exact",
        "limit-one-short", "modernbert-int64", "modernbert-text", "modernbert-uint16", "modernbert-uint16-validation",
        "no-limit"}) {
    MdsWriter mds = writer(profile);
    add_samples(profile, mds);
    mds.finish();
    expect_same_files(profile, mds);
    EXPECT_EQ(mds.index(), test::read_bytes(expected(profile) / kMdsIndexName)) << profile;
  }
}

// The writer of Streaming puts a shard without samples first; readers stop at a set without any.
TEST_F(MdsGolden, NoShardIsEmpty) {
  MdsWriter first = writer("first-larger-than-limit");
  add_samples("first-larger-than-limit", first);
  first.finish();
  ASSERT_EQ(first.files().size(), 2U);
  for (const std::size_t i : {0, 1}) {
    EXPECT_EQ(test::read_bytes(first.files()[i].path()),
              test::read_bytes(expected("first-larger-than-limit") / mds_shard_name(i + 1)));
  }
  MdsWriter empty = writer("no-samples");
  add_samples("no-samples", empty);
  EXPECT_THROW(empty.finish(), FormatError);
}

TEST_F(MdsGolden, CompressedShardsAreDescribedAsTheyLieInTheIndex) {
  MdsWriter mds = writer("zstd");
  add_samples("zstd", mds);
  mds.finish();
  const Json made = Json::parse(mds.index(), "made");
  const Json golden = Json::parse(test::read_bytes(expected("zstd") / kMdsIndexName), "golden");
  ASSERT_EQ(made.at("shards").items().size(), golden.at("shards").items().size());
  for (std::size_t i = 0; i < made.at("shards").items().size(); ++i) {
    const Json& entry = made.at("shards").items()[i];
    const Json& wanted = golden.at("shards").items()[i];
    for (const auto& [name, value] : wanted.members()) {
      if (name == "zip_data") continue;
      EXPECT_EQ(entry.at(name).dump_line(), value.dump_line()) << i << " " << name;
    }
    EXPECT_EQ(entry.at("zip_data").at("basename").text(), wanted.at("zip_data").at("basename").text());
  }
}

TEST_F(MdsGolden, SeveralIndexesBecomeOne) {
  const std::vector<MdsIndexPart> parts = {
      {"00000", test::read_bytes(expected("hashes") / kMdsIndexName)},
      {"00001", test::read_bytes(expected("modernbert-uint16-validation") / kMdsIndexName)}};
  EXPECT_EQ(merge_mds_indexes(parts), test::read_bytes(profiles() / "merged.index.json"));
}

}  // namespace
}  // namespace bertprep
