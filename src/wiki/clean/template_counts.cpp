#include "wiki/clean/template_counts.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace bertprep {
namespace {

constexpr std::size_t kSampleBytes = 200;

void add_uses(TemplateCounts::Uses& uses, TemplateCounts::Uses&& later) {
  uses.shown += later.shown;
  uses.silent += later.silent;
  uses.dropped += later.dropped;
  for (auto& [name, dropped] : later.dropped_by_name) {
    const auto [entry, is_new] = uses.dropped_by_name.try_emplace(name, std::move(dropped));
    if (!is_new) entry->second.uses += dropped.uses;
  }
}

}  // namespace

void TemplateCounts::add(TemplateCounts&& later) {
  add_uses(in_text, std::move(later.in_text));
  add_uses(elsewhere, std::move(later.elsewhere));
}

namespace clean {
namespace {

// A line of `wikitext`, at most so many bytes of whole characters.
std::string sample_of(std::string_view wikitext) {
  std::string sample(wikitext.substr(0, kSampleBytes));
  if (sample.size() < wikitext.size()) {
    while (!sample.empty() && (wikitext[sample.size()] & 0xC0) == 0x80) sample.pop_back();
    sample += "…";
  }
  std::replace_if(
      sample.begin(), sample.end(), [](char byte) { return byte >= 0 && byte < ' '; }, ' ');
  return sample;
}

// Of a template whose inside begins there, closed or not.
std::size_t mark_of(std::span<const Mark> marks, std::size_t inside) {
  const auto found = std::lower_bound(marks.begin(), marks.end(), inside - std::min<std::size_t>(inside, 2),
                                      [](const Mark& mark, std::size_t begin) { return mark.begin < begin; });
  return static_cast<std::size_t>(found - marks.begin());
}

void add_use(const TemplateUse& use, const CountedPage& page, TemplateCounts::Uses& uses) {
  if (use.fate == TemplateFate::kShown) {
    ++uses.shown;
  } else if (use.fate == TemplateFate::kSilent) {
    ++uses.silent;
  } else {
    ++uses.dropped;
    auto& [count, title, sample] = uses.dropped_by_name[use.name];
    if (count++ != 0) return;
    title = page.title;
    const std::string_view inside = page.text.substr(use.inside.begin, use.inside.end - use.inside.begin);
    sample = sample_of("{{" + std::string(inside.substr(0, 2 * kSampleBytes)) + "}}");
  }
}

}  // namespace

void count_uses(std::span<const TemplateUse> uses, const CountedPage& page, TemplateCounts& counts) {
  const std::vector<bool> in_text = find_in_text(page.text, page.marks, page.site, page.rules);
  for (const TemplateUse& use : uses) {
    const std::size_t mark = mark_of(page.marks, use.inside.begin);
    add_use(use, page, mark < in_text.size() && in_text[mark] ? counts.in_text : counts.elsewhere);
  }
}

}  // namespace clean
}  // namespace bertprep
