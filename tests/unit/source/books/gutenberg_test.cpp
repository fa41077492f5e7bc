#include "source/books/gutenberg.h"

#include <gtest/gtest.h>

#include <string>

namespace bertprep {
namespace {

TEST(Gutenberg, CutsHeaderAndLicence) {
  EXPECT_EQ(without_gutenberg_frame("The Project Gutenberg EBook of X\nTitle: X\n"
                                    "*** START OF THIS PROJECT GUTENBERG EBOOK X ***\n\nText.\n\n"
                                    "*** END OF THIS PROJECT GUTENBERG EBOOK X ***\n*** START: FULL LICENSE ***\n"),
            "\nText.\n\n");
  EXPECT_EQ(without_gutenberg_frame("Header\n***START OF THE PROJECT GUTENBERG EBOOK X***\nText.\n"
                                    "***END OF THE PROJECT GUTENBERG EBOOK X***\nLicence"),
            "Text.\n");
}

TEST(Gutenberg, CutsTheSmallPrintOfTheNineties) {
  EXPECT_EQ(without_gutenberg_frame("***The Project Gutenberg Etext of X***\n"
                                    "***START**THE SMALL PRINT!**FOR PUBLIC DOMAIN ETEXTS**START***\nPrint\n"
                                    "*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*\nText.\n"
                                    "End of The Project Gutenberg Etext of X\nmore\n"),
            "Text.\n");
}

TEST(Gutenberg, AMarkMayGoOverSeveralLines) {
  EXPECT_EQ(without_gutenberg_frame("*** START OF THE PROJECT GUTENBERG EBOOK A VERY\nLONG TITLE ***\nText.\n"
                                    "*** END OF THE PROJECT GUTENBERG EBOOK A VERY\nLONG TITLE ***\n"),
            "Text.\n");
  EXPECT_EQ(without_gutenberg_frame("*** START OF THE PROJECT GUTENBERG EBOOK X\n\nText.\n"), "\nText.\n");
}

TEST(Gutenberg, CutsTheCreditAfterTheStart) {
  const std::string start = "*** START OF THIS PROJECT GUTENBERG EBOOK X ***\n";
  EXPECT_EQ(without_gutenberg_frame(start + "\n\nProduced by A and\nB\n\n\nText.\n"), "\nText.\n");
  EXPECT_EQ(without_gutenberg_frame(start + "\nTranscribed from the 1908 edition\n\nText.\n"), "Text.\n");
  EXPECT_EQ(without_gutenberg_frame(start + "\nText.\n\nProduced by A\n"), "\nText.\n\nProduced by A\n");
}

TEST(Gutenberg, CutsEachOfSeveralBooks) {
  const std::string start = "Head\n*** START OF THE PROJECT GUTENBERG EBOOK X ***\n";
  const std::string end = "*** END OF THE PROJECT GUTENBERG EBOOK X ***\nLicence\n";
  EXPECT_EQ(without_gutenberg_frame(start + "One.\n" + end + start + "Two.\n" + end), "One.\nTwo.\n");
}

TEST(Gutenberg, KeepsWhatHasHalfAFrame) {
  EXPECT_EQ(without_gutenberg_frame("Text.\n*** END OF THE PROJECT GUTENBERG EBOOK X ***\nLicence\n"), "Text.\n");
  EXPECT_EQ(without_gutenberg_frame("Head\n*** START OF THE PROJECT GUTENBERG EBOOK X ***\nText."), "Text.");
}

TEST(Gutenberg, LeavesOtherBooksAsTheyAre) {
  for (const std::string book :
       {"", "Text.\n", "He read a Project Gutenberg ebook.\n\n*** START OF A NEW LIFE ***\nText\n",
        "THE END OF THE FIRST EPOCH\nText", "He reached the end of Project X. Gutenberg\n",
        "*** START OF THE PROJECT GUTENBERG EBOOK X ***\n\n"}) {
    EXPECT_EQ(without_gutenberg_frame(book), book);
  }
}

}  // namespace
}  // namespace bertprep
