#include "pipeline/ignored_options.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fields.h"
#include "bertprep/base/error.h"
#include "bertprep/instance/instance_set.h"
#include "bertprep/shard/shard_writer.h"
#include "pipeline/sequences/sequences.h"

namespace bertprep {
namespace {

// Option, and a format to which it applies.
constexpr std::array<std::pair<std::string_view, std::string_view>, 26> kFormats = {{
    {"text-field", "jsonl"},
    {"text-field", "csv"},
    {"text-field", "tsv"},
    {"text-field", "parquet"},
    {"text-field", "arrow"},
    {"text-field", "sqlite"},
    {"query", "sqlite"},
    {"html", "jsonl"},
    {"html", "csv"},
    {"html", "tsv"},
    {"html", "parquet"},
    {"html", "arrow"},
    {"html", "sqlite"},
    {"detokenize", "wikitext"},
    {"encoding", "books"},
    {"books-compat", "books"},
    {"keep-gutenberg", "books"},
    {"no-templates", "mediawiki"},
    {"templates", "mediawiki"},
    {"clock", "mediawiki"},
    {"clean", "mediawiki"},
    {"lists", "mediawiki"},
    {"headings", "mediawiki"},
    {"min-length", "mediawiki"},
    {"holes", "mediawiki"},
    {"report", "mediawiki"},
}};

constexpr std::array<std::string_view, 6> kOfDownloads = {"mirror",  "dump-date",     "contact",
                                                          "retries", "stall-seconds", "connections"};

// An empty name matches no option.
constexpr std::array<std::string_view, 2> kOfWordPiece = {"lower-case", "strip-accents"};
constexpr std::array<std::string_view, 2> kOfBytePairs = {"special-in-text", ""};

std::vector<std::string> formats_of(std::string_view option) {
  std::vector<std::string> formats;
  for (const auto& [name, format] : kFormats) {
    if (name == option) formats.emplace_back(format);
  }
  return formats;
}

std::set<std::string> formats_of(std::span<const CorpusPart> parts) {
  std::set<std::string> formats;
  for (const CorpusPart& part : parts) formats.emplace(name_of(resolve_format(part.inputs, part.source)));
  return formats;
}

std::string list(const std::set<std::string>& formats) {
  std::string text = formats.size() == 1 ? "the format " : "the formats ";
  for (const std::string& format : formats) text += (format == *formats.begin() ? "" : " and ") + format;
  return text;
}

}  // namespace

void refuse_ignored_options(std::span<const GivenOption> options, std::span<const CorpusPart> parts,
                            Progress& progress) {
  std::vector<GivenOption> given(options.begin(), options.end());
  std::erase_if(given, [](const GivenOption& option) { return formats_of(option.name).empty(); });
  if (given.empty()) return;
  const std::set<std::string> formats = formats_of(parts);
  for (const GivenOption& option : given) {
    const std::vector<std::string> wanted = formats_of(option.name);
    if (std::ranges::any_of(wanted, [&](const std::string& format) { return formats.contains(format); })) continue;
    std::string fault = " has no effect for " + list(formats) + ": it is for ";
    for (const std::string& format : wanted) fault += (format == wanted.front() ? "" : ", ") + format;
    if (option.is_flag) {
      throw ConfigError(quoted_field(option.name) + fault, {},
                        "leave it out, or give the format of the input as `format`");
    }
    if (!option.is_default) progress.note(option.name + " in the configuration file" + fault);
  }
}

void refuse_ignored_options(std::span<const GivenOption> given, const TextEncoder& encoder) {
  const bool is_wordpiece = encoder.wordpiece() != nullptr;
  const auto& ignored = is_wordpiece ? kOfBytePairs : kOfWordPiece;
  for (const GivenOption& option : given) {
    if (!option.is_flag || std::ranges::find(ignored, option.name) == ignored.end()) continue;
    throw ConfigError(quoted_field(option.name) + " has no effect: '" + encoder.name() + "' is a " +
                          (is_wordpiece ? "WordPiece vocabulary" : "byte-level BPE tokenizer"),
                      {}, "leave it out");
  }
}

void refuse_options_of_other_goal(std::span<const GivenOption> given, bool makes_sequences) {
  std::set<std::string, std::less<>> ignored;
  if (makes_sequences) {
    ignored.insert("phase");
    ignored.insert("line-breaks");
    for (const auto& field : fields_of<InstanceOptions>()) ignored.emplace(field.name);
    for (const auto& field : fields_of<ShardLayoutOptions>()) ignored.emplace(field.name);
  } else {
    for (const auto& field : SequenceOptions::fields()) ignored.emplace(field.name);
    for (const auto& field : fields_of<EncoderOptions>()) ignored.emplace(field.name);
    ignored.erase("detokenize");  // of the source
  }
  for (const GivenOption& option : given) {
    if (!option.is_flag || option.is_default || !ignored.contains(option.name)) continue;
    if (makes_sequences)
      throw ConfigError(quoted_field(option.name) + " has no effect on token sequences", {}, "leave it out");
    throw ConfigError(quoted_field(option.name) + " is for token sequences", {},
                      "give a trainer (`for`) or a format (`to`), too");
  }
}

void refuse_download_options(std::span<const GivenOption> given) {
  for (const GivenOption& option : given) {
    if (!option.is_flag || std::ranges::find(kOfDownloads, option.name) == kOfDownloads.end()) continue;
    throw ConfigError(quoted_field(option.name) + " has no effect: all inputs are on this machine", {}, "leave it out");
  }
}

}  // namespace bertprep
