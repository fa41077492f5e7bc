#include "pipeline/sequences/sequence_text.h"

#include <memory>
#include <optional>
#include <utility>

#include "pipeline/stages/formatted_text.h"
#include "pipeline/stages/text_lines.h"
#include "pipeline/stages/tokenize_shard.h"
#include "pipeline/work/workers.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

constexpr std::size_t kBytesPerToken = 4;

struct IdBlock {
  TextBlock text;
  TokenizedDocuments articles{};
};

// A line is an article of one sentence.
TokenizedDocuments tokenize_lines(const TextBlock& block, Tokenizer& tokenizer) {
  require_valid_utf8(block.text, block.file);
  TokenizedDocuments articles;
  articles.ids.reserve(block.text.size() / kBytesPerToken);
  for_each_text_line(block.text, [&](std::string_view line) {
    if (tokenizer.encode(line, articles.ids) == 0) return;
    articles.sentence_begin.push_back(articles.tokens());
    articles.document_begin.push_back(articles.sentences());
  });
  return articles;
}

}  // namespace

SequenceText tokenize_unit(const SequenceUnit& unit, std::uint64_t most_bytes, ShardWorkers& workers,
                           std::size_t threads, const Progress& progress,
                           const std::function<void(const TokenizedDocuments&)>& add) {
  FormattedText texts(unit.inputs, unit.is_text_shard ? "\n\n" : "\n",
                      threads > 1 ? task_runner(threads) : TaskRunner());
  texts.set_limit(most_bytes);
  SequenceText result;
  const auto read = [&]() -> std::unique_ptr<IdBlock> {
    std::optional<TextBlock> text = texts.next_block();
    return text ? std::make_unique<IdBlock>(IdBlock{std::move(*text)}) : nullptr;
  };
  const auto tokenize = [&](IdBlock& block) {
    ShardWorkers::Loan loan(workers);
    Tokenizer& tokenizer = (*loan).tokenizer;
    block.articles = unit.is_text_shard ? tokenize_text_shard(block.text.text, block.text.file, tokenizer)
                                        : tokenize_lines(block.text, tokenizer);
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
