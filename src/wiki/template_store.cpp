#include "wiki/template_store.h"

#include "wiki/template_definition.h"

namespace bertprep {

void TemplateStore::define(std::string_view title, std::string_view text) {
  std::string definition = template_definition(text, words_);
  if (!definition.empty()) definitions_.insert_or_assign(std::string(title), std::move(definition));
}

const std::string* TemplateStore::find(std::string_view title) const {
  const auto found = definitions_.find(title);
  return found == definitions_.end() ? nullptr : &found->second;
}

}  // namespace bertprep
