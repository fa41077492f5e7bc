#include "pipeline/sentence_spool.h"

#include <algorithm>
#include <string>

#include "bertprep/base/error.h"
#include "bertprep/io/strip.h"
#include "bertprep/io/utf8.h"
#include "io/output_file.h"
#include "pipeline/article_blocks.h"
#include "pipeline/text_lines.h"
#include "pipeline/workers.h"

namespace bertprep {
namespace {

struct SplitBlock {
  ArticleBlock block;
  bool valid = true;
  std::string lines;
  std::vector<std::uint32_t> sentences;  // one entry an article
  std::vector<std::uint64_t> bytes;
};

void append_article(std::span<const std::string_view> sentences, SplitBlock& out) {
  if (sentences.empty()) return;
  const std::size_t begin = out.lines.size();
  for (const std::string_view sentence : sentences) {
    out.lines += sentence;
    out.lines += '\n';
  }
  out.lines += '\n';
  out.sentences.push_back(static_cast<std::uint32_t>(sentences.size()));
  out.bytes.push_back(out.lines.size() - begin);
}

// One article a line; lines end at LF only, and CR is data.
void split_articles(const SentenceSplitter& splitter, SplitBlock& out) {
  std::vector<std::string_view> sentences;
  std::string_view rest = out.block.text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view article = strip_end(rest.substr(0, end));
    if (!article.empty()) {
      splitter.split(article, sentences);
      append_article(sentences, out);
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

void split_sentence_lines(SplitBlock& out) {
  std::vector<std::string_view> sentences;
  const auto end_article = [&] {
    append_article(sentences, out);
    sentences.clear();
  };
  for_each_text_line(out.block.text, [&](std::string_view line) {
    const std::string_view sentence = strip(line);
    if (sentence.empty()) {
      end_article();
    } else {
      sentences.push_back(sentence);
    }
  });
  end_article();
}

// The line on which the block starts is not known while blocks are split in parallel; it is counted only when needed.
[[noreturn]] void throw_invalid_utf8(const ArticleBlock& block) {
  const MappedFile file{std::filesystem::path(block.file)};
  require_valid_utf8(file.bytes(), block.file);
  throw FormatError("invalid UTF-8", block.file);
}

}  // namespace

SentenceSpool::SentenceSpool(std::span<const std::filesystem::path> files, bool split_lines,
                             const SentenceSplitter& splitter, const std::filesystem::path& path, std::size_t threads,
                             Progress& progress) {
  ArticleBlocks blocks(files, split_lines ? "\n\n" : "\n");
  progress.begin("sentences", blocks.total_bytes(), "bytes");
  OutputFile spool(path);
  std::uint64_t offset = 0;
  const auto read = [&]() -> std::unique_ptr<SplitBlock> {
    std::optional<ArticleBlock> block = blocks.next();
    if (!block) return nullptr;
    auto split = std::make_unique<SplitBlock>();
    split->block = std::move(*block);
    return split;
  };
  const auto split = [&](SplitBlock& block) {
    block.valid = !find_invalid_utf8(block.block.text);
    if (!block.valid) return;
    block.lines.reserve(block.block.text.size() + block.block.text.size() / 16);
    if (split_lines) {
      split_sentence_lines(block);
    } else {
      split_articles(splitter, block);
    }
  };
  const auto write = [&](SplitBlock& block) {
    if (!block.valid) throw_invalid_utf8(block.block);
    spool.write(block.lines);
    for (std::size_t i = 0; i < block.sentences.size(); ++i) {
      articles_.push_back({offset, block.bytes[i]});
      sentences_.push_back(block.sentences[i]);
      total_sentences_ += block.sentences[i];
      offset += block.bytes[i];
    }
    bytes_in_ += block.block.text.size();
    progress.advance(block.block.text.size());
  };
  run_ordered<SplitBlock>(threads, progress, read, split, write);
  spool.finish();
  spool_.emplace_back(path);
  input_sha256_ = blocks.sha256();
  progress.end();
}

std::string_view SentenceSpool::article(std::size_t index) const {
  return spool_.front().bytes().substr(articles_[index].offset, articles_[index].bytes);
}

}  // namespace bertprep
