#include "quality/doctor/parquet_traps.h"

#include <algorithm>
#include <map>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/folder.h"
#include "source/columns/parquet_metadata.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kWorkers = 4;  // of each rank, the trainer's default

// "parquet", "parquet_2"; empty for other files.
std::string bin_of(const fs::path& file) {
  const std::string extension = file.extension().string();
  if (extension == ".parquet") return "parquet";
  const bool is_bin = extension.starts_with(".parquet_") && is_ascii_digits(std::string_view(extension).substr(9));
  return is_bin ? extension.substr(1) : std::string();
}

struct CountedParquet {
  std::string name;
  std::uint64_t rows = 0;
};

void find_unbalanced(const std::vector<CountedParquet>& files, Findings& findings) {
  const auto by_rows = [](const CountedParquet& left, const CountedParquet& right) { return left.rows < right.rows; };
  const auto [least, most] = std::minmax_element(files.begin(), files.end(), by_rows);
  if (most->rows == least->rows + 1) return;
  findings.add(Trap::kUnbalancedFiles, {least->name},
               most->rows == least->rows
                   ? "has " + counted(least->rows, "row") + ", as " +
                         (files.size() == 1 ? "the only file" : "all " + counted(files.size(), "file") + " have")
                   : "has " + counted(least->rows, "row") + ", " + most->name + " has " + counted(most->rows, "row"));
}

}  // namespace

std::vector<fs::path> parquet_files(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::is_directory(folder)) return files;
  walk_folder(folder, [&](const fs::directory_entry& entry) {
    if (is_hidden(entry.path())) return false;
    if (entry.is_regular_file() && !bin_of(entry.path()).empty()) files.push_back(entry.path());
    return may_be_read(entry);
  });
  std::sort(files.begin(), files.end());
  return files;
}

std::uint64_t find_parquet_traps(const fs::path& folder, const std::vector<fs::path>& files, std::uint64_t ranks,
                                 Findings& findings, Progress& progress) {
  std::uint64_t rows = 0;
  std::map<std::string, std::vector<CountedParquet>> bins;
  progress.begin("doctor", files.size(), "files");
  for (const fs::path& file : files) {
    if (progress.cancelled()) throw Cancelled();
    const std::string name = file.lexically_relative(folder).string();
    try {
      bins[bin_of(file)].push_back({name, read_parquet_metadata(file).rows});
      rows += bins[bin_of(file)].back().rows;
    } catch (const FormatError& error) {
      findings.add(Trap::kDamagedFile, {name}, error.what());
    }
    progress.advance(1);
  }
  progress.end();
  for (const auto& [bin, counted_files] : bins) {
    if (!counted_files.empty()) find_unbalanced(counted_files, findings);
    if (ranks == 0 || counted_files.size() % (ranks * kWorkers) == 0) continue;
    const std::uint64_t multiple = (counted_files.size() / (ranks * kWorkers) + 1) * ranks * kWorkers;
    findings.add(Trap::kUndividedFiles, {},
                 "has " + counted(counted_files.size(), "file") + " for " + counted(ranks, "rank") + " with " +
                     std::to_string(kWorkers) + " workers each",
                 {{"{multiple}", std::to_string(multiple)}});
  }
  return rows;
}

}  // namespace bertprep
