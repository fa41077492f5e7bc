#include "bertprep/token/vocab_catalogue.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "support/temp_folder.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// Neither a folder of the user's own nor a file of the name in the current one.
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

TEST_F(VocabCatalogueTest, LooksBesideTheProgramAndNowhereElseByItself) {
  const fs::path program = fs::read_symlink("/proc/self/exe");
  const std::vector<fs::path> folders = vocab_folders();
  ASSERT_EQ(folders.size(), 1U);
  EXPECT_TRUE(folders[0].string().starts_with(program.parent_path().parent_path().string() + "/")) << folders[0];
  EXPECT_TRUE(folders[0].string().ends_with("/bertprep/vocab")) << folders[0];
}

}  // namespace
}  // namespace bertprep
