// Bundles and their sections, against text shards assembled article by article.
#include "pipeline/array/bundle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/input_file.h"
#include "pipeline/text_shards/sentence_index.h"
#include "stream/zstd_codec.h"
#include "support/temp_folder.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;

struct Article {
  std::string line;       // in the formatted file
  std::string sentences;  // in a text shard
};

Article random_article(std::mt19937& random) {
  Article article;
  const int count = 1 + static_cast<int>(random() % 4);
  for (int i = 0; i < count; ++i) {
    const std::string sentence = "There are " + std::to_string(random() % 100000) + " of them.";
    article.line += (i == 0 ? "" : " ") + sentence;
    article.sentences += sentence + "\n";
  }
  article.line += "\n";
  article.sentences += "\n";
  return article;
}

class Bundles : public testing::Test {
 protected:
  // Writes a piece of the corpus and its bundle NAME.bundle.
  void write(const std::string& name, const std::vector<Article>& articles,
             const std::vector<AssignmentFile::Place>& places, std::size_t shards, std::size_t threads) {
    std::string text;
    for (const Article& article : articles) text += article.line;
    std::string packed;
    if (!text.empty()) append_zstd_frame(text, 1, packed);
    const fs::path file = temp_.write(name + ".zst", packed);
    const auto splitter = make_sentence_splitter({.rules = SentenceRules::kIcu});
    const fs::path index = temp_ / (name + ".index");
    split_texts({.files = {&file, 1}}, *splitter, index, 1, progress_);
    write_bundle({file, index, places, sha256_of(text)}, shards, temp_ / (name + ".bundle"), threads, progress_);
  }

  TempFolder temp_;
  Progress progress_;
};

TEST_F(Bundles, OfAllPiecesMakeTheTextShards) {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    std::mt19937 random(seed);
    const std::size_t shards = 1 + random() % 9;
    const std::size_t pieces = 1 + random() % 4;
    // The plain twin: articles of all pieces go to random shards, each to the end of its shard, in a random order.
    std::vector<std::vector<Article>> corpus(pieces);
    std::vector<std::vector<AssignmentFile::Place>> places(pieces);
    std::vector<std::pair<std::size_t, std::size_t>> all;
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      const std::size_t count = random() % 3 == 0 ? 0 : random() % 40;
      for (std::size_t i = 0; i < count; ++i) {
        corpus[piece].push_back(random_article(random));
        all.emplace_back(piece, i);
      }
      places[piece].resize(count);
    }
    std::shuffle(all.begin(), all.end(), random);
    std::vector<std::string> texts(shards);
    for (const auto& [piece, i] : all) {
      const auto shard = static_cast<std::uint32_t>(random() % shards);
      places[piece][i] = {shard, texts[shard].size()};
      texts[shard] += corpus[piece][i].sentences;
    }
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      write("p" + std::to_string(piece), corpus[piece], places[piece], shards, 1 + random() % 3);
    }
    for (std::size_t shard = 0; shard < shards; ++shard) {
      std::string text(texts[shard].size(), '?');
      std::uint64_t copied = 0;
      for (std::size_t piece = 0; piece < pieces; ++piece) {
        copied += copy_section(temp_ / ("p" + std::to_string(piece) + ".bundle"), shard, shards, text);
      }
      EXPECT_EQ(text, texts[shard]) << "seed " << seed;
      EXPECT_EQ(copied, text.size()) << "seed " << seed;
    }
  }
}

TEST_F(Bundles, RefuseAnAssignmentOfAnotherPiece) {
  std::mt19937 random(1);
  const std::vector<Article> articles{random_article(random), random_article(random)};
  EXPECT_THROW(write("p", articles, {{0, 0}}, 1, 1), FormatError);
}

// A damaged bundle causes no access outside it, and gives no wrong text.
TEST_F(Bundles, DamageIsRefused) {
  std::mt19937 random(2);
  std::vector<Article> articles;
  std::vector<AssignmentFile::Place> places;
  std::string expected[2];
  for (std::uint32_t i = 0; i < 6; ++i) {
    articles.push_back(random_article(random));
    places.push_back({i % 2, expected[i % 2].size()});
    expected[i % 2] += articles.back().sentences;
  }
  write("p", articles, places, 2, 1);
  const std::string bytes = read_file(temp_ / "p.bundle");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    std::string text(expected[1].size(), '?');
    EXPECT_THROW(copy_section(temp_.write("cut", bytes.substr(0, size)), 1, 2, text), FormatError) << size;
  }
  int refused = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 + random() % 255));
    const fs::path file = temp_.write("damaged", damaged);
    for (const std::size_t shard : {0U, 1U}) {
      std::string text(expected[shard].size(), '?');
      try {
        copy_section(file, shard, 2, text);
        EXPECT_EQ(text, expected[shard]) << at;
      } catch (const FormatError&) {
        ++refused;
      }
    }
  }
  EXPECT_GE(refused, static_cast<int>(bytes.size()));
}

}  // namespace
}  // namespace bertprep::test
