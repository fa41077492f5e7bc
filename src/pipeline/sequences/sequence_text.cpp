#include "pipeline/sequences/sequence_text.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "base/forwarding_progress.h"
#include "io/digest.h"
#include "io/input_file.h"
#include "pipeline/records/reject_file.h"
#include "pipeline/text_shards/article_lines.h"
#include "pipeline/text_shards/formatted_text.h"
#include "pipeline/text_shards/text_lines.h"
#include "pipeline/work/workers.h"
#include "source/formats/wikitext_source.h"
#include "source/input/deferred_work.h"
#include "source/source_pieces.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

// Passes on what is said about documents. How far a stage is, its parts tell.
class RecordProgress final : public ForwardingProgress {
 public:
  using ForwardingProgress::ForwardingProgress;
  void advance(std::uint64_t /*amount*/) override {}
};

// Hashes a file while it is read from front to back.
class FileHasher final : public ReadObserver {
 public:
  void begin_file(const std::filesystem::path& /*file*/) override {}
  void see(std::uint64_t begin, std::string_view bytes) override {
    if (begin > bytes_ || begin + bytes.size() <= bytes_) return;
    bytes.remove_prefix(bytes_ - begin);
    sha256_.update(bytes);
    bytes_ += bytes.size();
  }
  std::string finish(const std::filesystem::path& file) {
    return bytes_ == InputFile(file).size_bytes() ? sha256_.finish() : sha256_of_file(file);
  }

 private:
  Sha256 sha256_;
  std::uint64_t bytes_ = 0;
};

std::string with_line_feeds(std::string text) {
  replace_all(text, "\r\n", "\n");
  replace_all(text, "\r", "\n");
  return text;
}

class TokenTaker final : public DocumentTaker {
 public:
  TokenTaker(const DocumentRule& rule, EncoderPool& encoders, SequenceText& text,
             const std::function<void(const TokenizedDocuments&)>& add)
      : rule_(rule), encoders_(encoders), text_(text), add_(add) {}

  std::unique_ptr<Block> begin_block() override { return std::make_unique<TokenBlock>(*this); }

  void take(Block& block) override {
    const auto& tokens = static_cast<const TokenBlock&>(block);
    text_.bytes += tokens.bytes;
    text_.line_breaks += tokens.line_breaks;
    if (rule_.origins != nullptr)
      rule_.origins->insert(rule_.origins->end(), tokens.origins.begin(), tokens.origins.end());
    add_(tokens.articles);
  }

 private:
  struct TokenBlock final : Block {
    explicit TokenBlock(const TokenTaker& of) : taker(of) {}

    bool add(const SourceDocument& document) override {
      if (strip(document.text).empty()) return false;
      EncoderPool::Loan loan(taker.encoders_);
      TextEncoder& encoder = *loan;
      if (taker.rule_.as_is && taker.rule_.line_ends == LineEnds::kLf) {
        take(with_line_feeds(document.text), encoder);
      } else if (taker.rule_.as_is) {
        take(document.text, encoder);
      } else {
        line.clear();
        append_article_line(document, line);
        for_each_text_line(without_sentence_ends(line), [&](std::string_view article) {
          if (!strip(article).empty()) take(article, encoder);
        });
      }
      if (taker.rule_.origins != nullptr) origins.resize(articles.documents(), document.origin);
      return true;
    }
    void take(std::string_view text, TextEncoder& encoder) {
      bytes += text.size();
      line_breaks += static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
      taker.rule_.encoder.add(text, encoder, articles);
    }

    const TokenTaker& taker;
    TokenizedDocuments articles{};
    std::vector<Origin> origins{};
    std::uint64_t bytes = 0;
    std::uint64_t line_breaks = 0;
    std::string line{};
  };

  const DocumentRule& rule_;
  EncoderPool& encoders_;
  SequenceText& text_;
  const std::function<void(const TokenizedDocuments&)>& add_;
};

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

std::string rejects_name(const SequenceUnit& unit) {
  return unit.task() + ".rejects.jsonl";
}

SequenceText tokenize_documents(const SequenceUnit& unit, const DocumentRule& rule, EncoderPool& encoders,
                                const OutputFolder* folder, Progress& observer,
                                const std::function<void(const TokenizedDocuments&)>& add) {
  RecordProgress progress(observer);
  std::optional<RejectFile> rejects;
  if (folder != nullptr) rejects.emplace(*folder, rejects_name(unit), progress);
  SequenceText text;
  TokenTaker taker(rule, encoders, text, add);
  Sha256 all;
  for (const std::filesystem::path& input : unit.inputs) {
    std::vector<Rejection> rejections;
    FileHasher hasher;
    const auto reject = [&](const std::string& where, const std::string& reason, std::string_view record) {
      rejections.push_back({where, reason, std::string(record)});
    };
    const auto source = open_observed_source({&input, 1}, rule.source, reject,
                                             task_runner(rule.pass.threads, rule.pass.memory_bytes), &hasher);
    const FormatCounts counts =
        rule.pass.run(*source, rejections, {.taker = &taker}, rejects ? &*rejects : nullptr, progress);
    text.left_out.add(counts.left_out);
    all.update(text.file_sha256.emplace_back(hasher.finish(input)) + "\n");
  }
  if (rejects) {
    rejects->finish();
    text.rejected = rejects->reasons();
  }
  text.sha256 = all.finish();
  return text;
}

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
