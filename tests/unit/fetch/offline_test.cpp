// FetchOptions::offline: no request is made, for any call.
#include "fetch/pages.h"
#include "unit/fetch/fetch_fixture.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
namespace fs = std::filesystem;

class OfflineFetchTest : public FetchTest {
 protected:
  OfflineFetchTest() {
    options_.offline = true;
    options_.retries = 0;
    options_.mirror = server() + "/plain";
  }
  std::string refusal(const std::function<void()>& call) { return error_of<OfflineError>(call); }
};

TEST_F(OfflineFetchTest, EveryWayIsRefusedWithTheCommandThatFetches) {
  const fs::path dl = folder_ / "dl";
  const std::string below = " --folder " + dl.string() + "'";
  EXPECT_THAT(refusal([&] { fetch_dataset("wikitext-2", dl, options_, progress_); }),
              HasSubstr("'bertprep fetch wikitext-2" + below));
  EXPECT_THAT(refusal([&] { fetch_dataset("bookswiki", dl, options_, progress_); }), HasSubstr("fetch bookswiki"));
  EXPECT_THAT(refusal([&] { fetch_dataset("wikicorpus_de", dl, options_, progress_); }),
              HasSubstr("'bertprep fetch wikicorpus_de" + below));
  EXPECT_THAT(refusal([&] { describe_dataset("wikicorpus_de", options_, progress_); }), HasSubstr("wikicorpus_de"));
  EXPECT_THAT(refusal([&] { fetch_vocab("bert-large-cased", dl, options_, progress_); }),
              HasSubstr("'bertprep vocab fetch bert-large-cased', or give a copy with `vocab` FILE"));
  EXPECT_THAT(refusal([&] { fetch_vocab_file("bert-large-cased", dl / "v.txt", options_, progress_); }),
              HasSubstr("or give a copy with `from_file` FILE"));
  EXPECT_THAT(refusal([&] { fetch_punkt("german", dl, options_, progress_); }),
              HasSubstr("'bertprep fetch punkt_german" + below));
  EXPECT_FALSE(fs::exists(dl));
  const fs::path list = folder_.write("l.jsonl", R"({"txt": ")" + server() + "/plain/one.txt\"}\n");
  options_.from_file = list;
  EXPECT_THAT(refusal([&] { fetch_dataset("bookscorpus", dl, options_, progress_); }),
              HasSubstr("--from-file " + list.string()));
  EXPECT_THAT(requests(), IsEmpty());
}

TEST_F(OfflineFetchTest, TheDumpThatWasChosenBeforeIsKnown) {
  folder_.write("dl/.wikicorpus_de.bertprep/dump-20260101.json",
                R"({"wiki": "dewiki", "date": "20260101", "articles": [{"name": "a.xml.bz2", "size": 3,
                    "sha256": "", "sha1": "", "md5": "", "mirrors": ["http://data.invalid/a.xml.bz2"]}],
                    "indexes": []})");
  folder_.write("dl/wikicorpus_de/a.xml.bz2", "BZh");
  const FetchedDataset dataset = fetch_dataset("wikicorpus_de", folder_ / "dl", options_, progress_);
  EXPECT_EQ(dataset.parts.at(0).files.at(0), folder_ / "dl/wikicorpus_de/a.xml.bz2");
}

// Code that forgets to check gets no connection.
TEST_F(OfflineFetchTest, TheClientItselfReadsFilesAlone) {
  Pages pages(options_, policy_, progress_);
  EXPECT_FALSE(pages.get({server() + "/plain/file.bin"}).has_value());
  EXPECT_THAT(requests(), IsEmpty());
  EXPECT_EQ(pages.get({"file://" + folder_.write("x", "y").string()}), "y");
}

}  // namespace
}  // namespace bertprep::test
