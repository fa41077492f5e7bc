#include "wiki/markup/quotes.h"

#include <algorithm>
#include <span>

#include "unicode/byte_search.h"
#include "wiki/markup/edits.h"

namespace bertprep {
namespace {

// Within a line, groups of `length` quotes are taken from the left of each run and paired in order. The shortest match
// between two groups is the text between them, so a rule needs only the lengths of the runs. A last group without a
// partner stays.
template <typename Pair>
void pair_groups(std::span<QuoteRun> line, std::size_t length, Pair pair) {
  std::size_t groups = 0;
  for (const QuoteRun& run : line) groups += run.singles / length;
  groups -= groups % 2;
  for (QuoteRun& run : line) {
    const std::size_t of_run = std::min(groups, run.singles / length);
    pair(run, of_run);
    groups -= of_run;
  }
}

void drop_bold(std::span<QuoteRun> line) {
  for (const std::size_t length : {std::size_t{5}, std::size_t{3}}) {
    pair_groups(line, length, [length](QuoteRun& run, std::size_t groups) { run.singles -= length * groups; });
  }
}

void double_italics(std::span<QuoteRun> line) {
  pair_groups(line, 2, [](QuoteRun& run, std::size_t groups) {
    run.doubles += groups;
    run.singles -= 2 * groups;
  });
}

template <typename Rule>
void for_each_line(std::string_view text, std::span<QuoteRun> runs, Rule rule) {
  for (std::size_t first = 0; first < runs.size();) {
    const std::size_t line_end = find_byte(text, '\n', runs[first].end);
    std::size_t last = first + 1;
    while (last < runs.size() && runs[last].begin < line_end) ++last;
    rule(runs.subspan(first, last - first));
    first = last;
  }
}

// ''"x"'' -> "x" and ""x"" -> "x": `mark` is ' or ".
bool unwrap_doubled(char mark, std::string_view text, std::string& out) {
  const std::string_view open = mark == '"' ? R"("")" : R"(''")";
  const std::string_view close = mark == '"' ? R"("")" : R"("'')";
  Edits edits(text, out);
  for (std::size_t begin = find_pair(text, mark, mark); begin < text.size();) {
    const std::size_t inner = begin + open.size();
    const bool opens = text.substr(begin).starts_with(open);
    const std::size_t quote = opens ? find_byte(text, '"', inner) : text.size();
    if (opens && quote == text.npos) break;
    if (opens && text.substr(quote).starts_with(close)) {
      edits.replace(begin, inner, "\"");
      edits.replace(quote, quote + close.size(), "\"");
      begin = find_pair(text, mark, mark, quote + close.size());
    } else {
      begin = find_pair(text, mark, mark, begin + 1);
    }
  }
  return edits.finish();
}

// Removes ''', then turns '' into ".
void replace_rest(QuoteRun& run) {
  const std::size_t singles = run.singles % 3;
  run.doubles += singles / 2;
  run.singles = singles % 2;
}

}  // namespace

void Quotes::find_runs(std::string_view text) {
  runs_.clear();
  for (std::size_t begin = find_pair(text, '\'', '\''); begin < text.size();) {
    const std::size_t end = std::min(text.find_first_not_of('\'', begin), text.size());
    runs_.push_back({begin, end, 0, end - begin});
    begin = find_pair(text, '\'', '\'', end);
  }
}

bool Quotes::write_runs(std::string_view text, bool is_last, std::string& out) const {
  Edits edits(text, out);
  for (QuoteRun run : runs_) {
    if (is_last) replace_rest(run);
    if (run.singles == run.end - run.begin) continue;
    edits.erase(run.begin, run.end - run.singles);
    for (std::size_t i = 0; i < run.doubles; ++i) edits.replace(run.end - run.singles, run.end - run.singles, "\"");
  }
  return edits.finish();
}

bool Quotes::replace(std::string_view text, std::string& out) {
  // Dumps escape ", so the two rules about " usually apply only to doubled italics.
  if (find_byte(text, '"') != text.npos) return replace_all(text, out);
  find_runs(text);
  if (runs_.empty()) return false;
  for_each_line(text, runs_, drop_bold);
  for_each_line(text, runs_, double_italics);
  const bool has_doubled = std::any_of(runs_.begin(), runs_.end(), [](const QuoteRun& run) { return run.doubles > 1; });
  return has_doubled ? replace_all(text, out) : write_runs(text, true, out);
}

bool Quotes::replace_all(std::string_view text, std::string& out) {
  bool changed = false;
  const auto apply = [&](auto&& step) {
    if (!step(text, spare_)) return;
    out.swap(spare_);
    text = out;
    changed = true;
  };
  const auto apply_runs = [&](auto rule, bool is_last) {
    find_runs(text);
    for_each_line(text, runs_, rule);
    apply([&](std::string_view in, std::string& to) { return write_runs(in, is_last, to); });
  };
  apply_runs(drop_bold, false);
  apply([](std::string_view in, std::string& to) { return unwrap_doubled('\'', in, to); });
  apply_runs(double_italics, false);
  apply([](std::string_view in, std::string& to) { return unwrap_doubled('"', in, to); });
  apply_runs([](std::span<QuoteRun>) {}, true);
  return changed;
}

}  // namespace bertprep
