#include "batch/array_position.h"

#include <array>
#include <vector>

#include "base/fields.h"
#include "batch/index_list.h"
#include "bertprep/base/error.h"

namespace bertprep {
namespace {

std::optional<std::uint64_t> given_number(const char* name, const std::string& text) {
  if (text.empty()) return std::nullopt;
  const std::int64_t number = parse_integer(name, text);
  if (number < 0) throw ConfigError(quoted_field(name) + " is " + text + ", it must be at least 0");
  return static_cast<std::uint64_t>(number);
}

[[noreturn]] void refuse_gap(const EngineIndex& index) {
  throw ConfigError(
      index.variable + " is set, but " + index.gap, {},
      "give `array_count` with the number of tasks in the whole array, numbered from " + std::to_string(index.first));
}

// The index of this process in the array or, with a list, in the list.
struct Index {
  std::uint64_t value = 0;
  std::string name;  // its origin, for messages
  std::uint64_t first = 0;
  std::string engine;
};

Index index_of(const ArrayOptions& given, const std::optional<EngineIndex>& engine, bool only_one) {
  if (const auto task = given_number("array-task", given.array_task)) return {*task, "`array_task`", 0, {}};
  if (engine) {
    if (engine->value < engine->first) {
      throw ConfigError(engine->variable + " is 0, but " + engine->engine + " counts tasks from 1");
    }
    return {engine->value - engine->first, engine->variable, engine->first, engine->engine};
  }
  if (only_one) return {};
  throw ConfigError("`array_count` is given, but this is not a known array job", {},
                    "say which task this is with `array_task`");
}

ArrayPosition listed_position(const ArrayOptions& given, std::uint64_t count,
                              const std::optional<EngineIndex>& engine) {
  const std::vector<std::uint64_t> tasks = read_index_list(given.array_list, count);
  const Index index = index_of(given, engine, tasks.size() <= 1);
  if (index.value >= tasks.size()) return {0, count, index.engine, true};
  return {tasks[index.value], count, index.engine, false};
}

ArrayPosition counted_position(const ArrayOptions& given, std::uint64_t count,
                               const std::optional<EngineIndex>& engine) {
  const Index index = index_of(given, engine, count == 1);
  if (index.value < count) return {index.value, count, index.engine, false};
  throw ConfigError(index.name + " is " + std::to_string(index.value + index.first) + ", but there are " +
                        std::to_string(count) + " tasks, numbered from " + std::to_string(index.first),
                    {}, "correct the range of the array, or `array_count`");
}

}  // namespace

std::span<const Field<ArrayOptions>> ArrayOptions::fields() {
  static const std::array<Field<ArrayOptions>, 3> kFields{{
      {.name = "array-task",
       .member = &ArrayOptions::array_task,
       .unit = "index",
       .help = "task of the array to run, from 0 (default: set by the engine)",
       .in_recipe = false},
      {.name = "array-count",
       .member = &ArrayOptions::array_count,
       .unit = "tasks",
       .help = "number of tasks in the array (default: set by the engine)",
       .in_recipe = false},
      {.name = "array-list",
       .member = &ArrayOptions::array_list,
       .unit = "file",
       .help = "file with one task per line, as retry-list --syntax aws-batch prints it: index k runs the task on line "
               "k + 1",
       .in_recipe = false},
  }};
  return kFields;
}

std::optional<std::uint64_t> given_count(const ArrayOptions& given) {
  const auto count = given_number("array-count", given.array_count);
  if (count && *count == 0) throw ConfigError("`array_count` is 0, it must be at least 1");
  return count;
}

ArrayPosition array_position(const ArrayOptions& given, const Environment& environment) {
  const auto count = given_count(given);
  if (!count && (!given.array_task.empty() || !given.array_list.empty())) {
    throw ConfigError(
        std::string(given.array_task.empty() ? "`array_list`" : "`array_task`") + " is given without `array_count`", {},
        "also give the number of tasks in the whole array");
  }
  const auto engine = given.array_task.empty() ? engine_index(environment) : std::nullopt;
  if (count && !given.array_list.empty()) return listed_position(given, *count, engine);
  if (count) return counted_position(given, *count, engine);
  if (!engine) return {};
  if (!engine->place) refuse_gap(*engine);
  return {engine->place->task, engine->place->count, engine->engine, false};
}

}  // namespace bertprep
