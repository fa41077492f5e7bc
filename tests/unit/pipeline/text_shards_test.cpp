// Formatted files -> sentence index -> places -> text shards.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/input_file.h"
#include "pipeline/text_shards/formatted_text.h"
#include "pipeline/text_shards/sentence_index.h"
#include "pipeline/text_shards/write_text_shards.h"
#include "stream/zstd_codec.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

using test::TempFolder;
namespace fs = std::filesystem;

class TextShards : public testing::Test {
 protected:
  SplitTexts split(const std::vector<fs::path>& files, std::size_t threads = 2) {
    const auto splitter = make_sentence_splitter({.rules = SentenceRules::kIcu});
    SplitTexts texts = split_texts({.files = files}, *splitter, temp_ / "index", threads, progress_);
    text_sha256_ = texts.text_sha256;
    return texts;
  }

  std::vector<std::string> write(const std::vector<fs::path>& files, const ArticlePlaces& places,
                                 std::size_t threads = 2) {
    std::vector<fs::path> paths;
    for (std::size_t i = 0; i < places.shard_bytes.size(); ++i) paths.push_back(temp_ / ("shard" + std::to_string(i)));
    write_text_shards({files, temp_ / "index", text_sha256_}, places, paths, threads, progress_);
    std::vector<std::string> texts;
    for (const fs::path& path : paths) texts.push_back(read_file(path));
    return texts;
  }

  static std::string many_articles(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += "Article number " + std::to_string(i) + " is here. It ends.\n";
    return text;
  }

  TempFolder temp_;
  Progress progress_;
  std::string text_sha256_;
};

TEST_F(TextShards, HoldTheirArticlesInTheOrderOfTheAssignment) {
  const std::vector<fs::path> files = {temp_.write("a.txt", "One came. Two went.\n\nThree stayed.\n"),
                                       temp_.write("b.txt", "Four. Five.")};
  SplitTexts texts = split(files);
  EXPECT_THAT(texts.sizes.sentences, testing::ElementsAre(2, 1, 2));
  EXPECT_EQ(texts.sizes.total_sentences, 5u);
  const ShardAssignment assignment{{{2, 0}}, {{1}}};
  EXPECT_THAT(write(files, places_of(assignment, texts.sizes.bytes)),
              testing::ElementsAre("Four.\nFive.\n\nOne came.\nTwo went.\n\n", "Three stayed.\n\n"));
}

TEST_F(TextShards, AreTheSameOverManyBlocksAndThreads) {
  const int kArticles = 60'000;
  const std::vector<fs::path> files = {temp_.write("in.txt", many_articles(kArticles))};
  ShardAssignment assignment{{{}, {}}, {{}}};
  std::string first;
  for (std::uint32_t i = kArticles; i-- > 0;) {
    if (i % 3 == 0) {
      assignment.training[0].push_back(i);
      first += "Article number " + std::to_string(i) + " is here.\nIt ends.\n\n";
    } else {
      (i % 3 == 1 ? assignment.training[1] : assignment.test[0]).push_back(i);
    }
  }
  for (const std::size_t threads : {1, 2, 7}) {
    SplitTexts texts = split(files, threads);
    ASSERT_EQ(texts.sizes.sentences.size(), static_cast<std::size_t>(kArticles));
    EXPECT_EQ(sizes_of_index(temp_ / "index").bytes, texts.sizes.bytes);
    EXPECT_EQ(write(files, places_of(assignment, texts.sizes.bytes), threads)[0], first);
  }
}

// The limit of open files, as a batch system may set it; restored afterwards.
class FewOpenFiles {
 public:
  explicit FewOpenFiles(rlim_t most) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit limit{most, before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &limit);
  }
  ~FewOpenFiles() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  FewOpenFiles(const FewOpenFiles&) = delete;
  FewOpenFiles& operator=(const FewOpenFiles&) = delete;

 private:
  rlimit before_{};
};

TEST_F(TextShards, MayBeMoreThanAProcessMayOpen) {
  constexpr std::uint32_t kArticles = 4'000;
  constexpr std::uint32_t kShards = 700;
  const std::vector<fs::path> files = {temp_.write("in.txt", many_articles(kArticles))};
  SplitTexts texts = split(files);
  ShardAssignment assignment{std::vector<std::vector<std::uint32_t>>(kShards - 1), {{}}};
  for (std::uint32_t i = 0; i < kArticles; ++i) {
    const std::uint32_t shard = i % kShards;
    (shard + 1 == kShards ? assignment.test[0] : assignment.training[shard]).push_back(i);
  }
  const ArticlePlaces places = places_of(assignment, texts.sizes.bytes);
  const std::vector<std::string> expected = write(files, places);
  const FewOpenFiles few(512);
  EXPECT_EQ(write(files, places), expected);
}

TEST_F(TextShards, RefuseAnArticleThatIsTooLong) {
  const std::vector<fs::path> files = {temp_.write("in.txt", "One.\n" + std::string(3'000'000, 'x') + "\nTwo.\n")};
  const auto splitter = make_sentence_splitter({.rules = SentenceRules::kIcu});
  const auto split_within = [&](std::uint64_t bytes) {
    return split_texts({.files = files, .max_article_bytes = bytes}, *splitter, temp_ / "index", 1, progress_);
  };
  EXPECT_EQ(split_within(4'000'000).sizes.sentences.size(), 3U);
  EXPECT_THROW(split_within(1'000'000), FormatError);
}

