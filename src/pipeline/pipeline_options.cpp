#include "bertprep/pipeline/pipeline_options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "base/fields.h"
#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/process.h"
#include "pipeline/records/owned_files.h"
#include "pipeline/stages/loaded_stages.h"
#include "unicode/ascii.h"
#include "unicode/utf8_text.h"

namespace bertprep {

FieldList<WorkOptions> fields_of(const WorkOptions* /*options*/) {
  using Options = WorkOptions;
  static const Field<Options> kFields[] = {
      {.name = "threads",
       .member = &Options::threads,
       .unit = "number",
       .help = "threads to use; 0 uses all of the machine's",
       .min = 0,
       .max = 4096,
       .in_recipe = false},
      {.name = "memory",
       .member = &Options::memory,
       .unit = "size",
       .help = "memory limit, kept with fewer threads if needed: 300M, 4G or 50%",
       .in_recipe = false},
      {.name = "force",
       .member = &Options::force,
       .unit = "",
       .help =
           "redo finished work; overwrite files that bertprep did not write, and delete those that another run wrote",
       .in_recipe = false,
       .group = OptionGroup::kOutput},
      {.name = "keep",
       .member = TextMember<Options>{[](const Options& options) { return text_of(options.keep); },
                                     [](Options& options, std::string_view text) { options.keep = kept_files(text); }},
       .unit = "download,extracted,formatted,sharded",
       .help = "intermediate files to keep after a run: any of these, separated by commas",
       .in_recipe = false,
       .group = OptionGroup::kOutput},
  };
  return {kFields, OptionGroup::kResources};
}

FieldList<CorpusOptions> fields_of(const CorpusOptions* /*options*/) {
  using Options = CorpusOptions;
  static const Field<Options> kFields[] = {
      {.name = "name",
       .member = &Options::name,
       .unit = "name",
       .help = "name of the dataset, and of its folders and files",
       .group = OptionGroup::kOutput},
      {.name = "phase",
       .member = enum_member<&Options::phase>,
       .unit = "",
       .help = "rows to make: 1 (128 tokens, 20 predictions), 2 (512, 80), both, or custom (set by --seq-len and "
               "--max-predictions)",
       .choices = "1|2|both|custom"},
  };
  return {kFields, OptionGroup::kRows};
}

FieldList<PipelineOptions> fields_of(const PipelineOptions* /*options*/) {
  using Options = PipelineOptions;
  static const Field<Options> kFields[] = {
      {.name = "vocab",
       .member = &Options::vocabulary,
       .unit = "vocab",
       .help = "vocabulary: file, folder or name that 'bertprep vocab list' shows; - is stdin",
       .in_recipe = false},
  };
  return {kFields, OptionGroup::kText};
}

namespace {

InstanceOptions with_lengths(InstanceOptions options) {
  if (options.seq_len == 0) options.seq_len = InstanceOptions().seq_len;
  if (options.max_predictions == 0) options.max_predictions = InstanceOptions().max_predictions;
  return options;
}

void check_lengths(Phase phase, const InstanceOptions& instances) {
  if (phase == Phase::kCustom) return;
  for (const auto& [name, value] :
       {std::pair{"seq-len", instances.seq_len}, std::pair{"max-predictions", instances.max_predictions}}) {
    if (value == 0) continue;
    throw ConfigError(quoted_field(name) + " " + std::to_string(value) + " works only with `phase` custom", {},
                      "set phase to custom, or leave it out: the other phases have their own");
  }
}

// It is part of a folder's name, which has at most 255 bytes.
void check_seed(const std::string& seed) {
  constexpr std::size_t kMaxDigits = 100;
  try {
    const std::size_t digits = canonical_integer(seed).size();
    if (digits > kMaxDigits) throw ConfigError("has " + std::to_string(digits) + " digits, more than 100");
  } catch (const ConfigError& error) {
    throw ConfigError(std::string("`random_seed` ") + error.what(), {}, "any integer will do");
  }
}

// Also allows bytes of other scripts' characters.
bool may_be_named(char c) {
  const std::string_view marks = "-_.";
  return is_ascii_alphanumeric(c) || static_cast<unsigned char>(c) >= 0x80 || marks.find(c) != std::string_view::npos;
}

// A longer article takes up to 14 times its bytes while it is formatted.
std::uint64_t max_article_bytes_within(const std::string& memory) {
  // For the program itself, its models and blocks in flight.
  constexpr std::uint64_t kFixedBytes = std::uint64_t{64} << 20;
  const std::uint64_t bytes = memory_bytes(memory);
  const std::uint64_t for_text = bytes - std::min(bytes, kFixedBytes);
  return std::clamp<std::uint64_t>(for_text / 16, std::uint64_t{1} << 20, std::uint64_t{1} << 30);
}

constexpr std::int64_t kReferenceShards = 256;
constexpr std::int64_t kArticlesOfAShard = 8;

}  // namespace

std::vector<InstanceOptions> PipelineOptions::phases() const {
  if (sequences != nullptr) return {};
  InstanceOptions first = instances;
  InstanceOptions second = instances;
  first.seq_len = 128;
  first.max_predictions = 20;
  second.seq_len = 512;
  second.max_predictions = 80;
  if (corpus.phase == Phase::kPhase1) return {first};
  if (corpus.phase == Phase::kPhase2) return {second};
  if (corpus.phase == Phase::kCustom) return {with_lengths(instances)};
  return {first, second};
}

void PipelineOptions::validate_all() const {
  validate(*this);
  validate(corpus);
  if (normalizer != nullptr) check_component(*normalizer, "the text normalizer");
  check_tokenizer(tokenizer);
  check_sentences(sentences);
  validate(sharding);
  check_lengths(corpus.phase, instances);
  check_seed(instances.random_seed);
  for (const InstanceOptions& phase : phases()) validate(phase);
  validate(layout);
  validate(work);
  memory_bytes(work.memory);
  check_name(corpus.name);
}

// File names have at most 255 bytes, and unfinished files add some 150 to the dataset's name.
void check_name(const std::string& name, const std::string& option) {
  constexpr std::size_t kMaxBytes = 100;
  const std::string rule = "use letters, digits, '-', '_' and '.', and do not begin with '-' or '.'";
  const auto refuse = [&](const std::string& what) { throw ConfigError(quoted_field(option) + " " + what, {}, rule); };
  if (name.empty()) refuse("is empty");
  if (find_invalid_utf8(name)) refuse("is not UTF-8");
  if (name.size() > kMaxBytes) {
    refuse("has " + std::to_string(name.size()) + " bytes, more than " + std::to_string(kMaxBytes));
  }
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
    if (control) refuse("has a control character at byte " + std::to_string(i));
    if (!may_be_named(c)) refuse("'" + name + "' has the character '" + c + "'");
  }
  if (name[0] == '-' || name[0] == '.') refuse("'" + name + "' begins with '" + name[0] + "'");
}

