// --from-file: files that the user already has.
#include "bertprep/base/error.h"
#include "fetch/dataset_files.h"
#include "unit/fetch/fetch_fixture.h"

namespace bertprep::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
namespace fs = std::filesystem;

class LocalFilesTest : public FetchTest {
 protected:
  FetchedDataset fetch(const std::string& name, const fs::path& from_file) {
    options_.from_file = from_file;
    return fetch_dataset(name, folder_ / "dl", options_, progress_);
  }
};

TEST_F(LocalFilesTest, AnArchiveThatIsNotTheKnownOneIsRefused) {
  make_zip(folder_ / "w.zip", {{"wikitext-2/wiki.train.tokens", "x"}});
  EXPECT_THAT(error_of<FormatError>([this] { fetch("wikitext-2", folder_ / "w.zip"); }),
              HasSubstr("is not wikitext-2-v1.zip of the catalogue"));
}

TEST_F(LocalFilesTest, UnpackedMembersAreReadWhereTheyAre) {
  for (const char* name : {"wiki.test.tokens", "wiki.train.tokens", "wiki.valid.tokens"}) {
    folder_.write(std::string("mine/") + name, " = T = \n");
  }
  const FetchedDataset dataset = fetch("wikitext-2", folder_ / "mine");
  EXPECT_THAT(dataset.parts[0].files,
              ElementsAre(folder_ / "mine/wiki.train.tokens", folder_ / "mine/wiki.valid.tokens",
                          folder_ / "mine/wiki.test.tokens"));
  EXPECT_EQ(dataset.parts[0].format, "wikitext");
  fs::remove(folder_ / "mine/wiki.test.tokens");
  EXPECT_THAT(error_of<IoError>([this] { fetch("wikitext-2", folder_ / "mine"); }), HasSubstr("has no"));
  EXPECT_THROW(fetch("wikitext-2", folder_ / "absent"), IoError);
}

TEST_F(LocalFilesTest, AFolderOfBooks) {
  folder_.write("books/a.txt", "A book.\n");
  const FetchedDataset dataset = fetch("bookscorpus", folder_ / "books");
  EXPECT_EQ(dataset.parts[0].format, "books");
  EXPECT_THAT(dataset.parts[0].files, ElementsAre(folder_ / "books"));
}

TEST_F(LocalFilesTest, LinesOfBookCorpusGetBoundaries) {
  std::string lines;
  for (int i = 0; i < 7000; ++i) lines += "line .\n";
  folder_.write("books/books_large_p1.txt", lines);
  folder_.write("books/books_large_p2.txt", "line .\n");
  const FetchedDataset dataset = fetch("bookscorpus", folder_ / "books");
  EXPECT_EQ(dataset.parts[0].format, "sentences");
  ASSERT_THAT(dataset.parts[0].files, SizeIs(2));
  EXPECT_EQ(read_file_of(dataset.parts[0].files[0]).size(), lines.size() + 1);
  EXPECT_EQ(read_file_of(folder_ / "books/books_large_p1.txt"), lines);
}

TEST_F(LocalFilesTest, AListOfBooks) {
  folder_.write("files/one.txt", "One.\n");
  const fs::path list =
      folder_.write("url_list.jsonl", R"({"txt": ")" + server() + "/plain/one.txt\", \"title\": \"One\"}\n\n" +
                                          R"({"epub": "http://h/x.epub", "txt": ""})" + "\n" + R"({"txt": ")" +
                                          server() + "/S404/two.txt\"}\n");
  EXPECT_THAT(read_book_list(list), SizeIs(2));
  const FetchedDataset dataset = fetch("bookscorpus", list);
  EXPECT_EQ(dataset.parts[0].format, "books");
  EXPECT_THAT(dataset.parts[0].files, ElementsAre(folder_ / "dl/bookscorpus/books"));
  EXPECT_EQ(read_file_of(folder_ / "dl/bookscorpus/books/000001__one.txt"), "One.\n");
  ASSERT_THAT(progress_.skips, SizeIs(1));
  EXPECT_THAT(progress_.skips[0], HasSubstr("000004__two.txt"));
}

TEST_F(LocalFilesTest, Dumps) {
  folder_.write("dumps/enwiki-20260601-pages-articles.xml.bz2", "old");
  folder_.write("dumps/enwiki-20260701-pages-articles2.xml-p10p20.bz2", "2");
  folder_.write("dumps/enwiki-20260701-pages-articles1.xml-p1p9.bz2", "1");
  folder_.write("dumps/notes.txt", "x");
  const FetchedDataset dataset = fetch("wikicorpus_en", folder_ / "dumps");
  EXPECT_EQ(dataset.parts[0].format, "mediawiki");
  EXPECT_THAT(dataset.parts[0].files, ElementsAre(folder_ / "dumps/enwiki-20260701-pages-articles1.xml-p1p9.bz2",
                                                  folder_ / "dumps/enwiki-20260701-pages-articles2.xml-p10p20.bz2"));
  const fs::path file = folder_.write("x.xml", "<mediawiki/>");
  EXPECT_THAT(fetch("wikicorpus_en", file).parts[0].files, ElementsAre(file));
}

TEST_F(LocalFilesTest, BooksAndWikiFromOneFolder) {
  folder_.write("all/bookscorpus/a.txt", "A book.\n");
  folder_.write("all/wikicorpus_en/enwiki-latest-pages-articles.xml.bz2", "x");
  const FetchedDataset dataset = fetch("bookswiki", folder_ / "all");
  EXPECT_EQ(dataset.name, "books_wiki_en_corpus");
  ASSERT_THAT(dataset.parts, SizeIs(2));
  EXPECT_EQ(dataset.parts[0].format, "books");
  EXPECT_EQ(dataset.parts[1].format, "mediawiki");
}

}  // namespace
}  // namespace bertprep::test
