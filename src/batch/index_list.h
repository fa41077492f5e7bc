// Lists of array tasks: in the syntax of each engine, and as a file for --array-list.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bertprep {

// The syntaxes of index_list_text: "slurm|aws-batch|sge|pbs|lsf|kubernetes".
inline constexpr std::string_view kIndexSyntaxes = "slurm|aws-batch|sge|pbs|lsf|kubernetes";

// `tasks` count from 0, ascending and distinct. Every line ends in a line feed; empty for no tasks.
//   slurm      3,17-19        for sbatch --array=
//   aws-batch  3              one task per line: a file for --array-list, as AWS Batch has no arrays with gaps
//   kubernetes 3              the same
//   sge        18-20          one range per line, one job each, for qsub -t; SGE counts from 1
//   pbs        3-4:2          the same for qsub -J, which needs a single index as a range whose step passes its end
//   lsf        4,18-20        for bsub -J "name[...]"; LSF counts from 1
// Throws ConfigError for another syntax.
std::string index_list_text(std::span<const std::uint64_t> tasks, std::string_view syntax);

// The tasks of a file with one task per line, in its order. Throws IoError, and FormatError for a line that is not a
// number below `count`.
std::vector<std::uint64_t> read_index_list(const std::filesystem::path& file, std::uint64_t count);
// The same from its text; `name` is for messages.
std::vector<std::uint64_t> parse_index_list(std::string_view text, const std::string& name, std::uint64_t count);

}  // namespace bertprep