std::uint64_t memory_bytes(const std::string& memory) {
  if (!memory.ends_with('%')) return size_in_bytes(memory, "memory");
  double percent = 0;
  const char* end = memory.data() + memory.size() - 1;
  const auto [rest, error] = std::from_chars(memory.data(), end, percent, std::chars_format::fixed);
  // Written so that NaN is also refused.
  if (error != std::errc{} || rest != end || !(percent > 0 && percent <= 100)) {
    throw ConfigError("`memory` '" + memory + "' is not a valid share of the memory", {},
                      "write it like 50%, 300M or 4G");
  }
  return static_cast<std::uint64_t>(static_cast<double>(usable_memory_bytes()) * percent / 100);
}

std::string max_article_within(const std::string& memory) {
  return std::to_string(max_article_bytes_within(memory));
}

void check_max_article(const std::string& max_article, const std::string& memory) {
  if (max_article.empty()) return;
  const std::uint64_t most = max_article_bytes_within(memory);
  if (size_in_bytes(max_article, "max-article") <= most) return;
  throw ConfigError("`max_article` " + max_article + " needs more than `memory` " + memory + ", which allows " +
                        std::to_string(most >> 20) + "M",
                    {}, "give a smaller `max_article`, or sixteen times it and 64M as `memory`");
}

