#include "pipeline/stages/format_pass.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "base/random.h"
#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/input_file.h"
#include "pipeline/stages/origins_file.h"
#include "source/input/deferred_work.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

using test::TempFolder;
using testing::ElementsAre;
using testing::HasSubstr;

// Turns text into capitals, and rejects text with a question mark.
class Capitals final : public DeferredWork {
 public:
  class CapitalsWorker final : public Worker {
   public:
    std::optional<Rejection> finish(SourceDocument& document) override {
      if (document.text.find('?') != std::string::npos) return Rejection{document.title, "a question", document.text};
      for (char& c : document.text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      return std::nullopt;
    }
  };
  std::unique_ptr<Worker> make_worker() const override { return std::make_unique<CapitalsWorker>(); }
};

SourceDocument document_of(Document document, std::shared_ptr<const DeferredWork> deferred = nullptr) {
  SourceDocument own;
  static_cast<Document&>(own) = std::move(document);
  own.deferred = std::move(deferred);
  return own;
}

class Documents final : public DeferredSource {
 public:
  explicit Documents(std::vector<SourceDocument> documents) : documents_(std::move(documents)) {}
  bool read(SourceDocument& document) override {
    if (next_ == documents_.size()) return false;
    document = documents_[next_++];
    return true;
  }

 private:
  std::vector<SourceDocument> documents_;
  std::size_t next_ = 0;
};

std::string made_up_title(Random& random) {
  constexpr std::array<const char*, 16> kSyllables{"ka", "lo", "ri", "ne",  "tu",  "mar", "ber", "sin",
                                                   "da", "vo", "pe", "gan", "hil", "ost", "um",  "ley"};
  std::string title;
  for (const bool is_first : {true, false}) {
    if (!is_first) title += ' ';
    for (int k = 0; k < 4; ++k) title += kSyllables[random.below(kSyllables.size())];
  }
  return title;
}

std::string made_up_time(Random& random) {
  const auto digits = [&](std::uint32_t first, std::uint32_t last) {
    return std::to_string(100 + random.between(first, last)).substr(1);
  };
  std::string time = "20" + digits(19, 24);
  for (const char* mark : {"-", "-"}) time += mark + digits(1, 12);
  for (const char* mark : {"T", ":", ":"}) time += mark + digits(0, 59);
  return time + "Z";
}

class FormatPassTest : public testing::Test {
 protected:
  std::string run(std::vector<Document> documents, FormatPass pass = {}, bool compress = false) {
    std::vector<SourceDocument> own;
    for (Document& document : documents) own.push_back(document_of(std::move(document)));
    return run_deferred(std::move(own), pass, compress);
  }
  std::string run_deferred(std::vector<SourceDocument> documents, FormatPass pass = {}, bool compress = false) {
    Documents source(std::move(documents));
    OutputFile text(temp_ / "text");
    OutputFile origins(temp_ / "origins");
    const OutputFolder folder(temp_ / "folder");
    RejectFile rejects(folder, "rejects.jsonl", progress_);
    std::vector<Rejection> none;
    counts_ = pass.run(source, none, {.text = &text, .compress = compress, .origins = &origins}, &rejects, progress_);
    text.finish();
    origins.finish();
    rejects.finish();
    rejected_ = rejects.count();
    return read_file(temp_ / "text");
  }

