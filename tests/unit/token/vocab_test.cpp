#include "bertprep/token/vocab.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "bertprep/base/error.h"
#include "support/temp_folder.h"
#include "support/thrown.h"

namespace bertprep {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string fault_of(std::string_view bytes) {
  return test::thrown_by<FormatError>([&] { Vocab::parse(bytes, "v.txt"); });
}

TEST(Vocab, NumbersPiecesByLine) {
  const Vocab vocab = Vocab::parse("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\n##s\n\u00e9\n", "v.txt");
  EXPECT_EQ(vocab.size(), 8U);
  EXPECT_EQ(vocab.piece(5), "the");
  EXPECT_EQ(vocab.find("##s"), 6);
  EXPECT_EQ(vocab.find("\u00e9"), 7);
  EXPECT_EQ(vocab.find("no"), std::nullopt);
  EXPECT_EQ(vocab.pad(), 0);
  EXPECT_EQ(vocab.unk(), 1);
  EXPECT_EQ(vocab.cls(), 2);
  EXPECT_EQ(vocab.sep(), 3);
  EXPECT_EQ(vocab.mask(), 4);
  EXPECT_THAT(vocab.ids(), testing::ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

TEST(Vocab, APipeOrADeviceIsNotReadToAnEndThatNeverComes) {
  const test::TempFolder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path : {pipe, std::string("/dev/zero")}) {
    EXPECT_THAT(test::thrown_by<FormatError>([&] { Vocab::load(path); }), StartsWith(path + ": is not a file"));
    EXPECT_THAT(test::thrown_by<FormatError>([&] { load_vocab(path); }), StartsWith(path + ": is not a file"));
  }
}

TEST(Vocab, TakesEveryLineEndAndStripsWhiteSpace) {
  const Vocab vocab = Vocab::parse("[MASK]\r\n[SEP]\r[CLS] \n\t[UNK]\n\u00a0[PAD]\n\nlast\u3000", "v.txt");
  EXPECT_EQ(vocab.size(), 7U);
  EXPECT_EQ(vocab.mask(), 0);
  EXPECT_EQ(vocab.cls(), 2);
  EXPECT_EQ(vocab.unk(), 3);
  EXPECT_EQ(vocab.pad(), 4);
  EXPECT_EQ(vocab.piece(5), "");
  EXPECT_EQ(vocab.find("last"), 6);
}

TEST(Vocab, NamesBothLinesOfADuplicate) {
  EXPECT_THAT(fault_of("[PAD]\n[UNK]\na\n[CLS]\na \n[SEP]\n[MASK]\n"),
              AllOf(StartsWith("v.txt:5: "), HasSubstr("'a'"), HasSubstr("line 3")));
}

TEST(Vocab, NamesTheMissingSpecialPiece) {
  EXPECT_THAT(fault_of("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[mask]\n"), AllOf(StartsWith("v.txt: "), HasSubstr("[MASK]")));
  EXPECT_THAT(fault_of("a\nb\n"), HasSubstr("[PAD]"));
}

TEST(Vocab, RefusesAPieceThatNoWordCanHold) {
  const std::string begin = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n";
  EXPECT_EQ(Vocab::parse(begin + std::string(4096, 'x') + "\n", "v.txt").size(), 6U);
  EXPECT_THAT(fault_of(begin + std::string(4097, 'x') + "\n"),
              AllOf(StartsWith("v.txt:6: "), HasSubstr("more than 4096 bytes in a line")));
}

TEST(Vocab, RefusesInvalidUtf8AndNothing) {
  EXPECT_THAT(fault_of("[PAD]\n[UNK]\n\xE9\n"), StartsWith("v.txt:3: invalid UTF-8 at byte 12"));
  EXPECT_THAT(fault_of(""), HasSubstr("empty"));
}

TEST(Vocab, LoadsAFileAndKnowsItsDigest) {
  const test::TempFolder folder;
  const auto path = folder.write("v.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n");
  EXPECT_EQ(Vocab::load(path).sha256(), "cc75ba7f9a1247b5c7b9e37ba840347b96122bc1d7257b5dcd7320b36585445a");
  EXPECT_THROW(Vocab::load(folder / "absent.txt"), IoError);
}

}  // namespace
}  // namespace bertprep
