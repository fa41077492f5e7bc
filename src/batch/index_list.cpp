#include "batch/index_list.h"

#include <algorithm>

#include "base/fields.h"
#include "base/number_text.h"
#include "io/input_file.h"

namespace bertprep {
namespace {

struct Range {
  std::uint64_t first;
  std::uint64_t last;
};

std::vector<Range> ranges_of(std::span<const std::uint64_t> tasks, std::uint64_t numbered_from) {
  std::vector<Range> ranges;
  for (const std::uint64_t task : tasks) {
    const std::uint64_t index = task + numbered_from;
    if (!ranges.empty() && ranges.back().last + 1 == index) {
      ranges.back().last = index;
    } else {
      ranges.push_back({index, index});
    }
  }
  return ranges;
}

std::string range_text(const Range& range) {
  const std::string first = std::to_string(range.first);
  return range.first == range.last ? first : first + "-" + std::to_string(range.last);
}

// PBS requires an end greater than the start.
std::string pbs_range_text(const Range& range) {
  return range.first == range.last ? range_text({range.first, range.first + 1}) + ":2" : range_text(range);
}

template <class Text>
std::string joined_ranges(const std::vector<Range>& ranges, std::string_view between, const Text& text_of_range) {
  return joined(ranges, between, text_of_range) + (ranges.empty() ? "" : "\n");
}

std::uint64_t task_of_line(std::string_view line, std::uint64_t count, const std::string& where) {
  const auto task = number_in<std::uint64_t>(line);
  if (!task) {
    throw FormatError("'" + std::string(line) + "' is not a task number", where,
                      "each line must hold one number, as retry-list prints it");
  }
  if (*task >= count) {
    throw FormatError("there is no task " + std::to_string(*task) + " in an array of " + std::to_string(count), where,
                      "give the `array_count` of the array that the list was made for");
  }
  return *task;
}

}  // namespace

std::string index_list_text(std::span<const std::uint64_t> tasks, std::string_view syntax) {
  check_choice("syntax", syntax, kIndexSyntaxes);
  if (syntax == "slurm") return joined_ranges(ranges_of(tasks, 0), ",", range_text);
  if (syntax == "lsf") return joined_ranges(ranges_of(tasks, 1), ",", range_text);
  if (syntax == "sge") return joined_ranges(ranges_of(tasks, 1), "\n", range_text);
  if (syntax == "pbs") return joined_ranges(ranges_of(tasks, 0), "\n", pbs_range_text);
  return joined(tasks, "", [](std::uint64_t task) { return std::to_string(task) + "\n"; });
}

std::vector<std::uint64_t> read_index_list(const std::filesystem::path& file, std::uint64_t count) {
  return parse_index_list(read_file(file), file.string(), count);
}

std::vector<std::uint64_t> parse_index_list(std::string_view text, const std::string& name, std::uint64_t count) {
  std::vector<std::uint64_t> tasks;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    tasks.push_back(task_of_line(line, count, name + ":" + std::to_string(tasks.size() + 1)));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return tasks;
}

}  // namespace bertprep
