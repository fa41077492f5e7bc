#include "source/books_source.h"

#include <utility>

#include "source/document_finisher.h"
#include "source/input_names.h"

namespace bertprep {

BooksSource::BooksSource(TextInput input, std::shared_ptr<const DocumentFinisher> finisher, const ArticleLimit& limit)
    : input_(std::move(input)), finisher_(std::move(finisher)), limit_(limit) {}

bool BooksSource::next(Document& document) {
  if (input_.bytes == nullptr) return false;
  document.text.clear();
  for (std::string_view block = input_.bytes->next_block(); !block.empty(); block = input_.bytes->next_block()) {
    document.text += block;
    if (!limit_.allows(document.text.size())) break;
  }
  input_.bytes.reset();
  if (!limit_.allows(document.text.size())) {
    limit_.reject(input_.name, document.text.size(), document.text);
    return false;
  }
  document.title = stem_of(input_.file_name.empty() ? input_.name : input_.file_name);
  document.origin.source = input_.name;
  document.finisher = finisher_;
  return true;
}

}  // namespace bertprep
