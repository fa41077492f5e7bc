#include "pipeline/ignored_options.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "bertprep/base/error.h"
#include "bertprep/instance/instance_set.h"
#include "bertprep/shard/shard_writer.h"
#include "pipeline/sequences/sequences.h"

namespace bertprep {
namespace {

constexpr std::array<std::string_view, 6> kOfDownloads = {"mirror",  "dump-date",     "contact",
                                                          "retries", "stall-seconds", "connections"};

// An empty name matches no option.
constexpr std::array<std::string_view, 2> kOfWordPiece = {"lower-case", "strip-accents"};
constexpr std::array<std::string_view, 2> kOfBytePairs = {"special-in-text", ""};

template <class Options>
const Field<Options>* field_named(std::string_view name) {
  const auto fields = fields_of<Options>();
  const auto found = std::ranges::find(fields, name, &Field<Options>::name);
  return found == fields.end() ? nullptr : &*found;
}

// On which an option has an effect; none: on all.
std::vector<std::string> formats_of(std::string_view option) {
  if (field_named<WikiOptions>(option) != nullptr) return {"mediawiki"};
  std::vector<std::string> formats;
  const auto* field = field_named<SourceOptions>(option);
  std::string_view rest = field == nullptr ? std::string_view() : field->formats;
  while (!rest.empty()) {
    formats.emplace_back(rest.substr(0, rest.find('|')));
    rest.remove_prefix(std::min(formats.back().size() + 1, rest.size()));
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