FieldList<ShardingOptions> fields_of(const ShardingOptions* /*options*/) {
  using Options = ShardingOptions;
  constexpr double kMaxShards = 1'000'000;
  static const Field<Options> kFields[] = {
      {.name = "train-shards",
       .member = &Options::train_shards,
       .unit = "shards",
       .help = "number of text shards for training; 0: for 4,096 articles or more 256, as in the reference, else one "
               "for every 8 articles minus those for testing, but at least 1",
       .min = 0,
       .max = kMaxShards},
      {.name = "test-shards",
       .member = &Options::test_shards,
       .unit = "shards",
       .help = "number of text shards for testing; 0: for 4,096 articles or more 256, as in the reference, else "
               "--test-fraction of one for every 8 articles, but at least 1",
       .min = 0,
       .max = kMaxShards},
      {.name = "test-fraction",
       .member = &Options::test_fraction,
       .unit = "share",
       .help = "target share of the sentences for the test shards",
       .min = 0,
       .max = 1},
  };
  return {kFields, OptionGroup::kOutput};
}

ShardingOptions resolve_sharding(ShardingOptions options, std::uint64_t articles) {
  std::int64_t train = kReferenceShards;
  std::int64_t test = kReferenceShards;
  if (articles < static_cast<std::uint64_t>(2 * kReferenceShards * kArticlesOfAShard)) {
    const std::int64_t shards = static_cast<std::int64_t>(articles) / kArticlesOfAShard;
    test = std::llround(static_cast<double>(shards) * options.test_fraction);
    test = std::clamp<std::int64_t>(test, 1, kReferenceShards);
    train = std::clamp<std::int64_t>(shards - test, 1, kReferenceShards);
  }
  if (options.train_shards == 0) options.train_shards = train;
  if (options.test_shards == 0) options.test_shards = test;
  return options;
}

PipelineOptions with_shards(PipelineOptions options, std::uint64_t articles) {
  options.sharding = resolve_sharding(options.sharding, articles);
  return options;
}

std::string note_on_shards(const ShardingOptions& given, std::uint64_t articles) {
  const ShardingOptions known = resolve_sharding(given, articles);
  std::string made;
  if (given.train_shards == 0 && known.train_shards != kReferenceShards) {
    made = counted(known.train_shards, "training shard");
  }
  if (given.test_shards == 0 && known.test_shards != kReferenceShards) {
    made += (made.empty() ? "" : " and ") + counted(known.test_shards, "test shard");
  }
  if (made.empty()) return made;
  return counted(articles, "article", "makes", "make") + " " + made +
         ", one for every 8; `train_shards` and `test_shards` set other numbers";
}

std::string note_on_sentences(std::span<const std::uint32_t> sentences, std::uint64_t bytes) {
  constexpr std::uint64_t kMaxBytesOfSentence = 1000;
  constexpr std::uint64_t kMinArticles = 5;
  std::uint64_t all = 0, alone = 0;
  for (const std::uint32_t count : sentences) {
    all += count;
    alone += count <= 1 ? 1 : 0;
  }
  const bool is_odd =
      sentences.size() >= kMinArticles && alone * 2 > sentences.size() && all > 0 && bytes / all > kMaxBytesOfSentence;
  if (!is_odd) return {};
  return "hardly any end of a sentence was found: " + counted(all, "sentence") + " in " +
         counted(sentences.size(), "article") + ", " + grouped(bytes / all) +
         " bytes each; if other signs than . ? ! end them, such as 。 or ।, use `sentences` icu `language` TAG (zh, "
         "ja, hi)";
}

}  // namespace bertprep
