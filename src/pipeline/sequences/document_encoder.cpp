#include "pipeline/sequences/document_encoder.h"

#include <algorithm>

#include "token/bpe/byte_pair_model.h"
#include "unicode/properties/mappings.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

constexpr std::string_view kLines = "lines";

// A letter for each byte, except in added tokens.
std::vector<std::uint32_t> bytes_of_tokens(const BytePairModel& model) {
  std::vector<std::uint32_t> bytes;
  bytes.reserve(model.tokens.size());
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; };
  for (const std::string& token : model.tokens) {
    bytes.push_back(static_cast<std::uint32_t>(std::ranges::count_if(token, begins)));
  }
  for (const AddedToken& token : model.added) {
    bytes[static_cast<std::size_t>(token.id)] = static_cast<std::uint32_t>(token.content.size());
  }
  return bytes;
}

void end_sentence(TokenizedDocuments& articles) {
  if (articles.sentence_begin.back() != articles.tokens()) articles.sentence_begin.push_back(articles.tokens());
}

}  // namespace

// Splitters expect one line. A blank has as many bytes as a line break, so that offsets stay.
void SentenceSpans::find_in_paragraph(std::string_view text, std::size_t begin, std::size_t end,
                                      std::vector<std::size_t>& begins) {
  const std::string_view paragraph = strip(text.substr(begin, end - begin));
  if (paragraph.empty()) return;
  line_ = paragraph;
  const auto is_break = [](char c) { return c == '\n' || c == '\r'; };
  if (splitter_.name() != kLines) std::ranges::replace_if(line_, is_break, ' ');
  splitter_.split(line_, sentences_);
  const auto first = static_cast<std::size_t>(paragraph.data() - text.data());
  for (const std::string_view sentence : sentences_) {
    begins.push_back(first + static_cast<std::size_t>(sentence.data() - line_.data()));
  }
}

void SentenceSpans::find(std::string_view text, std::vector<std::size_t>& begins) {
  begins.clear();
  std::size_t paragraph = 0;
  for (std::size_t line = 0; line < text.size();) {
    const std::size_t end = std::min(text.find('\n', line), text.size());
    if (strip(text.substr(line, end - line)).empty()) {
      find_in_paragraph(text, paragraph, line, begins);
      paragraph = end;
    }
    line = end + 1;
  }
  find_in_paragraph(text, paragraph, text.size(), begins);
  if (begins.empty()) begins.push_back(0);
  begins.front() = 0;
}

DocumentEncoder::DocumentEncoder(const TextEncoder& encoder, const SentenceSplitter* splitter)
    : splitter_(splitter), is_wordpiece_(encoder.wordpiece() != nullptr) {
  if (splitter == nullptr || is_wordpiece_) return;
  bytes_of_tokens_ = bytes_of_tokens(*encoder.byte_pairs());
  if (encoder.byte_pairs()->nfc) composition_ = std::make_unique<const unicode::Composition>();
}

DocumentEncoder::~DocumentEncoder() = default;

void DocumentEncoder::add(std::string_view text, TextEncoder& encoder, TokenizedDocuments& articles) const {
  if (splitter_ == nullptr) {
    encoder.encode(text, articles.ids);
    end_sentence(articles);
  } else if (is_wordpiece_) {
    add_words(text, encoder, articles);
  } else {
    add_byte_pairs(text, encoder, articles);
  }
  if (articles.document_begin.back() != articles.sentences()) articles.document_begin.push_back(articles.sentences());
}

// WordPiece ignores the blanks between sentences.
void DocumentEncoder::add_words(std::string_view text, TextEncoder& encoder, TokenizedDocuments& articles) const {
  std::vector<std::size_t> begins;
  SentenceSpans(*splitter_).find(text, begins);
  begins.push_back(text.size());
  for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
    encoder.encode(text.substr(begins[i], begins[i + 1] - begins[i]), articles.ids);
    end_sentence(articles);
  }
}

// Words of byte-level BPE include blanks, so that the ids of a sentence depend on the text around it: the whole text is
// encoded, and a sentence begins at the token that has its first byte.
void DocumentEncoder::add_byte_pairs(std::string_view text, TextEncoder& encoder, TokenizedDocuments& articles) const {
  std::string composed;
  if (composition_ != nullptr && !unicode::Composition::is_plain(text)) {
    composition_->compose(text, composed);
    text = composed;
  }
  std::vector<std::size_t> begins;
  SentenceSpans(*splitter_).find(text, begins);
  const std::size_t first = articles.ids.size();
  encoder.encode(text, articles.ids);
  auto next = begins.begin() + 1;
  std::size_t end = 0;
  for (std::size_t i = first; i < articles.ids.size() && next != begins.end(); ++i) {
    end += bytes_of_tokens_[static_cast<std::size_t>(articles.ids[i])];
    if (*next >= end) continue;
    if (articles.sentence_begin.back() != i) articles.sentence_begin.push_back(i);
    while (next != begins.end() && *next < end) ++next;
  }
  end_sentence(articles);
}

}  // namespace bertprep
