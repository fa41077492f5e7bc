// Whatever the arguments of a template are: each is shown, or the template is lost and counted, or its rule says that
// readers see nothing of that argument. Names of templates and units are told apart by their capitals.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "support/clean_text.h"
#include "unicode/ascii.h"
#include "wiki/clean/markup/chars.h"
#include "wiki/clean/template_counts.h"
#include "wiki/clean/templates.h"

namespace bertprep {
namespace {

constexpr int kDraws = 6;
constexpr std::size_t kMaxArguments = 5;

struct KnownTemplate {
  std::string language;
  std::string name;
  std::set<std::string> ignored;  // arguments, as the rule says; "*" is all
};

void add_words(std::string_view words, char between, std::set<std::string>& all) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(between), words.size());
    all.emplace(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

// Of "{2/1}" one is shown, "{!2}" and "{?2}" are conditions, "{~1}" says it.
std::set<std::string> ignored_by_description(std::string_view text) {
  std::set<std::string> ignored;
  for (std::size_t begin = text.find('{'); begin != text.npos; begin = text.find('{', begin + 1)) {
    std::string_view names = text.substr(begin + 1, text.find('}', begin) - begin - 1);
    const bool is_said = names.starts_with('~') || names.starts_with('!') || names.starts_with('?');
    if (is_said) names.remove_prefix(1);
    if (is_said || names.find('/') != names.npos) add_words(names.substr(0, names.find('=')), '/', ignored);
  }
  return ignored;
}

// A family "link-" or "* siècle" by one of its names.
std::string one_of(std::string_view name) {
  if (name.starts_with("* ")) return "xi" + std::string(name.substr(1));
  if (name.ends_with(" *")) return std::string(name.substr(0, name.size() - 1)) + "xi";
  const bool is_family = name.size() > 1 && (name.ends_with('-') || name.ends_with('/'));
  return std::string(name) + (is_family ? "de" : "");
}

void add_entries(std::vector<KnownTemplate>& all) {
  for (const auto& [written, entry] : clean::template_entries()) {
    std::set<std::string> ignored;
    add_words(entry.ignored, ' ', ignored);
    for (const char* language : {"en", "fr", "de", "es", "it", "ja", "ru"}) {
      const bool has_own = clean::language_table(language).find(clean::normal_name(entry.names)).has_value();
      if (!has_own) all.push_back({language, one_of(entry.names), ignored});
    }
  }
}

void add_tables(std::vector<KnownTemplate>& all) {
  for (const auto& [language, file] : clean::language_files()) {
    for (const auto& [name, description] : clean::language_table(language).descriptions()) {
      if (!description.alike.empty()) continue;
      all.push_back({std::string(language == "common" ? "sv" : language), one_of(name),
                     ignored_by_description(description.text)});
    }
  }
}

std::vector<KnownTemplate> all_known() {
  std::vector<KnownTemplate> all;
  add_entries(all);
  add_tables(all);
  return all;
}

// Letters and digits alone, in small letters: "12,345" is "12345".
std::string squeezed(std::string_view text) {
  std::string letters;
  for (const char byte : text) {
    if (is_ascii_letter(byte) || is_ascii_digit(byte)) letters.push_back(ascii_lower(byte));
  }
  return letters;
}

using Random = std::mt19937;

std::string draw_word(Random& random) {
  std::string word = "q";
  for (int i = 0; i < 6; ++i) word.push_back("bcdfghjkmnpqrstvwxz"[random() % 19]);
  return word;
}

std::string draw_argument(Random& random) {
  if (random() % 2 == 0) return draw_word(random);
  return std::to_string(random() % 3 == 0 ? random() % 12 + 1 : random() % 8000 + 1000);
}

// Templates that calculate with their numbers: what they show is tested with them.
bool is_computed(std::string_view name) {
  constexpr std::string_view kNames[] = {
      "convert",         "cvt",       "conv",     "conversie",   "convertir",
      "تحويل",           "converter", "pretvori", "pop density", "age",
      "age in years",    "bda",       "spellnum", "percentage",  "subatomic particle",
      "nombre en romain"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames) || name.starts_with("convert-");
}

TEST(TemplateArguments, AreShownOrIgnoredByRuleOrTheTemplateIsLost) {
  const std::string nothing = test::clean_text("Alpha beta gamma.\n");
  Random random(7);
  std::size_t shown = 0, lost = 0;
  for (const KnownTemplate& known : all_known()) {
    for (int draw = 0; draw < kDraws && !is_computed(known.name) && !known.ignored.contains("*"); ++draw) {
      std::vector<std::string> arguments;
      std::string call = "{{" + known.name;
      for (std::size_t count = random() % kMaxArguments + 1; count > 0; --count) {
        call.append("|").append(arguments.emplace_back(draw_argument(random)));
      }
      const std::string text = test::clean_text("Alpha beta " + call + "}} gamma.\n", known.language);
      if (text.empty()) continue;  // the template makes the page one that is left out
      const std::string letters = squeezed(text);
      if (letters == "alphabetagamma") {
        ++lost;
        continue;
      }
      ++shown;
      for (std::size_t number = 1; number <= arguments.size(); ++number) {
        const std::string& argument = arguments[number - 1];
        const bool may_be_month = argument.size() < 3;
        if (may_be_month || known.ignored.contains(std::to_string(number))) continue;
        EXPECT_NE(letters.find(argument), letters.npos) << known.language << ": " << call << "}} is " << text;
      }
    }
  }
  EXPECT_GT(shown, 3000U);
  EXPECT_GT(lost, 3000U);
}

// The other case of a letter that is not the first of the name.
std::optional<std::string> with_other_case(std::string name, Random& random) {
  std::vector<std::size_t> letters;
  for (std::size_t at = 1; at < name.size(); ++at) {
    if (is_ascii_letter(name[at])) letters.push_back(at);
  }
  if (letters.empty()) return std::nullopt;
  name[letters[random() % letters.size()]] ^= 0x20;
  return name;
}

TEST(TemplateArguments, NamesWithCapitalsAreNoOthers) {
  Random random(11);
  std::size_t names = 0;
  for (const auto& [language, file] : clean::language_files()) {
    const clean::LanguageTable& table = clean::language_table(language);
    for (const auto& [name, description] : table.descriptions()) {
      const auto other = with_other_case(std::string(name), random);
      const bool has_capitals = clean::normal_name(name) != name;
      if (!has_capitals || !other || table.find_written(clean::page_name(*other)) || !description.alike.empty())
        continue;
      ++names;
      const auto shown = [&, code = std::string(language == "common" ? "sv" : language)](std::string_view called) {
        return test::clean_text("Alpha {{" + std::string(called) + "|1=qword}} beta.\n", code);
      };
      const bool is_other = table.find(clean::normal_name(name)) || test::is_known_to_every_wiki(*other) ||
                            test::is_known_to_every_wiki(clean::normal_name(name));
      if (is_other) continue;
      EXPECT_EQ(shown(*other), "Alpha beta.\n") << language << ": " << *other;
    }
  }
  EXPECT_GT(names, 1000U);
}

}  // namespace
}  // namespace bertprep
