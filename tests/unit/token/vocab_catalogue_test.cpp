#include "token/vocab_catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>

#include "bertprep/base/error.h"

#include "support/temp_folder.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// Without a user's folder, or a file of the name in the current folder.
class VocabCatalogueTest : public testing::Test {
 protected:
  VocabCatalogueTest() : before_(fs::current_path()) {
    for (const char* name : {"BERTPREP_VOCAB_DIR", "XDG_DATA_HOME", "HOME"}) unsetenv(name);
    fs::current_path(folder_.path());
  }
  ~VocabCatalogueTest() override { fs::current_path(before_); }

  fs::path before_;
  test::TempFolder folder_;
};

TEST_F(VocabCatalogueTest, HoldsTheSamplesVocabularyItself) {
  for (const KnownVocab& known : known_vocabs()) {
    EXPECT_EQ(known.built_in, known.name == "sample-uncased");
    if (!known.built_in) continue;
    const Vocab vocab = load_vocab(known.name);
    EXPECT_EQ(vocab.sha256(), known.sha256);
    EXPECT_EQ(vocab.size(), known.pieces);
  }
  EXPECT_EQ(vocab_place("sample-uncased"), "sample-uncased (built in)");
}

TEST_F(VocabCatalogueTest, TakesAFileOfThatNameFirst) {
  std::ofstream("sample-uncased") << "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n";
  EXPECT_EQ(load_vocab("sample-uncased").size(), 6U);
  EXPECT_EQ(vocab_place("sample-uncased"), "sample-uncased");
}

TEST_F(VocabCatalogueTest, TakesNoAddress) {
  EXPECT_THROW(load_vocab("https://example.org/vocab.txt"), ConfigError);
}

TEST_F(VocabCatalogueTest, LooksBesideTheProgramAndNowhereElseByItself) {
  const fs::path program = fs::read_symlink("/proc/self/exe");
  const std::vector<fs::path> folders = vocab_folders();
  ASSERT_EQ(folders.size(), 1U);
  EXPECT_TRUE(folders[0].string().starts_with(program.parent_path().parent_path().string() + "/")) << folders[0];
  EXPECT_TRUE(folders[0].string().ends_with("/bertprep/vocab")) << folders[0];
}

// By HuggingFace's names; several models share a vocabulary.
TEST_F(VocabCatalogueTest, KnowsTheNamesThatHuggingFaceUses) {
  const std::vector<KnownVocab> known = known_vocabs();
  const auto entry_of = [&](const std::string& name) {
    const auto found = std::find_if(known.begin(), known.end(), [&](const auto& one) { return one.is_called(name); });
    return found == known.end() ? "none of " + name : found->name;
  };
  for (const std::string owner : {"", "google-bert/"}) {
    for (const char* name : {"bert-base-uncased", "bert-large-uncased", "bert-large-uncased-whole-word-masking"}) {
      EXPECT_EQ(entry_of(owner + name), "bert-large-uncased");
    }
    for (const char* name : {"bert-base-cased", "bert-large-cased", "bert-large-cased-whole-word-masking"}) {
      EXPECT_EQ(entry_of(owner + name), "bert-large-cased");
    }
    for (const std::string name : {"bert-base-multilingual-cased", "bert-base-multilingual-uncased",
                                   "bert-base-chinese", "bert-base-german-cased"}) {
      EXPECT_EQ(entry_of(owner + name), name);
    }
  }
  std::set<std::string> names;
  for (const KnownVocab& vocab : known) {
    EXPECT_TRUE(names.insert(vocab.name).second) << vocab.name;
    for (const std::string& alias : vocab.aliases) EXPECT_TRUE(names.insert(alias).second) << alias;
  }
}

TEST_F(VocabCatalogueTest, AnAliasFindsTheFile) {
  fs::create_directories(folder_ / "mine");
  std::ofstream(folder_ / "mine/bert-base-german-cased-vocab.txt") << "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nund\n";
  setenv("BERTPREP_VOCAB_DIR", (folder_ / "mine").c_str(), 1);
  EXPECT_EQ(load_vocab("google-bert/bert-base-german-cased").size(), 6U);
  EXPECT_THROW(load_vocab("google-bert/bert-base-uncased"), IoError);
}

}  // namespace
}  // namespace bertprep
