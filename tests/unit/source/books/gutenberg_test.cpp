#include "source/books/gutenberg.h"

#include <gtest/gtest.h>

#include <string>

namespace bertprep {
namespace {

std::string without_gutenberg_frame(std::string_view book) {
  std::string note;
  std::string text = bertprep::without_gutenberg_frame(book, note);
  EXPECT_EQ(note, "");
  return text;
}

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
                                    "End of The Project Gutenberg Etext of X\nThis etext is free.\n"),
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

const std::string kBookStart = "Head\n*** START OF THIS PROJECT GUTENBERG EBOOK X ***\n";
const std::string kBookEnd = "*** END OF THIS PROJECT GUTENBERG EBOOK X ***\nUpdated editions.\n";
const std::string kFullLicence = "*** START: FULL LICENSE ***\nThe license.\n*** END: FULL LICENSE ***\n";

TEST(Gutenberg, ABookGoesToItsLastOfficialEnd) {
  EXPECT_EQ(without_gutenberg_frame(kBookStart +
                                    "One.\n\nEnd of the Project Gutenberg EBook of X, v1, by Nobody\n\nTwo.\n\n" +
                                    "End of Project Gutenberg's X, v2\n\nThree.\n" + kBookEnd),
            "One.\n\n\nTwo.\n\n\nThree.\n");
  EXPECT_EQ(
      without_gutenberg_frame(kBookStart + "One.\n" + kBookEnd + kFullLicence + "Two.\n" + kBookEnd + kFullLicence),
      "One.\nTwo.\n");
  EXPECT_EQ(without_gutenberg_frame("One.\n\nEnd of Project Gutenberg's X\n\nTwo.\n"), "One.\n\n\nTwo.\n");
}

TEST(Gutenberg, ProseMayNameTheProject) {
  for (const std::string line :
       {"The end of Project Gutenberg came.\n", "End of Project Gutenberg's first year, they said.\n",
        "End of the project, Gutenberg said.\n", "Fin de la vie de Gutenberg's Works\n"}) {
    EXPECT_EQ(without_gutenberg_frame(kBookStart + "One.\n" + line + "Two.\n" + kBookEnd), "One.\n" + line + "Two.\n");
    EXPECT_EQ(without_gutenberg_frame("One.\n\n" + line + "Two.\n"), "One.\n\n" + line + "Two.\n");
  }
}

TEST(Gutenberg, ACreditEndsAtTheEndOfTheBook) {
  const std::string book = kBookStart + "Produced by A\n" + kBookEnd;
  EXPECT_EQ(without_gutenberg_frame(book), book) << "it would become blank";
}

TEST(Gutenberg, KnowsEndsInOtherLanguages) {
  for (const std::string line :
       {"End of this Etext of X", "End of this Project Gutenberg Etext", "Fin de Project Gutenberg's Oeuvres",
        "Fin du Project Gutenberg EBook", "Fin de l'EBook de Project Gutenberg", "Fin del Proyecto Gutenberg Etext",
        "Ende von Project Gutenberg's Werke", "Ende dieses Projekt Gutenberg Etextes",
        "Einde van Project Gutenberg's X", "The End of the Project Gutenberg e-text of X",
        "End of Project Gutenberg\xE2\x80\x99s X"}) {
    EXPECT_EQ(without_gutenberg_frame(kBookStart + "One.\n" + line + "\n\nThe licence.\n"), "One.\n") << line;
    EXPECT_EQ(without_gutenberg_frame(kBookStart + "One.\n" + line + "\n" + kBookEnd), "One.\n") << line;
  }
}

TEST(Gutenberg, CutsLicencesAndNotesOfTheMakers) {
  EXPECT_EQ(without_gutenberg_frame(kBookStart + "One.\n" + kFullLicence), "One.\n");
  EXPECT_EQ(without_gutenberg_frame(kBookStart + "One.\n*** START: FULL LICENSE ***\nThe license.\n"), "One.\n");
  EXPECT_EQ(without_gutenberg_frame(kBookStart + "One.\n\n<<THIS ELECTRONIC VERSION OF X IS\nCOPYRIGHT.>>\n\nTwo.\n" +
                                    kBookEnd),
            "One.\n\n\nTwo.\n");
  EXPECT_EQ(without_gutenberg_frame(kBookStart +
                                    "\nE-text prepared by A\n(http://www.pgdp.net)\n\n\nNote: Project Gutenberg "
                                    "also has an HTML version of this\n      file.\n\nX\n" +
                                    kBookEnd),
            "X\n");
  EXPECT_EQ(without_gutenberg_frame(kBookStart + "Produced by B\n\n*Project Gutenberg is proud to cooperate*\n\nX\n" +
                                    kBookEnd),
            "X\n");
}

TEST(Gutenberg, SmallPrintWithinKeepsTheVolumeBeforeIt) {
  const std::string print = "***START**THE SMALL PRINT!**START***\nPrint\n*END*THE SMALL PRINT!*END*\n";
  const std::string volume(30'000, 'a');
  EXPECT_EQ(without_gutenberg_frame("Head\n" + print + volume + "\n" + print + "Two.\n"), volume + "\nTwo.\n");
}

TEST(Gutenberg, NotesWhenMuchIsCut) {
  std::string note = "read";
  const std::string more(50'000, 'b');
  EXPECT_EQ(bertprep::without_gutenberg_frame("One.\n" + kBookEnd + more, note), "One.\n");
  EXPECT_EQ(note.find("read; much is cut as the frame of Project Gutenberg (500"), 0U) << note;
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
