#include "source/books/books_source.h"

#include <utility>

#include "source/books/book_decoder.h"
#include "source/books/gutenberg.h"
#include "source/books/paragraphs.h"
#include "source/input/foreign_format.h"
#include "source/input/input_list.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

class BooksWorker final : public DeferredWork::Worker {
 public:
  explicit BooksWorker(const BookOptions& options)
      : options_(options), decoder_(options.is_reference ? "utf-8" : options.encoding) {}

  std::optional<Rejection> finish(Document& document) override {
    document.deferred.reset();
    bytes_.swap(document.text);
    auto reason = decode(document);
    if (!reason && strip(text_).empty()) reason = "the book contains no text";
    if (reason) return Rejection{document.origin.source, std::move(*reason), std::move(bytes_)};
    take_text(document);
    return std::nullopt;
  }

 private:
  std::optional<std::string> decode(Document& document) {
    if (const auto foreign = options_.is_reference ? std::nullopt : foreign_format_of(bytes_)) {
      return "this is " + foreign->what;
    }
    auto reason = decoder_.decode(bytes_, text_, document.note);
    if (options_.is_reference && !document.note.empty()) {
      document.note.clear();
      reason = "it ends within a character";
    }
    if (!reason && !options_.is_reference) reason = why_no_text(text_);
    return reason;
  }

  void take_text(Document& document) {
    if (options_.is_reference) {
      document.layout = ArticleLayout::kReference;
      document.text = stripped_lines(text_);
      return;
    }
    if (!options_.as_is) end_lines_at_feeds(text_);
    if (!options_.keep_gutenberg) text_ = without_gutenberg_frame(text_, document.note);
    document.text = options_.as_is ? text_ : joined_paragraphs(text_);
  }

  BookOptions options_;
  BookDecoder decoder_;
  std::string bytes_;
  std::string text_;
};

class DeferredBooks final : public DeferredWork {
 public:
  explicit DeferredBooks(BookOptions options) : options_(std::move(options)) {}

  std::unique_ptr<Worker> make_worker() const override { return std::make_unique<BooksWorker>(options_); }

 private:
  BookOptions options_;
};

}  // namespace

std::shared_ptr<const DeferredWork> make_deferred_books(const BookOptions& options) {
  auto deferred = std::make_shared<DeferredBooks>(options);
  deferred->make_worker();
  return deferred;
}

BooksSource::BooksSource(TextInput input, std::shared_ptr<const DeferredWork> deferred, const ArticleLimit& limit)
    : input_(std::move(input)), deferred_(std::move(deferred)), limit_(limit) {}

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
  document.deferred = deferred_;
  return true;
}

}  // namespace bertprep
