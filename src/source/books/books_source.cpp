#include "source/books/books_source.h"

#include <cstddef>
#include <utility>

#include "base/number_text.h"
#include "source/books/gutenberg.h"
#include "source/books/paragraphs.h"
#include "source/encoding/guess.h"
#include "source/input/foreign_format.h"
#include "source/input/input_list.h"
#include "unicode/code_points.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

constexpr std::size_t kCharactersToAControl = 100;

// Texts contain white space, DOS's end of file, and terminal escapes.
bool is_odd_control(unsigned char c) {
  const bool is_usual = (c >= '\t' && c <= '\r') || c == 0x1A || c == 0x1B;
  return (c < ' ' && !is_usual) || c == 0x7F;
}

constexpr const char* kAuto = "auto";

std::string truncation_note(std::size_t bytes) {
  return "it ends within a character: its last " + counted(bytes, "byte", "is", "are") + " left out";
}

void add_note(const std::string& more, std::string& note) {
  if (!note.empty()) note += "; ";
  note += more;
}

class BooksWorker final : public DeferredWork::Worker {
 public:
  explicit BooksWorker(const BookOptions& options)
      : options_(options), decoder_(options.is_reference ? "utf-8" : options.encoding) {}

  std::optional<Rejection> finish(SourceDocument& document) override {
    document.deferred.reset();
    bytes_.swap(document.text);
    auto reason = decode(document);
    if (!reason && strip(text_).empty()) reason = "the book contains no text";
    if (reason) return Rejection{document.origin.source, std::move(*reason), std::move(bytes_)};
    take_text(document);
    return std::nullopt;
  }

 private:
  std::optional<std::string> decode(SourceDocument& document) {
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

  void take_text(SourceDocument& document) {
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

std::optional<std::string> why_no_text(std::string_view text) {
  std::size_t characters = 0;
  std::size_t controls = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if ((c & 0xC0U) != 0x80) ++characters;
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0U;
    const bool is_c1 = c == 0xC2 && next >= 0x80 && next < 0xA0 && next != 0x85;
    if (is_c1 || is_odd_control(c)) ++controls;
  }
  if (controls * kCharactersToAControl <= characters) return std::nullopt;
  return "this is not text: " + std::to_string(controls) + " of its " + std::to_string(characters) +
         " characters are control characters";
}

void end_lines_at_feeds(std::string& text) {
  std::size_t out = text.find('\r');
  if (out == std::string::npos) return;
  for (std::size_t in = out; in < text.size(); ++in) {
    const bool is_return = text[in] == '\r';
    if (is_return && in + 1 < text.size() && text[in + 1] == '\n') ++in;
    text[out++] = is_return ? '\n' : text[in];
  }
  text.resize(out);
}

BookDecoder::BookDecoder(std::string encoding) : encoding_(std::move(encoding)) {
  if (encoding_ != kAuto) decoder_of(encoding_);
}

Decoder& BookDecoder::decoder_of(const std::string& encoding) {
  const auto found = decoders_.find(encoding);
  return found != decoders_.end() ? found->second : decoders_.emplace(encoding, Decoder(encoding)).first->second;
}

std::optional<std::string> BookDecoder::decode(std::string_view bytes, std::string& text, std::string& note) {
  if (encoding_ != kAuto) return decode_as(encoding_, bytes, text, note);
  const auto guess = guess_encoding(bytes);
  if (!guess) return decode_as("UTF-8", bytes, text, note);
  if (!guess->is_known) note = "its encoding is guessed: " + guess->name + " (`encoding` sets another)";
  return decode_as(guess->name, bytes, text, note);
}

std::optional<std::string> BookDecoder::decode_as(const std::string& encoding, std::string_view bytes,
                                                  std::string& text, std::string& note) {
  Decoder& decoder = decoder_of(encoding);
  if (decoder.is_utf8() && !find_invalid_utf8(bytes)) {
    text = unicode::without_byte_order_mark(bytes);
    return std::nullopt;
  }
  const auto fault = decoder.decode(bytes, text);
  if (!fault) return std::nullopt;
  if (fault->is_truncated) {
    add_note(truncation_note(bytes.size() - fault->byte), note);
    return std::nullopt;
  }
  if (decoder.is_utf8()) return "invalid UTF-8 at byte " + std::to_string(*find_invalid_utf8(bytes));
  return "invalid " + encoding + " at byte " + std::to_string(fault->byte);
}

std::shared_ptr<const DeferredWork> make_deferred_books(const BookOptions& options) {
  auto deferred = std::make_shared<DeferredBooks>(options);
  deferred->make_worker();
  return deferred;
}

BooksSource::BooksSource(TextInput input, std::shared_ptr<const DeferredWork> deferred, const ArticleLimit& limit)
    : input_(std::move(input)), deferred_(std::move(deferred)), limit_(limit) {}

bool BooksSource::read(SourceDocument& document) {
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
