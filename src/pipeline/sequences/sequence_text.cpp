#include "pipeline/sequences/sequence_text.h"

#include <algorithm>

#include "base/forwarding_progress.h"
#include "io/input_file.h"
#include "pipeline/text_shards/article_lines.h"
#include "pipeline/text_shards/formatted_text.h"
#include "pipeline/work/workers.h"
#include "source/formats/text_source.h"
#include "source/source_pieces.h"
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

// Ends an article or a sentence, unless it is empty.
void end_article(TokenizedDocuments& articles) {
  if (articles.document_begin.back() != articles.sentences()) articles.document_begin.push_back(articles.sentences());
}

void end_sentence(TokenizedDocuments& articles) {
  if (articles.sentence_begin.back() != articles.tokens()) articles.sentence_begin.push_back(articles.tokens());
}

// Text shards are read as for instances. Rows are lines as in Python's files: every line end becomes a line feed, and
// the last line may have none.
TokenizedDocuments tokenize_block(const TextBlock& block, LineRule rule, TextEncoder& encoder) {
  require_valid_utf8(block.text, block.file);
  TokenizedDocuments articles;
  articles.ids.reserve(block.text.size() / kBytesPerToken);
  const char* const end = block.text.data() + block.text.size();
  std::string changed;
  const auto add = [&](std::string_view sentence) {
    encoder.encode(sentence, articles.ids);
    end_sentence(articles);
  };
  const auto add_sentence = [&](std::string_view sentence) {
    const bool is_first = articles.document_begin.back() == articles.sentences();
    if (rule == LineRule::kSentences || is_first) return add(sentence);
    add(changed.assign(1, ' ').append(sentence));
  };
  const auto add_article = [&](std::string_view line) {
    const bool is_whole = line.find(kSentenceEnd) == std::string_view::npos;
    add(is_whole ? line : changed = without_sentence_ends(line));
    end_article(articles);
  };
  const auto add_row = [&](std::string_view line) {
    if (!strip(line).empty()) {
      changed = line;
      if (line.data() + line.size() != end) changed += '\n';
      if (rule == LineRule::kDetokenizedRows) detokenize_wikitext(changed);
      add(changed);
    }
    articles.document_begin.push_back(articles.sentences());
  };
  for_each_text_line(block.text, [&](std::string_view line) {
    if (rule == LineRule::kRows || rule == LineRule::kDetokenizedRows) return add_row(line);
    if (rule == LineRule::kArticles) return add_article(line);
    const std::string_view sentence = strip(line);
    return sentence.empty() ? end_article(articles) : add_sentence(sentence);
  });
  end_article(articles);
  return articles;
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
  if (encoder.byte_pairs()->nfc) composition_ = std::make_shared<const unicode::Composition>();
}

void DocumentEncoder::add(std::string_view text, TextEncoder& encoder, TokenizedDocuments& articles) const {
  if (splitter_ == nullptr) {
    encoder.encode(text, articles.ids);
    end_sentence(articles);
  } else if (is_wordpiece_) {
    add_words(text, encoder, articles);
  } else {
    add_byte_pairs(text, encoder, articles);
  }
  end_article(articles);
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
    const auto source = open_observed_source({&input, 1}, rule.source, collect_rejects(rejections),
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
