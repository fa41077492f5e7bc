#include "wiki/clean/templates.h"

#include <array>
#include <unordered_map>

#include "wiki/clean/chars.h"
#include "wiki/clean/functions.h"

namespace bertprep::clean {
namespace {

constexpr std::size_t kLongestName = 80;

using Table = std::unordered_map<std::string_view, const TemplateEntry*>;

Table join_tables() {
  Table table;
  for (const auto entries : {sign_templates(), wrapper_templates(), language_templates(), phrase_templates(),
                             people_templates(), number_templates(), measure_templates()}) {
    for (const TemplateEntry& entry : entries) table.emplace(entry.name, &entry);
  }
  return table;
}

const TemplateEntry* find_entry(std::string_view name) {
  static const Table kTable = join_tables();
  const auto found = kTable.find(name);
  return found == kTable.end() ? nullptr : found->second;
}

// {{lang-de|...}}, {{IPA-fr|...}}: one entry for all languages, under the name with its hyphen.
const TemplateEntry* find_family(std::string_view name) {
  const std::size_t hyphen = name.find('-');
  return hyphen == std::string_view::npos ? nullptr : find_entry(name.substr(0, hyphen + 1));
}

std::string_view without_prefix(std::string_view name) {
  for (const std::string_view prefix : {"subst:", "safesubst:", "template:", ":template:"}) {
    if (name.starts_with(prefix)) name = trim(name.substr(prefix.size()));
  }
  return name;
}

}  // namespace

void render_template(Renderer& renderer, Span inside, int depth, std::string& out) {
  const std::size_t bar = renderer.find_outside(inside, '|');
  const Span head{inside.begin, bar};
  std::optional<Span> arguments;
  if (bar < inside.end) arguments = Span{bar + 1, inside.end};
  const std::size_t colon = renderer.find_outside(head, ':');
  if (colon < bar && render_function(renderer, {head.begin, colon}, {colon + 1, inside.end}, depth, out)) return;
  if (bar - inside.begin > kLongestName) return;
  const std::string full_name = normal_name(renderer.text(head));
  std::string name(without_prefix(full_name));
  if (!arguments && write_variable(renderer, name, out)) return;
  const TemplateEntry* entry = find_entry(name);
  if (entry == nullptr) entry = find_family(name);
  if (entry == nullptr) return;
  TemplateCall call(renderer, std::move(name), arguments, depth);
  entry->write(call, entry->detail, out);
}

}  // namespace bertprep::clean