  TempFolder temp_;
  Progress progress_;
  FormatCounts counts_;
  std::uint64_t rejected_ = 0;
};

TEST_F(FormatPassTest, WritesALineForEachDocumentWithText) {
  EXPECT_EQ(run({{.title = "", .text = "One.\nTwo."}, {.title = "", .text = " \n"}, {.title = "", .text = "Three."}}),
            "One. Two.\nThree.\n");
  EXPECT_EQ(counts_.articles, 2u);
  EXPECT_EQ(counts_.left_out.text(), "1 no text");
  EXPECT_EQ(counts_.documents, 3u);
}

TEST_F(FormatPassTest, FinishesDocumentsAndKeepsTheirOrder) {
  const auto capitals = std::make_shared<Capitals>();
  std::vector<SourceDocument> documents;
  std::string expected;
  for (int i = 0; i < 40'000; ++i) {
    documents.push_back(document_of({std::to_string(i), "text of " + std::to_string(i)}, capitals));
    if (i % 1000 == 7) {
      documents.back().text += "?";
    } else {
      expected += "TEXT OF " + std::to_string(i) + "\n";
    }
  }
  for (const std::size_t threads : {1, 2, 7}) {
    EXPECT_EQ(run_deferred(documents, {.threads = threads}), expected);
    EXPECT_EQ(rejected_, 40u);
    EXPECT_THAT(read_file(temp_ / ".folder.bertprep/rejects.jsonl"),
                HasSubstr(R"({"where":"7","reason":"a question","record":"text of 7?"})"));
  }
}

TEST_F(FormatPassTest, DigestsTheTextAndTheFile) {
  std::vector<Document> documents;
  for (int i = 0; i < 20'000; ++i) documents.push_back({.title = "", .text = "text of " + std::to_string(i)});
  const std::string text = run(documents);
  EXPECT_EQ(counts_.text_sha256, sha256_of(text));
  EXPECT_EQ(counts_.file_sha256, sha256_of(text));
  const std::string frames = run(documents, {.threads = 2}, true);
  EXPECT_EQ(counts_.text_sha256, sha256_of(text));
  EXPECT_EQ(counts_.file_sha256, sha256_of(frames));
}

// Long documents don't share the memory with others; their order stays.
TEST_F(FormatPassTest, LongDocumentsKeepTheirPlace) {
  std::vector<Document> documents;
  std::string expected;
  for (int i = 0; i < 60; ++i) {
    const std::string text = std::string(i % 7 == 3 ? 1'500'000 : 100 + 1000 * i, static_cast<char>('a' + i % 26));
    documents.push_back({.title = "", .text = text});
    expected += text + "\n";
  }
  for (const std::size_t threads : {1, 3}) {
    EXPECT_EQ(run(documents, {.threads = threads, .memory_bytes = 1}), expected);
    EXPECT_EQ(counts_.documents, 60u);
    EXPECT_EQ(counts_.articles, 60u);
  }
}

TEST_F(FormatPassTest, ReportsRejectionsBeforeAnError) {
  class Broken final : public DocumentSource {
   public:
    explicit Broken(std::vector<Rejection>& rejections) : rejections_(rejections) {}
    bool next(Document&) override {
      rejections_.push_back({"in:1", "it is too long", "x"});
      throw FormatError("nothing else is in it");
    }

   private:
    std::vector<Rejection>& rejections_;
  };
  std::vector<Rejection> rejections;
  Broken source(rejections);
  OutputFile text(temp_ / "text");
  RejectFile rejects(OutputFolder(temp_ / "folder"), "rejects.jsonl", progress_);
  EXPECT_THROW(FormatPass{}.run(source, rejections, {.text = &text}, &rejects, progress_), FormatError);
  EXPECT_EQ(rejects.count(), 1u);
}

TEST_F(FormatPassTest, StopsAtABadRecordWhenStrict) {
  const auto capitals = std::make_shared<Capitals>();
  EXPECT_THROW(run_deferred({document_of({"a", "why?"}, capitals)}, {.strict = true}), FormatError);
}

TEST_F(FormatPassTest, NamesTheDocumentThatIsNotUtf8) {
  try {
    run({{.title = "a", .text = "fine"}, {.title = "b", .text = "half\xff"}});
    FAIL();
  } catch (const FormatError& error) {
    EXPECT_THAT(error.what(), HasSubstr("document 2 ('b')"));
  }
}

TEST_F(FormatPassTest, KeepsWhereArticlesComeFrom) {
  Document page{.title = "Ant", .text = "Ants."};
  page.origin = {"dump", "12", "99", "2020-01-02T03:04:05Z", "u"};
  run({page, {.title = "empty", .text = ""}, {.title = "Bee", .text = "Bees."}});
  EXPECT_TRUE(counts_.has_origins);
  EXPECT_EQ(read_file(temp_ / "origins"),
            "{\"title\":\"Ant\",\"source\":\"dump\",\"page_id\":\"12\",\"url\":\"u\",\"revision_id\":\"99\","
            "\"timestamp\":\"2020-01-02T03:04:05Z\"}\n{\"title\":\"Bee\"}\n");
}

// The origin of an article differs from the next one's in its title, two numbers and a time: a hundredth of 3,000 bytes
// of text.
TEST_F(FormatPassTest, OriginsTakeThirtyBytesAnArticle) {
  constexpr std::size_t kArticles = 5'000;
  Random random("1");
  std::vector<Document> pages;
  std::uint64_t id = 0;
  for (std::size_t k = 0; k < kArticles; ++k) {
    Document page{.title = made_up_title(random), .text = "Ants."};
    page.origin.source = "enwiki-20240601-pages-articles-multistream.xml.bz2";
    page.origin.page_id = std::to_string(id += 1 + random.below(12));
    page.origin.url = "https://en.wikipedia.org/wiki?curid=" + page.origin.page_id;
    page.origin.revision_id = std::to_string(1'000'000'000 + random.below(220'000'000));
    page.origin.timestamp = made_up_time(random);
    pages.push_back(page);
  }
  run(pages);
  std::string frame;
  append_origins_frame(read_file(temp_ / "origins"), kArticles, frame);
  EXPECT_LE(frame.size(), 30 * kArticles);
}

}  // namespace
}  // namespace bertprep
