#include "wiki/template_expansion.h"

#include "wiki/brace_expansion.h"

namespace bertprep {
namespace {

constexpr std::size_t kWorkPerByte = 64;
constexpr std::size_t kFreeWorkBytes = std::size_t{1} << 20;
// A line may call templates that together are longer than any article.
constexpr std::size_t kFreeWorkBytesOfTemplates = std::size_t{64} << 20;

}  // namespace

bool TemplateExpander::expand(std::string_view text, const WikiPage& page, std::string& out) {
  out.clear();
  const std::size_t free_bytes = templates_ == nullptr ? kFreeWorkBytes : kFreeWorkBytesOfTemplates;
  WorkBudget budget(free_bytes + kWorkPerByte * text.size());
  BraceExpansion(site_, templates_, page, stack_, budget).expand(text, out);
  if (!budget.spent()) return true;
  out.clear();
  return false;
}

}  // namespace bertprep
