#include "golden/pipeline/shard_table.h"
#include "base/number_text.h"

#include <gtest/gtest.h>

#include "bertprep/shard/shard_reader.h"
#include "io/digest.h"
#include "support/golden_data.h"
#include "support/read_text.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kContainer = "*file*";
constexpr std::string_view kCompressed = ".zst";

ShardTable::mapped_type digests_of(const fs::path& root, const std::string& file) {
  ShardTable::mapped_type rows;
  for (const DatasetDigest& digest : digest_datasets(root / file)) {
    rows[digest.name] = {file, digest.name, digest.dtype, shape_text(digest.shape, "x"), digest.sha256};
  }
  return rows;
}

}  // namespace

ShardTable read_shard_table(const fs::path& path) {
  ShardTable table;
  const std::vector<std::string> lines = read_lines(path);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> cells = split_tabs(lines[i]);
    table[cells[0]][cells[1]] = cells;
  }
  return table;
}

std::set<std::string> results_below(const fs::path& folder) {
  std::set<std::string> files;
  for (auto entry = fs::recursive_directory_iterator(folder); entry != fs::recursive_directory_iterator(); ++entry) {
    if (entry->path().filename().string().starts_with('.')) {
      entry.disable_recursion_pending();
    } else if (!entry->is_directory()) {
      files.insert(entry->path().lexically_relative(folder).generic_string());
    }
  }
  return files;
}

void expect_shards(const fs::path& root, const ShardTable& golden) {
  std::set<std::string> expected;
  for (const auto& [file, datasets] : golden) {
    expected.insert(file);
    for (const char* beside : {"manifest.json", "vocab.txt"}) {
      expected.insert((fs::path(file).parent_path() / beside).generic_string());
    }
  }
  ASSERT_EQ(results_below(root), expected);
  for (const auto& [file, datasets] : golden) {
    ShardTable::mapped_type rows = datasets;
    rows.erase(kContainer);
    EXPECT_EQ(digests_of(root, file), rows);
  }
}

void expect_files(const fs::path& folder, const std::map<std::string, std::string>& golden) {
  std::map<std::string, std::string> digests;
  for (const std::string& file : results_below(folder)) {
    if (file.find(".origins.jsonl") != std::string::npos) continue;  // the reference has none
    const bool is_compressed = file.ends_with(kCompressed);
    digests[is_compressed ? file.substr(0, file.size() - kCompressed.size()) : file] =
        sha256_of(read_text(folder / file));
  }
  EXPECT_EQ(digests, golden);
}

}  // namespace bertprep::test
