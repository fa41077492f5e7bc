#include "wiki/clean/template_counts.h"

#include <algorithm>

#include "wiki/clean/inline.h"
#include "wiki/clean/links.h"
#include "wiki/clean/markup/chars.h"

namespace bertprep {
namespace {

constexpr std::size_t kSampleBytes = 200;
constexpr std::size_t kMostLost = 100;

void add_uses(TemplateCounts::Uses& uses, TemplateCounts::Uses&& later) {
  uses.shown += later.shown;
  uses.silent += later.silent;
  uses.dropped += later.dropped;
  for (auto& [name, dropped] : later.dropped_by_name) {
    const auto [entry, is_new] = uses.dropped_by_name.try_emplace(name, std::move(dropped));
    if (!is_new) entry->second.uses += dropped.uses;
  }
  for (const auto& [name, count] : later.silent_by_name) uses.silent_by_name[name] += count;
}

}  // namespace

void TemplateCounts::add(TemplateCounts&& later) {
  add_uses(in_text, std::move(later.in_text));
  add_uses(elsewhere, std::move(later.elsewhere));
  holes += later.holes;
  left_out += later.left_out;
  for (LostSentence& one : later.lost) add_lost(std::move(one));
}

void TemplateCounts::add_lost(LostSentence one) {
  if (lost.size() < kMostLost) lost.push_back(std::move(one));
}

namespace clean {
namespace {

enum class Place : std::uint8_t { kInText, kAlone, kLeftOut };

constexpr std::size_t kLongestPageName = 300;  // bytes; MediaWiki allows 255
constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// A line or a part of an argument while it is read, with what surrounds it.
struct Level {
  std::size_t end;
  std::size_t owner;  // the mark whose inside this is; kNone: the page
  std::vector<std::size_t> waiting{};
  bool has_begun = false;
  bool has_words = false;
  bool is_left_out = false;
  bool has_name = false;  // of the argument
};

// For each mark whether there are words beside it: in its line, or in its part of an argument or label. One that fills
// an argument or label stands where the template or link around it stands. Not in running text are templates of several
// lines that begin a line, and what stands in list items and headings, unless the rules keep them. Time: linear in the
// text and the marks.
class PlaceFinder {
 public:
  PlaceFinder(std::string_view text, std::span<const Mark> marks, const WikiSite& site, const LineRules& rules)
      : text_(text),
        marks_(marks),
        site_(site),
        rules_(rules),
        places_(marks.size(), Place::kAlone),
        owners_(marks.size(), kNone) {}

  std::vector<bool> run() {
    levels_.push_back({.end = text_.size(), .owner = kNone});
    for (std::size_t at = 0; !levels_.empty();) {
      while (next_ < marks_.size() && marks_[next_].begin < at) ++next_;
      const bool has_mark = next_ < marks_.size() && marks_[next_].begin < levels_.back().end;
      const std::size_t stop = has_mark ? marks_[next_].begin : levels_.back().end;
      while (at < stop) take_byte(text_[at++]);
      at = has_mark ? take_mark() : leave();
    }
    std::vector<bool> in_text(marks_.size());
    for (std::size_t i = 0; i < marks_.size(); ++i) {
      if (owners_[i] != kNone) {
        const Place around = places_[owners_[i]];
        if (around == Place::kLeftOut || places_[i] == Place::kAlone) places_[i] = around;
      }
      in_text[i] = places_[i] == Place::kInText;
    }
    return in_text;
  }

 private:
  bool is_kind(std::size_t owner, MarkKind kind) const { return owner != kNone && marks_[owner].kind == kind; }

  void take_byte(char byte) {
    Level& level = levels_.back();
    const bool in_template = is_kind(level.owner, MarkKind::kTemplate);
    const bool is_bar = byte == '|' && (in_template || is_kind(level.owner, MarkKind::kLink));
    if (byte == '\n' || byte == kBlockMark || is_bar) {
      end_part();
      if (is_bar) level.has_name = false;
      return;
    }
    if (byte == '=' && in_template && !level.has_name) {
      level.has_name = true;
      level.has_words = false;  // they were the argument's name
    }
    if (!level.has_begun && !is_space(byte)) {
      level.has_begun = true;
      if (level.owner == kNone) level.is_left_out = begins_left_out(byte);
    }
    if (is_word_byte(byte)) level.has_words = true;
  }

