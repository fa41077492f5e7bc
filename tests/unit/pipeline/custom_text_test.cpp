// Runs with a sentence splitter, a tokenizer and a text normalizer by the caller.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "bertprep/base/error.h"
#include "bertprep/pipeline/build.h"
#include "bertprep/shard/manifest.h"
#include "bertprep/shard/shard_reader.h"
#include "pipeline/array/array_job.h"
#include "small_run.h"
#include "support/thrown.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// The rules below with any name and version.
template <class Interface>
class Named : public Interface {
 public:
  explicit Named(std::string version = "1", std::string name = "mine")
      : name_(std::move(name)), version_(std::move(version)) {}
  std::string name() const override { return name_; }
  std::string version() const override { return version_; }

 private:
  std::string name_, version_;
};

// A sentence every three words.
class ThreeWords final : public Named<SentenceSplitter> {
 public:
  using Named::Named;
  void split(std::string_view article, std::vector<std::string_view>& sentences) const override {
    sentences.clear();
    std::size_t begin = 0, words = 0;
    for (std::size_t i = 0; i <= article.size(); ++i) {
      if (i < article.size() && (article[i] != ' ' || ++words % 3 != 0)) continue;
      sentences.push_back(article.substr(begin, i - begin));
      begin = i + 1;
    }
  }
};

class Broken final : public Named<SentenceSplitter> {
 public:
  explicit Broken(std::string_view sentence) : sentence_(sentence) {}
  void split(std::string_view article, std::vector<std::string_view>& sentences) const override {
    sentences = {sentence_.empty() ? article.substr(3, 1) : sentence_, article};
  }

 private:
  std::string_view sentence_;
};

// The piece `first` + the word's length, so that only it can have made the ids.
class Lengths final : public Named<SentenceTokenizer> {
 public:
  explicit Lengths(TokenId first, std::string version = "1") : Named(std::move(version)), first_(first) {}
  void encode(std::string_view sentence, std::vector<TokenId>& ids) const override {
    std::istringstream words{std::string(sentence)};
    for (std::string word; words >> word;) ids.push_back(first_ + static_cast<TokenId>(word.size() % 2));
  }

 private:
  TokenId first_;
};

class Replace final : public Named<TextNormalizer> {
 public:
  Replace(std::string from, std::string to, std::string version = "1")
      : Named(std::move(version)), from_(std::move(from)), to_(std::move(to)) {}
  void normalize(std::string& text) const override {
    if (from_.empty()) text = to_;
    for (std::size_t at = 0; !from_.empty() && (at = text.find(from_, at)) != text.npos; at += to_.size()) {
      text.replace(at, from_.size(), to_);
    }
  }

 private:
  std::string from_, to_;
};

class CustomText : public testing::Test {
 protected:
  CustomText() { options_.corpus.phase = Phase::kPhase1; }

  BuildReport build_now() const { return test::small_build(folder_, options_); }

  Manifest manifest(const BuildReport& report) const {
    return Manifest::load(report.shard_folders.front() / Manifest::kFileName);
  }

  std::string text_of_shard(int shard) const {
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / "work")) {
      if (entry.path().filename() != "small_training_" + std::to_string(shard) + ".txt") continue;
      std::ifstream file(entry.path());
      return {std::istreambuf_iterator<char>(file), {}};
    }
    return {};
  }

  void use_splitter(std::shared_ptr<const SentenceSplitter> splitter) {
    options_.sentences = {};
    options_.sentences.custom = std::move(splitter);
  }

  test::TempFolder folder_;
  PipelineOptions options_ = test::small_options(folder_);
};

TEST_F(CustomText, TheSplitterMakesTheSentences) {
  use_splitter(std::make_shared<ThreeWords>());
  const BuildReport report = build_now();
  EXPECT_NE(text_of_shard(0).find("The article number\n"), std::string::npos) << text_of_shard(0);
  EXPECT_EQ(manifest(report).recipe_value("sentences"), "mine 1");
}

TEST_F(CustomText, ThreadsShareOneObjectAndChangeNothing) {
  use_splitter(std::make_shared<ThreeWords>());
  options_.tokenizer.custom = std::make_shared<Lengths>(10);
  options_.normalizer = std::make_shared<Replace>("kind", "sort");
  const Manifest one = manifest(build_now());
  options_.work.threads = 4;
  options_.work.force = true;
  EXPECT_EQ(manifest(build_now()).to_json(), one.to_json());
}

TEST_F(CustomText, TheSameVersionIsFoundAndAnotherIsMadeAnew) {
  use_splitter(std::make_shared<ThreeWords>());
  build_now();
  for (const StageReport& stage : build_now().stages) EXPECT_EQ(stage.tasks_made, 0u) << stage.stage;

  use_splitter(std::make_shared<ThreeWords>("2"));
  EXPECT_NE(test::thrown_by([&] { build_now(); }).find("sentences was 'mine 1' and is 'mine 2'"), std::string::npos)
      << test::thrown_by([&] { build_now(); });
  fs::remove_all(folder_ / "root");
  const BuildReport report = build_now();
  EXPECT_EQ(report.stages[0].tasks_made, 0u);  // the formatted text is the same
  EXPECT_EQ(report.stages[1].tasks_made, 5u);
  EXPECT_EQ(manifest(report).recipe_value("sentences"), "mine 2");
}

