#include "bertprep/pipeline/pipeline_options.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace bertprep {

std::span<const Field<WorkOptions>> WorkOptions::fields() {
  using Options = WorkOptions;
  static const std::array<Field<Options>, 4> kFields{{
      {.name = "threads",
       .member = &Options::threads,
       .unit = "number",
       .help = "threads to work with; 0 takes all of the machine's",
       .min = 0,
       .max = 4096,
       .in_recipe = false},
      {.name = "memory",
       .member = &Options::memory,
       .unit = "size",
       .help = "memory to stay below, if need be with fewer threads: 300M, 4G or 50%",
       .in_recipe = false},
      {.name = "force",
       .member = &Options::force,
       .unit = "",
       .help = "make again what is there already, and replace files that no earlier call made or remove those of "
               "another run",
       .in_recipe = false,
       .group = OptionGroup::kOutput},
      {.name = "keep",
       .member = &Options::keep,
       .unit = "list",
       .help = "what stays when a run is done: some of download, extracted, formatted and sharded, separated by commas",
       .in_recipe = false,
       .group = OptionGroup::kOutput},
  }};
  return kFields;
}

std::span<const Field<CorpusOptions>> CorpusOptions::fields() {
  using Options = CorpusOptions;
  static const std::array<Field<Options>, 2> kFields{{
      {.name = "name",
       .member = &Options::name,
       .unit = "name",
       .help = "name of the dataset, and of its folders and files",
       .group = OptionGroup::kOutput},
      {.name = "phase",
       .member = &Options::phase,
       .unit = "",
       .help = "rows to make: 1 (128 tokens, 20 predictions), 2 (512, 80), both, or custom (by --seq-len and "
               "--max-predictions)",
       .choices = "1|2|both|custom"},
  }};
  return kFields;
}

std::span<const Field<VocabOptions>> VocabOptions::fields() {
  using Options = VocabOptions;
  static const std::array<Field<Options>, 1> kFields{{
      {.name = "vocab",
       .member = &Options::vocab,
       .unit = "vocab",
       .help = "vocabulary: a file, or a name that 'bertprep vocab list' shows",
       .in_recipe = false},
  }};
  return kFields;
}

std::vector<InstanceOptions> PipelineOptions::phases() const {
  InstanceOptions first = instances;
  InstanceOptions second = instances;
  first.seq_len = 128;
  first.max_predictions = 20;
  second.seq_len = 512;
  second.max_predictions = 80;
  if (corpus.phase == "1") return {first};
  if (corpus.phase == "2") return {second};
  if (corpus.phase == "custom") return {instances};
  return {first, second};
}

// Throws ConfigError for a word that names no kind of files.
void check_keep(const std::string& keep) {
  std::string_view rest = keep;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    check_choice("keep", rest.substr(0, end), "download|extracted|formatted|sharded");
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

void PipelineOptions::validate_all() const {
  check_keep(work.keep);
  validate(corpus);
  validate(tokenizer);
  validate(sentences);
  validate(sharding);
  validate(instances);
  validate(layout);
  validate(work);
  memory_bytes(work.memory);
  if (corpus.name.empty() || corpus.name.find('/') != std::string::npos || corpus.name[0] == '.') {
    throw ConfigError("--name '" + corpus.name + "' can't name a file", {}, "use letters, digits, '-' and '_'");
  }
}

std::uint64_t memory_bytes(const std::string& memory) {
  double number = 0;
  const char* end = memory.data() + memory.size();
  const auto [rest, error] = std::from_chars(memory.data(), end, number);
  const std::string unit(rest, end);
  const double machine = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGE_SIZE));
  double factor = 0;
  if (unit == "%") factor = machine / 100;
  if (unit.empty()) factor = 1;
  if (unit == "K" || unit == "k") factor = 1024.0;
  if (unit == "M" || unit == "m") factor = 1024.0 * 1024;
  if (unit == "G" || unit == "g") factor = 1024.0 * 1024 * 1024;
  if (unit == "T" || unit == "t") factor = 1024.0 * 1024 * 1024 * 1024;
  if (error != std::errc{} || factor == 0 || number <= 0) {
    throw ConfigError("--memory '" + memory + "' is no amount of memory", {}, "write it like 300M, 4G or 50%");
  }
  return static_cast<std::uint64_t>(number * factor);
}

}  // namespace bertprep
