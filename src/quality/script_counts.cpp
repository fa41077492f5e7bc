#include "quality/script_counts.h"

#include <algorithm>
#include <vector>

#include "unicode/ascii.h"
#include "unicode/code_points.h"
#include "unicode/properties/mappings.h"
#include "unicode/properties/properties.h"

namespace bertprep {
namespace {

constexpr std::size_t kLongestExampleBytes = 40;
constexpr std::size_t kBlock = 256;
constexpr std::size_t kBlocks = 0x110000 / kBlock;

// The effect of stripping accents on a letter.
enum class Stripping : std::uint8_t { kNothing, kRemoves, kUnvoices, kTakesAccent };

struct Property {
  std::uint8_t script = unicode::kCommonScript;  // Common: not a letter; Inherited: the script of the previous letter
  Stripping stripping = Stripping::kNothing;
};

bool loses_a_mark(char32_t c) {
  if (!unicode::decomposes(c)) return false;
  const std::u32string parts = unicode::nfd(std::u32string(1, c));
  return std::any_of(parts.begin(), parts.end(), unicode::is_nonspacing_mark);
}

bool has_accents(int script) {
  return script == unicode::kLatinScript || script == unicode::kGreekScript || script == unicode::kCyrillicScript;
}

Stripping stripping_of(char32_t c, int script) {
  if (unicode::is_nonspacing_mark(c)) return Stripping::kRemoves;
  if (!loses_a_mark(c)) return Stripping::kNothing;
  return has_accents(script) ? Stripping::kTakesAccent : Stripping::kUnvoices;
}

Property property_of(char32_t c) {
  const int script = unicode::script_of(c);
  if (script == unicode::kCommonScript) return {};
  return {static_cast<std::uint8_t>(script), stripping_of(c, script)};
}

using Block = std::array<Property, kBlock>;

std::string_view word_around(std::string_view text, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && !is_ascii_blank(text[begin - 1])) --begin;
  std::size_t end = at;
  while (end < text.size() && !is_ascii_blank(text[end])) ++end;
  return text.substr(begin, end - begin);
}

std::uint64_t count_ascii_letters(std::string_view text) {
  std::uint64_t count = 0;
  for (const char c : text) count += static_cast<unsigned char>((static_cast<unsigned char>(c) | 0x20) - 'a') < 26;
  return count;
}

bool has_other_than_ascii(std::string_view text) {
  unsigned char all = 0;
  for (const char c : text) all |= static_cast<unsigned char>(c);
  return all >= 0x80;
}

}  // namespace

struct ScriptCounter::State {
  std::vector<std::unique_ptr<const Block>> blocks{kBlocks};
  std::array<ScriptCount, unicode::kMaxScripts> counts{};

  const Property& property(char32_t c) {
    std::unique_ptr<const Block>& block = blocks[c / kBlock];
    if (block == nullptr) block = make_block(c / kBlock);
    return (*block)[c % kBlock];
  }

  static std::unique_ptr<const Block> make_block(std::size_t number) {
    auto block = std::make_unique<Block>();
    for (std::size_t i = 0; i < kBlock; ++i) (*block)[i] = property_of(static_cast<char32_t>(number * kBlock + i));
    return block;
  }

  void add_others(std::string_view text) {
    const char* const end = text.data() + text.size();
    std::uint8_t script = unicode::kLatinScript;  // of the previous letter
    for (const char* at = text.data(); at != end;) {
      if (static_cast<unsigned char>(*at) < 0x80) {
        if (is_ascii_letter(*at)) script = unicode::kLatinScript;
        ++at;
        continue;
      }
      const char* const begin = at;
      const Property& property = this->property(unicode::next_code_point(at));
      if (property.script == unicode::kCommonScript) continue;
      if (property.script != unicode::kInheritedScript) script = property.script;
      ScriptCount& count = counts[script];
      ++count.letters;
      if (property.stripping == Stripping::kNothing) continue;
      // A letter and a mark that could be one accented letter.
      const bool is_accent = property.script == unicode::kInheritedScript && has_accents(script);
      ++(is_accent || property.stripping == Stripping::kTakesAccent ? count.accented : count.lost);
      if (count.example.empty()) keep_example(text, static_cast<std::size_t>(begin - text.data()), count);
    }
  }

  static void keep_example(std::string_view text, std::size_t at, ScriptCount& count) {
    const std::string_view word = word_around(text, at);
    if (word.size() <= kLongestExampleBytes) count.example = word;
  }
};

ScriptCounter::ScriptCounter() : state_(std::make_unique<State>()) {}
ScriptCounter::~ScriptCounter() = default;
ScriptCounter::ScriptCounter(ScriptCounter&&) noexcept = default;
ScriptCounter& ScriptCounter::operator=(ScriptCounter&&) noexcept = default;

void ScriptCounter::add(std::string_view text) {
  state_->counts[unicode::kLatinScript].letters += count_ascii_letters(text);
  if (has_other_than_ascii(text)) state_->add_others(text);
}

ScriptCounts ScriptCounter::take() {
  ScriptCounts counts;
  for (std::size_t script = 0; script < state_->counts.size(); ++script) {
    ScriptCount& count = state_->counts[script];
    if (count.letters > 0) counts.by_name.emplace(unicode::name_of_script(static_cast<int>(script)), std::move(count));
    count = {};
  }
  return counts;
}

void ScriptCounts::add(const ScriptCounts& other) {
  for (const auto& [name, more] : other.by_name) {
    ScriptCount& count = by_name[name];
    count.letters += more.letters;
    count.lost += more.lost;
    count.accented += more.accented;
    if (count.example.empty()) count.example = more.example;
  }
}

Json ScriptCounts::to_json() const {
  Json json = Json::object();
  for (const auto& [name, count] : by_name) {
    Json entry = Json::object().add("letters", Json::number(count.letters));
    if (count.lost > 0) entry.add("lost", Json::number(count.lost));
    if (count.accented > 0) entry.add("accented", Json::number(count.accented));
    if (!count.example.empty()) entry.add("example", Json::string(count.example));
    json.add(name, std::move(entry));
  }
  return json;
}

ScriptCounts ScriptCounts::from_json(const Json& json) {
  const auto number = [](const Json& entry, const char* name) {
    const Json* value = entry.find(name);
    return value == nullptr ? 0 : value->as_unsigned();
  };
  ScriptCounts counts;
  for (const auto& [name, entry] : json.members()) {
    ScriptCount& count = counts.by_name[name];
    count = {entry.at("letters").as_unsigned(), number(entry, "lost"), number(entry, "accented")};
    if (const Json* example = entry.find("example")) count.example = example->text();
  }
  return counts;
}

}  // namespace bertprep