TEST_F(CustomText, TheTokenizerMakesTheIds) {
  options_.tokenizer.custom = std::make_shared<Lengths>(10);
  const BuildReport report = build_now();
  EXPECT_EQ(manifest(report).recipe_value("tokenizer"), "mine 1");
  ShardReader reader(report.shard_folders.front() / "small_training_0.hdf5");
  Batch batch;
  reader.read(0, reader.shape().rows, batch);
  // The original ids of masked tokens are stored.
  for (const TokenId id : batch.masked_lm_ids) EXPECT_TRUE(id == 0 || id == 10 || id == 11) << id;
  Progress silent;
  EXPECT_TRUE(verify_shards(report.shard_folders.front(), {}, silent).problems.empty());

  options_.tokenizer.custom = std::make_shared<Lengths>(10, "2");
  EXPECT_NE(test::thrown_by([&] { build_now(); }).find("tokenizer was 'mine 1' and is 'mine 2'"), std::string::npos);
}

TEST_F(CustomText, TheNormalizerChangesTheText) {
  options_.normalizer = std::make_shared<Replace>("article", "chapter");
  const BuildReport report = build_now();
  EXPECT_EQ(text_of_shard(0).find("article"), std::string::npos);
  EXPECT_NE(text_of_shard(0).find("chapter"), std::string::npos);
  EXPECT_EQ(manifest(report).recipe_value("normalizer"), "mine 1");
  for (const StageReport& stage : build_now().stages) EXPECT_EQ(stage.tasks_made, 0u) << stage.stage;

  options_.normalizer = std::make_shared<Replace>("article", "chapter", "2");
  EXPECT_NE(test::thrown_by([&] { build_now(); }).find("normalizer was 'mine 1' and is 'mine 2'"), std::string::npos);
}

TEST_F(CustomText, ADocumentThatBecomesBlankIsLeftOut) {
  options_.normalizer = std::make_shared<Replace>("", " ");
  EXPECT_NE(test::thrown_by([&] { build_now(); }).find("no article was found"), std::string::npos);
}

TEST_F(CustomText, WorksOnDocumentsOfTheCaller) {
  class Numbers final : public DocumentSource {
   public:
    bool next(Document& document) override {
      document.text = "one two three four five six";
      return ++count_ <= 20;
    }

   private:
    int count_ = 0;
  } numbers;
  use_splitter(std::make_shared<ThreeWords>());
  options_.normalizer = std::make_shared<Replace>("six", "seven");
  const BuildReport report = build(numbers, test::small_folders(folder_), options_);
  EXPECT_EQ(report.stages[0].sentences, 40u);
  EXPECT_NE(text_of_shard(0).find("one two three\nfour five seven\n"), std::string::npos);
}

TEST_F(CustomText, WithoutNameOrVersionItIsRefused) {
  use_splitter(std::make_shared<ThreeWords>("1", ""));
  EXPECT_NE(test::thrown_by([&] { build_now(); }).find("the name of the sentence splitter is empty"),
            std::string::npos);
  use_splitter(std::make_shared<ThreeWords>(""));
  EXPECT_NE(test::thrown_by([&] { build_now(); }).find("the version of the sentence splitter 'mine' is empty"),
            std::string::npos);
  use_splitter(std::make_shared<ThreeWords>("1\n2"));
  EXPECT_NE(test::thrown_by([&] { build_now(); }).find("printable"), std::string::npos);
  use_splitter(std::make_shared<ThreeWords>("1", "punkt"));
  EXPECT_NE(test::thrown_by([&] { build_now(); }).find("which the library reserves"), std::string::npos);
  use_splitter(std::make_shared<ThreeWords>());
  options_.tokenizer.custom = std::make_shared<Lengths>(10, "");
  EXPECT_NE(test::thrown_by([&] { build_now(); }).find("the version of the tokenizer"), std::string::npos);
  options_.tokenizer.custom = nullptr;
  options_.normalizer = std::make_shared<Replace>("a", "b", "");
  EXPECT_NE(test::thrown_by([&] { build_now(); }).find("the version of the text normalizer"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder_ / "work"));
}

TEST_F(CustomText, OptionsThatDoNotCountBesideASplitterAreRefused) {
  options_.sentences.custom = std::make_shared<ThreeWords>();
  EXPECT_NE(test::thrown_by([&] { build_now(); }).find("have no effect with a custom sentence splitter"),
            std::string::npos);
}

TEST_F(CustomText, SentencesThatAreNotOfTheArticleAreRefused) {
  use_splitter(std::make_shared<Broken>("elsewhere"));
  EXPECT_NE(test::thrown_by([&] { build_now(); }).find("a sentence that is not in the article"), std::string::npos);
  use_splitter(std::make_shared<Broken>(""));
  EXPECT_NE(test::thrown_by([&] { build_now(); }).find("'mine' gave a blank sentence"), std::string::npos);
}

TEST_F(CustomText, IdsThatTheVocabularyLacksAreRefused) {
  options_.tokenizer.custom = std::make_shared<Lengths>(15);
  EXPECT_NE(test::thrown_by([&] { build_now(); }).find("gave the token id 16, the vocabulary has 16 pieces"),
            std::string::npos);
}

TEST_F(CustomText, TextThatIsLeftInvalidIsRefused) {
  options_.normalizer = std::make_shared<Replace>("article", "\xFF");
  EXPECT_NE(test::thrown_by([&] { build_now(); }).find("as the text normalizer 'mine' left it"), std::string::npos);
}

TEST_F(CustomText, AnArrayJobRefusesThem) {
  options_.normalizer = std::make_shared<Replace>("a", "b");
  EXPECT_NE(test::thrown_by([&] { check_array(options_); }).find("an array job can't use"), std::string::npos);
}

}  // namespace
}  // namespace bertprep
