// BraceExpansion: the braces of one page become text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "wiki/brace_matcher.h"
#include "wiki/parser_functions.h"
#include "wiki/template_arguments.h"
#include "wiki/template_store.h"
#include "wiki/wiki_page.h"
#include "wiki/work_budget.h"

namespace bertprep {

class BraceExpansion final : public FunctionContext {
 public:
  // All are kept by reference; `templates` may be null, `stack` is scratch.
  BraceExpansion(const WikiSite& site, const TemplateStore* templates, const WikiPage& page, BraceStack& stack,
                 WorkBudget& budget)
      : site_(site), templates_(templates), page_(page), stack_(stack), budget_(budget) {}

  // Appends `text` with every {{...}} replaced. Once the budget is spent, what is appended is worth nothing.
  void expand(std::string_view text, std::string& out) override;
  bool spend(std::size_t bytes) override { return budget_.spend(bytes); }
  TemplateArguments arguments(std::span<const std::string_view> parts) override;
  const TemplateArguments* arguments_of(std::string_view name) const override;

 private:
  // brace_expansion.cpp: {{...}}.
  void expand_calls(std::string_view text, std::string& out);
  void call(std::string_view body, std::string& out);
  void call_by_title(std::string_view title, std::string_view body, std::string& out);
  void call_function(ParserFunction function, std::string_view first, std::string_view body, std::string& out);

  // template_call.cpp: calls of templates that are defined.
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

}  // namespace bertprep
