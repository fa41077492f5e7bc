#include "source/books/books_source.h"

#include "base/number_text.h"
#include "source/books/gutenberg.h"
#include "source/books/paragraphs.h"
#include "source/encoding/guess.h"
#include "source/input/foreign_format.h"
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

// Why UTF-8 is not text: more than one character in a hundred is a control character that texts don't have. In
// pictures, programs and compressed data, about ten are, in whatever encoding.
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

// CR LF and CR become LF.
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

class BooksWorker final : public RecordWorker {
 public:
  explicit BooksWorker(const SourceOptions& options)
      : options_(options), decoder_(options.books_compat ? "utf-8" : options.encoding) {}

 private:
  std::optional<std::string> read(const std::string& bytes, SourceDocument& document) override {
    auto reason = decode(bytes, document);
    if (!reason && strip(text_).empty()) reason = "the book contains no text";
    if (!reason) take_text(document);
    return reason;
  }

  std::optional<std::string> decode(const std::string& bytes, SourceDocument& document) {
    if (const auto foreign = options_.books_compat ? std::nullopt : foreign_format_of(bytes)) {
      return "this is " + foreign->what;
    }
    auto reason = decoder_.decode(bytes, text_, document.note);
    if (options_.books_compat && !document.note.empty()) {
      document.note.clear();
      reason = "it ends within a character";
    }
    if (!reason && !options_.books_compat) reason = why_no_text(text_);
    return reason;
  }

  void take_text(SourceDocument& document) {
    if (options_.books_compat) {
      document.layout = ArticleLayout::kReference;
      document.text = stripped_lines(text_);
      return;
    }
    if (!options_.as_is) end_lines_at_feeds(text_);
    if (!options_.keep_gutenberg) text_ = without_gutenberg_frame(text_, document.note);
    document.text = options_.as_is ? text_ : joined_paragraphs(text_);
  }

  SourceOptions options_;
  BookDecoder decoder_;
  std::string text_;
};

// The document is the bytes of the book.
class BooksSource final : public DeferredSource {
 public:
  BooksSource(TextInput input, std::shared_ptr<const DeferredWork> deferred, const ArticleLimit& limit)
      : input_(std::move(input)), deferred_(std::move(deferred)), limit_(limit) {}

  bool read(SourceDocument& document) override {
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
    document.deferred = deferred_;
    return true;
  }

 private:
  TextInput input_;
  std::shared_ptr<const DeferredWork> deferred_;
  ArticleLimit limit_;
};

}  // namespace

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
    append_part(truncation_note(bytes.size() - fault->byte), "; ", note);
    return std::nullopt;
  }
  if (decoder.is_utf8()) return "invalid UTF-8 at byte " + std::to_string(*find_invalid_utf8(bytes));
  return "invalid " + encoding + " at byte " + std::to_string(fault->byte);
}

OpenText books_reader(const SourceOptions& options, const CorpusReading& reading) {
  const auto deferred = deferred_to<BooksWorker>(options);
  deferred->make_worker();
  return [reading, deferred](TextInput input) {
    return std::make_unique<BooksSource>(std::move(input), deferred, reading.limit);
  };
}

}  // namespace bertprep
