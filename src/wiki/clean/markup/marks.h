// Which braces and brackets belong together: the spans of templates, links and tables, and the openings without an end.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace bertprep::clean {

enum class MarkKind : std::uint8_t { kTemplate, kParameter, kLink, kTable, kHtmlTable };

struct Mark {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;  // past the closing; 0: there is none
  MarkKind kind = MarkKind::kTemplate;

  bool is_open() const { return end == 0; }
  std::uint32_t width() const { return kind == MarkKind::kParameter ? 3 : kind == MarkKind::kHtmlTable ? 1 : 2; }
};

// Finds the marks of a text that SourceReader made. A link ends with its paragraph, a template before the next heading:
// an opening that is still waiting there has no end, so that a slip of the pen costs no more than its paragraph. Spans
// nest; time is linear in the text and its marks (they are sorted at the end).
class MarkFinder {
 public:
  // Sorted by begin, an outer one before its inner ones. Valid until the next call.
  std::span<const Mark> find(std::string_view text);

 private:
  struct Opening {
    std::uint32_t begin = 0;
    std::uint32_t count = 0;  // braces that wait
    MarkKind kind = MarkKind::kTemplate;
    std::uint32_t links_outside = 0;
    std::uint32_t templates_outside = 0;
  };

  std::size_t take_open_braces(std::size_t at);
  std::size_t take_closed_braces(std::size_t at);
  std::size_t take_open_brackets(std::size_t at);
  std::size_t take_closed_brackets(std::size_t at);
  std::size_t take_line_end(std::size_t at);
  bool at_line_start(std::size_t at) const;
  bool is_among_blanks(std::size_t at) const;
  std::size_t run(std::size_t at, char byte) const;
  void push(std::size_t begin, std::size_t count, MarkKind kind);
  void pop();
  void give_up();
  void close_table(MarkKind kind, std::size_t end);

  std::string_view text_;
  std::vector<Opening> openings_;
  std::vector<Mark> marks_;
  std::uint32_t links_ = 0;      // waiting inside the innermost template or table
  std::uint32_t templates_ = 0;  // waiting inside the innermost table
  std::uint32_t tables_ = 0;
  std::uint32_t html_tables_ = 0;
};

}  // namespace bertprep::clean