TEST_F(TextShards, AreTheSameFromCompressedText) {
  const std::string text = many_articles(30'000);
  std::string frames;
  append_zstd_frame(text.substr(0, 1000), 1, frames);
  append_zstd_frame(text.substr(1000), 1, frames);
  const std::vector<fs::path> plain = {temp_.write("in.txt", text)};
  const std::vector<fs::path> compressed = {temp_.write("in.txt.zst", frames)};
  const SplitTexts of_plain = split(plain);
  const std::string plain_index = read_file(temp_ / "index");
  const SplitTexts of_compressed = split(compressed);
  EXPECT_EQ(of_compressed.text_sha256, of_plain.text_sha256);
  EXPECT_EQ(read_file(temp_ / "index"), plain_index);
  EXPECT_LT(frames.size(), text.size() / 2);
}

TEST_F(TextShards, DigestTheirInputAsItsTextIsDigested) {
  const std::vector<fs::path> files = {temp_.write("a", many_articles(60'000)), temp_.write("b", ""),
                                       temp_.write("c", "No end of line."), temp_.write("d", "")};
  EXPECT_EQ(split(files).text_sha256, digest_text(files, {}));
}

TEST_F(TextShards, NameLineAndByteOfInvalidText) {
  std::string text = many_articles(60'000);
  const std::size_t offset = text.size() + 4;
  text += "half\xff\n";
  try {
    split({temp_.write("in.txt", text)});
    FAIL();
  } catch (const FormatError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("in.txt:60001"));
    EXPECT_THAT(error.what(), testing::HasSubstr(std::to_string(offset)));
  }
}

// The beginning of the index of a file whose first records were all rejected.
TEST_F(TextShards, AcceptALeadingEmptyBlock) {
  const fs::path file = temp_.write("in.txt", "One came.\n");
  FormattedText texts({&file, 1}, "", {});
  EXPECT_EQ(texts.next_bytes(0).text, "");
  EXPECT_EQ(texts.next_bytes(10).text, "One came.\n");
  EXPECT_EQ(texts.next_bytes(0).text, "");
}

TEST_F(TextShards, RefuseTextThatBecameShorter) {
  SplitTexts texts = split({temp_.write("in.txt", many_articles(1000))});
  ShardAssignment assignment{{{}}, {}};
  for (std::uint32_t i = 0; i < 1000; ++i) assignment.training[0].push_back(i);
  const ArticlePlaces places = places_of(assignment, texts.sizes.bytes);
  EXPECT_THROW(write({temp_.write("in.txt", many_articles(900))}, places), FormatError);
}

TEST_F(TextShards, RefuseTextThatBecameLongerOrOther) {
  const std::string text = many_articles(1000);
  SplitTexts texts = split({temp_.write("in.txt", text)});
  ShardAssignment assignment{{{}}, {}};
  for (std::uint32_t i = 0; i < 1000; ++i) assignment.training[0].push_back(i);
  const ArticlePlaces places = places_of(assignment, texts.sizes.bytes);
  EXPECT_THROW(write({temp_.write("in.txt", text + "More.\n")}, places), FormatError);
  std::string other = text;
  other[100] ^= 1;
  EXPECT_THROW(write({temp_.write("in.txt", other)}, places), FormatError);
}

// As formatting for sharding leaves it: each block of the index is a frame of the file.
class TextShardsOfFrames : public TextShards {
 protected:
  void SetUp() override {
    const auto splitter = make_sentence_splitter({.rules = SentenceRules::kIcu});
    const BlockSplitter blocks(*splitter, false);
    std::string index;
    for (int k = 0; k < 5; ++k) {
      const std::string text = k == 2 ? "" : "Block " + std::to_string(k) + " begins. It ends.\nAnother article.\n";
      IndexBlock block = blocks.split(text);
      std::string frame;
      if (!text.empty()) append_zstd_frame(text, 1, frame);
      if (!text.empty()) block.frame = {frame.size(), checksum_of(frame)};
      ends_.push_back(frames_.size() + frame.size());
      frames_ += frame;
      index += encode(block);
      for (std::uint32_t i = 0; i < block.articles.size(); ++i) assignment_.training[0].push_back(articles_++);
      sizes_.add(block.articles);
    }
    temp_.write("index", index);
  }

  std::string write_frames(const std::string& frames, std::size_t threads = 2) {
    return write({temp_.write("in.txt.zst", frames)}, places_of(assignment_, sizes_.bytes), threads)[0];
  }

  std::string frames_;
  std::vector<std::size_t> ends_;
  ShardAssignment assignment_{{{}}, {}};
  ArticleSizes sizes_;
  std::uint32_t articles_ = 0;
};

TEST_F(TextShardsOfFrames, HoldTheText) {
  std::string expected;
  for (const char* k : {"0", "1", "3", "4"}) {
    expected += std::string("Block ") + k + " begins.\nIt ends.\n\nAnother article.\n\n";
  }
  for (const std::size_t threads : {1, 2, 7}) EXPECT_EQ(write_frames(frames_, threads), expected);
}

TEST_F(TextShardsOfFrames, RefuseEveryChangedByte) {
  for (std::size_t at = 0; at < frames_.size(); ++at) {
    std::string changed = frames_;
    changed[at] ^= 4;
    EXPECT_THROW(write_frames(changed), FormatError) << at;
  }
}

TEST_F(TextShardsOfFrames, RefuseMoreAndFewerAndSwappedFrames) {
  EXPECT_THROW(write_frames(frames_ + frames_.substr(0, ends_[0])), FormatError);
  EXPECT_THROW(write_frames(frames_.substr(0, ends_[3])), FormatError);
  EXPECT_THROW(write_frames(frames_.substr(0, frames_.size() - 1)), FormatError);
  EXPECT_THROW(write_frames(frames_.substr(ends_[0], ends_[1] - ends_[0]) + frames_.substr(0, ends_[0]) +
                            frames_.substr(ends_[1])),
               FormatError);
}

}  // namespace
}  // namespace bertprep
