// The stage that evaluates everything in braces.
#pragma once

#include "wiki/templates/braces.h"
#include "wiki/templates/parser_functions.h"
#include "wiki/templates/template_store.h"

namespace bertprep {

// WorkBudget: the limit of bytes that the expansion of one page may read and write.
class WorkBudget {
 public:
  explicit WorkBudget(std::size_t bytes) : left_bytes_(bytes) {}

  // False once the budget is exceeded.
  bool spend(std::size_t bytes) {
    spent_ = spent_ || bytes > left_bytes_;
    left_bytes_ = spent_ ? 0 : left_bytes_ - bytes;
    return !spent_;
  }
  // Exhausts the budget at once.
  void give_up() { spent_ = true; }
  bool spent() const { return spent_; }

 private:
  std::size_t left_bytes_;
  bool spent_ = false;
};

// A call being expanded, with the enclosing calls.
struct TemplateFrame {
  std::string_view title;  // with its namespace
  const TemplateArguments& arguments;
  const TemplateFrame* caller = nullptr;
  int depth = 1;
};

// BraceExpansion: expands the braces of one page.
class BraceExpansion {
 public:
  // All are kept by reference; `templates` may be null, `stack` is scratch space.
  BraceExpansion(const WikiSite& site, const TemplateStore* templates, const WikiPage& page, BraceStack& stack,
                 WorkBudget& budget)
      : site_(site), templates_(templates), page_(page), stack_(stack), budget_(budget) {}

  // Appends `text` with every {{...}} replaced. Once the budget is exceeded, the appended text is meaningless.
  void expand(std::string_view text, std::string& out);

  // For parser functions. False: the page's budget of work does not allow `bytes` more.
  bool spend(std::size_t bytes) { return budget_.spend(bytes); }
  // The parts of the call as template arguments, expanded.
  TemplateArguments arguments(std::span<const std::string_view> parts) {
    return read_arguments(parts, Values::kExpanded);
  }
  // The arguments of the innermost enclosing call of template `name`, without namespace; null if there is none.
  const TemplateArguments* arguments_of(std::string_view name) const;

 private:
  // {{...}}
  void expand_calls(std::string_view text, std::string& out);
  void call(std::string_view body, std::string& out);
  void call_by_title(std::string_view title, std::string_view body, std::string& out);
  void call_function(ParserFunction function, std::string_view first, std::string_view body, std::string& out);

  // Calls of defined templates.
  enum class Values : std::uint8_t { kExpanded, kAsWritten };
  void call_template(std::string_view title, Values values, std::string_view body, std::string& out);
  TemplateArguments read_arguments(std::span<const std::string_view> parts, Values values);
  void fill_in(std::string_view text, const TemplateArguments& arguments, int depth, std::string& out);
  void fill_in_one(std::string_view body, const TemplateArguments& arguments, int depth, std::string& out);

  const WikiSite& site_;
  const TemplateStore* templates_;
  const WikiPage& page_;
  BraceStack& stack_;
  WorkBudget& budget_;
  const TemplateFrame* frame_ = nullptr;  // the call whose result is being expanded
  int depth_ = 0;
};

// One per thread.
class TemplateExpander {
 public:
  // Both are kept by reference; `templates` may be null.
  TemplateExpander(const WikiSite& site, const TemplateStore* templates) : site_(site), templates_(templates) {}

  // Replaces `out` by `text`, a part of `page`, with its braces expanded. False: it needs more work or memory than the
  // page's length allows (64 bytes per byte, plus 1 MiB, or 64 MiB with definitions), or nests too deeply; `out`
  // is then empty.
  bool expand(std::string_view text, const WikiPage& page, std::string& out);

 private:
  const WikiSite& site_;
  const TemplateStore* templates_;
  BraceStack stack_;
};

}  // namespace bertprep
