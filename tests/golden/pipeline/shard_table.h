// Tables of a run's expected results, with the columns of `bertprep hash`, and their comparison with the actual ones.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace bertprep::test {

// The cells of a row by file and dataset, which are its first two.
using ShardTable = std::map<std::string, std::map<std::string, std::vector<std::string>>>;

ShardTable read_shard_table(const std::filesystem::path& path);

// The files below `folder`, as paths from there. Skips hidden folders: they have no results.
std::set<std::string> results_below(const std::filesystem::path& folder);

// Fails the test unless the shards below `root` are those of `golden` and have its values. Rows of whole containers
// (*file*) are skipped.
void expect_shards(const std::filesystem::path& root, const ShardTable& golden);

// Fails the test unless the files in `folder` are those of `golden` with these sha256.
void expect_files(const std::filesystem::path& folder, const std::map<std::string, std::string>& golden);

}  // namespace bertprep::test
