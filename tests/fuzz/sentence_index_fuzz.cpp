// Arbitrary bytes as a sentence index over a text: refused, or sentences in the text, in order, with as many bytes as
// the sizes say, by every way of reading. The index of arbitrary text gives back its sentences.
//
// The first byte chooses the length of the text over which arbitrary bytes are read.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/base/error.h"
#include "fuzz/fuzz_targets.h"
#include "pipeline/text_shards/formatted_text.h"
#include "pipeline/text_shards/sentence_index.h"
#include "pipeline/text_shards/write_text_shards.h"
#include "support/temp_folder.h"
#include "unicode/utf8_text.h"

namespace {

// The lines of a text shard for a block: its sentences, one line each, and an empty line.
std::string lines_of(std::string_view list, std::string_view text, std::vector<bertprep::ArticleSize>& sizes) {
  bertprep::ListedArticles articles(list, text);
  std::vector<std::string_view> sentences;
  std::string all;
  while (articles.next(sentences)) {
    const std::size_t begin = all.size();
    for (const std::string_view sentence : sentences) {
      require(sentence.data() >= text.data() && sentence.data() + sentence.size() <= text.data() + text.size());
      all.append(sentence) += '\n';
    }
    all += '\n';
    sizes.push_back({static_cast<std::uint32_t>(sentences.size()), all.size() - begin});
  }
  return all;
}

bool are_equal(const std::vector<bertprep::ArticleSize>& left, const std::vector<bertprep::ArticleSize>& right) {
  bool equal = left.size() == right.size();
  for (std::size_t i = 0; equal && i < left.size(); ++i) {
    equal = left[i].sentences == right[i].sentences && left[i].bytes == right[i].bytes;
  }
  return equal;
}

void check_blocks(std::string_view index, const std::string& text) {
  bertprep::IndexReader reader(index);
  while (reader.next()) {
    const std::vector<bertprep::ArticleSize> sizes =
        bertprep::sizes_of_list(reader.list(), reader.articles(), reader.text_bytes());
    if (reader.text_bytes() > text.size()) continue;
    std::vector<bertprep::ArticleSize> found;
    lines_of(reader.list(), std::string_view(text).substr(0, reader.text_bytes()), found);
    require(are_equal(sizes, found));
  }
}

// As many bytes as the index says, unless far more than there are.
std::string fitting(std::string text, std::string_view index) {
  std::size_t bytes = 0;
  for (bertprep::IndexReader reader(index); reader.next();) bytes += reader.text_bytes();
  if (bytes <= 2 * text.size()) text.resize(bytes, 'x');
  return text;
}

// The same index of text whose frames are unknown.
std::string without_frames(std::string_view index) {
  std::string plain;
  for (bertprep::IndexReader reader(index); reader.next();) {
    bertprep::IndexBlock block;
    block.text_bytes = reader.text_bytes();
    block.list = reader.list();
    block.articles = bertprep::sizes_of_list(reader.list(), reader.articles(), reader.text_bytes());
    plain += bertprep::encode(block);
  }
  return plain;
}

// The whole way: every article of the index into one text shard.
void check_pass(std::string_view index, const std::string& text) {
  static const bertprep::test::TempFolder temp;
  const bertprep::IndexedText input{{}, temp.write("index", index), {}};
  const bertprep::ArticleSizes sizes = bertprep::sizes_of_index(input.index);
  bertprep::ArticlePlaces places{std::vector<std::uint32_t>(sizes.bytes.size()), {}, {}};
  std::uint64_t end = 0;
  for (const std::uint64_t bytes : sizes.bytes) {
    places.offset.push_back(end);
    end += bytes;
  }
  places.shard_bytes = {end};
  const std::filesystem::path files[] = {temp.write("text", fitting(text, index))};
  const std::string text_sha256 = bertprep::digest_text(files, {});
  const std::filesystem::path shards[] = {temp / "shard"};
  bertprep::Progress progress;
  bertprep::write_text_shards({files, input.index, text_sha256}, places, shards, 1, progress);
  require(std::filesystem::file_size(shards[0]) == end);
}

void check_round_trip(std::string_view text) {
  static const auto splitter = bertprep::make_sentence_splitter({.rules = bertprep::SentenceRules::kLines});
  for (const bool split_lines : {false, true}) {
    const bertprep::IndexBlock block = bertprep::BlockSplitter(*splitter, split_lines).split(text);
    const std::string bytes = bertprep::encode(block);
    bertprep::IndexReader reader(bytes);
    require(reader.next() && reader.text_bytes() == text.size() && reader.articles() == block.articles.size());
    std::vector<bertprep::ArticleSize> found;
    lines_of(reader.list(), text, found);
    require(are_equal(found, block.articles) && !reader.next());
    require(are_equal(bertprep::sizes_of_list(reader.list(), reader.articles(), reader.text_bytes()), found));
  }
}

template <class Check>
void allow_refusal(Check check) {
  try {
    check();
  } catch (const bertprep::FormatError&) {
    return;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::string text(std::size_t{data[0]} * 64, 'x');
  for (std::size_t i = 40; i < text.size(); i += 41) text[i] = '\n';
  allow_refusal([&] { check_blocks(bytes, text); });
  allow_refusal([&] { check_pass(bytes, text); });
  allow_refusal([&] { check_pass(without_frames(bytes), text); });
  if (!bertprep::find_invalid_utf8(bytes)) check_round_trip(bytes);
  return 0;
}
