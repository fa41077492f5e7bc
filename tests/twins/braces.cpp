#include "twins/braces.h"

#include <algorithm>
#include <cctype>

namespace bertprep::test {
namespace {

struct Run {
  char brace = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  long length() const { return static_cast<long>(end - begin); }
};

// All runs of two or more.
std::vector<Run> all_runs(std::string_view text, std::string_view braces) {
  std::vector<Run> runs;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    while (end < text.size() && text[end] == text[i]) ++end;
    if (end - i >= 2 && braces.find(text[i]) != std::string_view::npos) runs.push_back({text[i], i, end});
    i = end;
  }
  return runs;
}

void close_curly(std::vector<long>& stack, long& n) {
  while (!stack.empty()) {
    const long o = stack.back();
    stack.pop_back();
    if (n >= o) {
      n -= o;
      if (n <= 1) return;
    } else {
      stack.push_back(o - n);
      return;
    }
  }
}

void close_square(std::vector<long>& stack, long& n) {
  while (!stack.empty() && stack.back() < 0) {
    const long o = -stack.back();
    stack.pop_back();
    if (n >= o) {
      n -= o;
      if (n <= 1) return;
    } else {
      stack.push_back(n - o);
      return;
    }
  }
}

bool opens(const Run& run, long smallest) {
  return run.brace == '[' || (run.brace == '{' && run.length() >= std::max(smallest, 2L));
}

std::string stripped(std::string text) {
  const auto is_blank = [](unsigned char c) { return std::isspace(c) != 0; };
  text.erase(text.begin(), std::find_if_not(text.begin(), text.end(), is_blank));
  text.erase(std::find_if_not(text.rbegin(), text.rend(), is_blank).base(), text.end());
  return text;
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string plain_call(std::string_view body) {
  const auto parts = plain_brace_parts(body);
  std::string title = plain_expansion(stripped(parts[0]));
  for (const std::string_view prefix : {"subst:", "safesubst:"}) {
    if (lower(title).starts_with(prefix)) {
      title.erase(0, prefix.size());
      break;
    }
  }
  if (title == "!") return "|";
  const auto colon = title.find(':');
  if (colon == std::string::npos || colon < 2) return {};
  const std::string function = lower(title.substr(0, colon));
  const std::string argument = stripped(title.substr(colon + 1));
  if (function == "lc") return lower(argument);
  if (function != "#if" || parts.size() < 2) return {};
  const std::size_t chosen = argument.empty() ? 2 : 1;
  return chosen < parts.size() ? plain_expansion(stripped(parts[chosen])) : std::string();
}

}  // namespace

std::vector<PlainSpan> plain_brace_spans(std::string_view text, long smallest) {
  const auto runs = all_runs(text, smallest == 0 ? "{}[]" : "{}");
  std::vector<PlainSpan> spans;
  for (std::size_t at = 0; at < runs.size();) {
    const Run& opening = runs[at++];
    if (!opens(opening, smallest)) continue;
    std::vector<long> stack{opening.brace == '{' ? opening.length() : -opening.length()};
    bool over = false;
    for (; !over; ++at) {
      if (at == runs.size()) return spans;
      const Run& run = runs[at];
      long n = run.length();
      if (run.brace == '{') stack.push_back(n);
      if (run.brace == '[') stack.push_back(-n);
      if (run.brace == '}') close_curly(stack, n);
      if (run.brace == ']') close_square(stack, n);
      if (stack.empty()) {
        spans.emplace_back(opening.begin, run.end - static_cast<std::size_t>(n));
        over = true;
      } else if (run.brace == '}' && stack.size() == 1 && stack[0] > 0 && stack[0] < smallest) {
        over = true;
      }
    }
  }
  return spans;
}

std::vector<std::string> plain_brace_parts(std::string_view text) {
  std::vector<bool> inside(text.size(), false);
  for (const auto& [begin, end] : plain_brace_spans(text, 0)) {
    for (std::size_t i = begin; i < end; ++i) inside[i] = true;
  }
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '|' && !inside[i]) {
      parts.emplace_back();
    } else {
      parts.back() += text[i];
    }
  }
  return parts;
}

std::string plain_expansion(std::string_view text) {
  std::string out;
  std::size_t copied = 0;
  for (const auto& [begin, end] : plain_brace_spans(text, 2)) {
    out += text.substr(copied, begin - copied);
    out += plain_call(text.substr(begin + 2, end - begin - 4));
    copied = end;
  }
  out += text.substr(copied);
  return out;
}

}  // namespace bertprep::test