  bool begins_left_out(char byte) const {
    if (byte == '=') return !rules_.headings;
    return std::string_view("*#:;").find(byte) != std::string_view::npos && !rules_.lists;
  }

  // The inside of a closed mark is read next.
  std::size_t take_mark() {
    const std::size_t index = next_++;
    const Mark& mark = marks_[index];
    Level& level = levels_.back();
    level.has_begun = true;
    owners_[index] = level.owner;
    const std::size_t begin = mark.begin + mark.width();
    const bool is_closed = !mark.is_open() && mark.end <= level.end && mark.end >= begin + mark.width();
    const std::string_view inside = is_closed ? text_.substr(begin, mark.end - mark.width() - begin) : "";
    if (mark.kind == MarkKind::kLink && is_shown(inside)) level.has_words = true;
    const bool is_block = mark.kind == MarkKind::kTemplate && !level.has_words && has_line_end(begin, inside.size());
    // A multi-line call's closing braces may stand before the text that follows it.
    if (!is_block) level.waiting.push_back(index);
    if (is_closed) levels_.push_back({.end = mark.end - mark.width(), .owner = index});
    return begin;
  }

  // `begin` grows from call to call.
  bool has_line_end(std::size_t begin, std::size_t length) {
    if (line_end_ < begin) line_end_ = std::min(text_.find('\n', begin), text_.size());
    return line_end_ - begin < length;
  }

  bool is_shown(std::string_view link) const {
    link = link.substr(0, kLongestPageName);
    return read_target(link.substr(0, link.find('|')), site_).kind != LinkKind::kNothing;
  }

  std::size_t leave() {
    end_part();
    const std::size_t owner = levels_.back().owner;
    levels_.pop_back();
    return owner == kNone ? text_.size() : marks_[owner].end;
  }

  void end_part() {
    Level& level = levels_.back();
    for (const std::size_t index : level.waiting) {
      places_[index] = level.is_left_out ? Place::kLeftOut : level.has_words ? Place::kInText : Place::kAlone;
    }
    level.waiting.clear();
    level.has_begun = level.has_words = level.is_left_out = false;
  }

  std::string_view text_;
  std::span<const Mark> marks_;
  const WikiSite& site_;
  LineRules rules_;
  std::vector<Place> places_;
  std::vector<std::size_t> owners_;
  std::vector<Level> levels_;
  std::size_t next_ = 0;
  std::size_t line_end_ = 0;  // the first behind the last template
};

// A line of `wikitext`, at most so many bytes of whole characters.
std::string sample_of(std::string_view wikitext) {
  std::string sample(wikitext.substr(0, kSampleBytes));
  if (sample.size() < wikitext.size()) {
    while (!sample.empty() && (wikitext[sample.size()] & 0xC0) == 0x80) sample.pop_back();
    sample += "…";
  }
  restore_signs(sample);
  std::replace_if(
      sample.begin(), sample.end(), [](unsigned char byte) { return byte < ' '; }, ' ');
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
    ++uses.silent_by_name[use.name];
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
  const std::vector<bool> in_text = PlaceFinder(page.text, page.marks, page.site, page.rules).run();
  for (const TemplateUse& use : uses) {
    const std::size_t mark = mark_of(page.marks, use.inside.begin);
    add_use(use, page, mark < in_text.size() && in_text[mark] ? counts.in_text : counts.elsewhere);
  }
}

void count_losses(const PageLosses& losses, std::string_view title, TemplateCounts& counts) {
  counts.holes += losses.holes;
  counts.left_out += losses.left_out;
  for (const std::string& text : losses.samples) counts.add_lost({std::string(title), text});
}

}  // namespace clean
}  // namespace bertprep
