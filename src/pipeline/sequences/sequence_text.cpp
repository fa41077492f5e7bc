#include "pipeline/sequences/sequence_text.h"

#include <memory>
#include <optional>
#include <utility>

#include "pipeline/text_shards/article_lines.h"
#include "pipeline/text_shards/formatted_text.h"
#include "pipeline/text_shards/text_lines.h"
#include "pipeline/work/workers.h"
#include "source/formats/wikitext_source.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

constexpr std::size_t kBytesPerToken = 4;

struct IdBlock {
  TextBlock text;
  TokenizedDocuments articles{};
};

void end_article(TokenizedDocuments& articles) {
  if (articles.document_begin.back() != articles.sentences()) articles.document_begin.push_back(articles.sentences());
}

// Text shards are read as for instances.
TokenizedDocuments tokenize_sentences(const TextBlock& block, LineRule rule, TextEncoder& encoder) {
  require_valid_utf8(block.text, block.file);
  TokenizedDocuments articles;
  articles.ids.reserve(block.text.size() / kBytesPerToken);
  std::string joined;
  for_each_text_line(block.text, [&](std::string_view line) {
    std::string_view sentence = strip(line);
    if (sentence.empty()) return end_article(articles);
    const bool is_first = articles.document_begin.back() == articles.sentences();
    if (rule == LineRule::kJoinedSentences && !is_first) {
      joined.assign(1, ' ').append(sentence);
      sentence = joined;
    }
    if (encoder.encode(sentence, articles.ids) > 0) articles.sentence_begin.push_back(articles.tokens());
  });
  end_article(articles);
  return articles;
}

// A line is an article of one sentence.
TokenizedDocuments tokenize_lines(const TextBlock& block, TextEncoder& encoder) {
  require_valid_utf8(block.text, block.file);
  TokenizedDocuments articles;
  articles.ids.reserve(block.text.size() / kBytesPerToken);
  std::string joined;
  for_each_text_line(block.text, [&](std::string_view line) {
    if (line.find(kSentenceEnd) != std::string_view::npos) line = joined = without_sentence_ends(line);
    if (encoder.encode(line, articles.ids) == 0) return;
    articles.sentence_begin.push_back(articles.tokens());
    articles.document_begin.push_back(articles.sentences());
  });
  return articles;
}

// Lines as in Python's files: every line end becomes a line feed, and the last line may have none.
TokenizedDocuments tokenize_rows(const TextBlock& block, LineRule rule, TextEncoder& encoder) {
  require_valid_utf8(block.text, block.file);
  TokenizedDocuments rows;
  rows.ids.reserve(block.text.size() / kBytesPerToken);
  const char* const end = block.text.data() + block.text.size();
  std::string row;
  for_each_text_line(block.text, [&](std::string_view line) {
    if (!strip(line).empty()) {
      row = line;
      if (line.data() + line.size() != end) row += '\n';
      if (rule == LineRule::kDetokenizedRows) detokenize_wikitext(row);
      if (encoder.encode(row, rows.ids) > 0) rows.sentence_begin.push_back(rows.tokens());
    }
    rows.document_begin.push_back(rows.sentences());
  });
  return rows;
}

TokenizedDocuments tokenize_block(const TextBlock& block, LineRule rule, TextEncoder& encoder) {
  switch (rule) {
    case LineRule::kSentences:
    case LineRule::kJoinedSentences:
      return tokenize_sentences(block, rule, encoder);
    case LineRule::kArticles:
      break;
    case LineRule::kRows:
    case LineRule::kDetokenizedRows:
      return tokenize_rows(block, rule, encoder);
  }
  return tokenize_lines(block, encoder);
}

}  // namespace

SequenceText tokenize_unit(const SequenceUnit& unit, LineRule rule, std::uint64_t max_bytes, EncoderPool& encoders,
                           std::size_t threads, const Progress& progress,
                           const std::function<void(const TokenizedDocuments&)>& add) {
  FormattedText texts(unit.inputs, unit.text == UnitText::kSentences ? "\n\n" : "\n",
                      threads > 1 ? task_runner(threads) : TaskRunner());
  texts.set_limit(max_bytes);
  SequenceText result;
  const auto read = [&]() -> std::unique_ptr<IdBlock> {
    std::optional<TextBlock> text = texts.next_block();
    return text ? std::make_unique<IdBlock>(IdBlock{std::move(*text)}) : nullptr;
  };
  const auto tokenize = [&](IdBlock& block) {
    EncoderPool::Loan encoder(encoders);
    block.articles = tokenize_block(block.text, rule, *encoder);
  };
  const auto take = [&](IdBlock& block) {
    result.bytes += block.text.text.size();
    add(block.articles);
  };
  if (threads > 1) {
    run_ordered<IdBlock>(threads, progress, read, tokenize, take);
  } else {
    while (const auto block = read()) {
      stop_if_cancelled(progress);
      tokenize(*block);
      take(*block);
    }
  }
  result.sha256 = texts.sha256();
  result.file_sha256 = texts.file_sha256();
  return result;
}

}  // namespace bertprep
