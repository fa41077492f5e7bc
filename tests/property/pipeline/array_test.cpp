// An array job gives the bytes of a build, which then finds all done, for any number, order and repetition of tasks,
// and wherever attempts were stopped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <random>
#include <thread>

#include "bertprep/base/error.h"
#include "support/array_run.h"
#include "support/temp_folder.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;
using testing::UnorderedElementsAre;

constexpr ArrayStage kAfterFetch[] = {ArrayStage::kFormat, ArrayStage::kPlace, ArrayStage::kShard,
                                      ArrayStage::kInstances, ArrayStage::kFinish};

std::string sentences(std::mt19937& random, const char* separator) {
  std::string text;
  const int count = 1 + static_cast<int>(random() % 7);
  for (int i = 0; i < count; ++i) {
    text += "The article has a kind of number " + std::to_string(random() % 1000) + "." + separator;
  }
  text.pop_back();
  return text;
}

CorpusPart part_of(std::vector<fs::path> inputs, const std::string& format) {
  CorpusPart part{.inputs = std::move(inputs)};
  part.source.format = input_format(format);
  return part;
}

using Corpus = std::vector<CorpusPart>;

Corpus articles(const TempFolder& folder) {
  std::mt19937 random(1);
  std::string text;
  for (int i = 0; i < 60; ++i) text += i % 9 == 8 ? " \n" : sentences(random, " ") + "\n";
  return {part_of({folder.write("articles.txt", text)}, "articles")};
}

// With whole pieces of bad records.
Corpus records(const TempFolder& folder) {
  std::mt19937 random(2);
  std::string text;
  for (int i = 0; i < 60; ++i) {
    const bool is_bad = i % 11 == 3 || (i >= 20 && i < 40);
    text += is_bad ? "{\"title\": \"no text in number " + std::to_string(i) + ", but many words\"}\n"
                   : "{\"text\": \"" + sentences(random, " ") + "\", \"url\": \"u" + std::to_string(i) + "\"}\n";
  }
  return {part_of({folder.write("records.jsonl", text)}, "jsonl")};
}

// Records of several lines, bad ones, and quotes that stay open.
Corpus table(const TempFolder& folder) {
  std::mt19937 random(4);
  std::string text = "id,text,url\r\n";
  for (int i = 0; i < 60; ++i) {
    const std::string id = std::to_string(i);
    text += i % 11 == 3   ? id + ",too few\n"
            : i % 13 == 5 ? id + ",\"open and long, u" + id + "\n"
                          : id + ",\"" + sentences(random, "\n") + " \"\"So.\"\"\",u" + id + "\r\n";
  }
  return {part_of({folder.write("table.csv", text)}, "csv")};
}

// Files with broken citations, ones without an abstract, and deletions.
Corpus citations(const TempFolder& folder) {
  std::mt19937 random(6);
  for (int file = 0; file < 6; ++file) {
    std::string text = "<PubmedArticleSet>\n";
    for (int i = 0; i < 10; ++i) {
      const std::string id = std::to_string(file * 10 + i);
      text += "<PubmedArticle><MedlineCitation><PMID>" + id + "</PMID>\n<Article><ArticleTitle>T" + id +
              (i == 3 ? "</b>" : "</ArticleTitle>");
      if (i != 5) text += "<Abstract><AbstractText>" + sentences(random, "\n") + "</AbstractText></Abstract>";
      text += "</Article></MedlineCitation></PubmedArticle>\n";
    }
    if (file == 4) text += "<DeleteCitation><PMID>3</PMID></DeleteCitation>\n";
    folder.write("citations/" + std::to_string(file) + ".xml", text + "</PubmedArticleSet>\n");
  }
  return {part_of({folder / "citations"}, "pubmed")};
}

Corpus wikitext(const TempFolder& folder) {
  std::mt19937 random(3);
  std::vector<fs::path> files;
  for (int file = 0; file < 4; ++file) {
    std::string text;
    for (int i = 0; i < 8; ++i)
      text += " \n = Title " + std::to_string(i) + " = \n \n " + sentences(random, " ") + " \n";
    files.push_back(folder.write("part" + std::to_string(file) + ".wikitext", text));
  }
  return {part_of(files, "wikitext")};
}

std::string pages(std::mt19937& random, int first, int count) {
  std::string text =
      "<mediawiki xmlns=\"http://www.mediawiki.org/xml/export-0.11/\" xml:lang=\"en\">\n"
      "<siteinfo><sitename>Wiki</sitename><namespaces><namespace key=\"0\"/>"
      "<namespace key=\"4\">Project</namespace></namespaces></siteinfo>\n";
  for (int i = first; i < first + count; ++i) {
    const std::string id = std::to_string(i);
    text += "<page>\n<title>T" + id + "</title>\n<ns>" + (i % 7 == 0 ? "4" : "0") + "</ns>\n<id>" + id +
            "</id>\n<revision>\n<id>" + id + "</id>\n<timestamp>2024-02-03T04:05:06Z</timestamp>\n<text>" +
            sentences(random, "\n") + (i % 11 == 3 ? "\xFF" : "") + "</text>\n</revision>\n</page>\n";
  }
  return text + "</mediawiki>\n";
}

Corpus dumps(const TempFolder& folder) {
  std::mt19937 random(4);
  std::vector<fs::path> files;
  for (int file = 0; file < 4; ++file) {
    files.push_back(folder.write("dump" + std::to_string(file) + ".xml", pages(random, 1 + 10 * file, 10)));
  }
  return {part_of(files, "mediawiki")};
}

Corpus books(const TempFolder& folder) {
  std::mt19937 random(5);
  for (int i = 0; i < 15; ++i) folder.write("books/" + std::to_string(i) + ".txt", sentences(random, "\n") + "\n");
  return {part_of({folder / "books"}, "books")};
}

Corpus sentence_lines(const TempFolder& folder) {
  std::mt19937 random(6);
  std::string text;
  for (int i = 0; i < 40; ++i) text += sentences(random, "\n") + "\n\n";
  return {part_of({folder.write("sentences.txt", text)}, "sentences")};
}

// Two formats, and a dump among them.
Corpus many_parts(const TempFolder& folder) {
  Corpus corpus = dumps(folder);
  for (CorpusPart& part : records(folder)) corpus.push_back(std::move(part));
  return corpus;
}

struct CorpusCase {
  const char* name;
  Corpus (*make)(const TempFolder&);
  std::uint64_t piece_bytes;
  std::vector<std::uint64_t> counts{2, 40};
  Phase phase = Phase::kPhase1;
  bool lines = false;
};

class ArrayTest : public testing::TestWithParam<CorpusCase> {
 protected:
  void SetUp() override {
    options_.corpus.name = "small";
    options_.corpus.phase = GetParam().phase;
    options_.vocabulary = temp_.write(
        "vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\narticle\nnumber\nhas\na\nof\nkind\n.\n1\n##2\n##3\n");
    options_.sentences.rules = GetParam().lines ? SentenceRules::kLines : SentenceRules::kIcu;
    options_.sharding.train_shards = 4;
    options_.sharding.test_shards = 2;
    options_.instances.dupe_factor = 1;
    options_.work.threads = 1;
    options_.work.keep.extracted = true;
    corpus_ = GetParam().make(temp_);
    Progress silent;
    build(corpus_, {temp_ / "built/root", temp_ / "built/work"}, options_, silent);
    built_ = results_of(temp_ / "built");
    ASSERT_GE(built_.size(), 7U + 6U + 1U);  // shards, text shards, formatted text
  }

  ArrayRun make_run(const std::string& folder) {
    return ArrayRun(temp_ / folder, corpus_, options_, GetParam().piece_bytes);
  }

  void expect_as_built(const std::string& folder) {
    EXPECT_EQ(difference(built_, results_of(temp_ / folder)), "") << folder;
    EXPECT_EQ(files_of_jobs(temp_ / folder).size(), 3U);  // the job's folder, plan.json and finished
  }

  TempFolder temp_;
  PipelineOptions options_;
  Corpus corpus_;
  FileTree built_;
};

TEST_P(ArrayTest, AnyNumberOfTasks) {
  for (const std::uint64_t count : GetParam().counts) {
    const std::string folder = "array" + std::to_string(count);
    ArrayRun run = make_run(folder);
    EXPECT_GT(run.fetch().tasks_made, 2U) << "one piece tests nothing";
    run.stages(ArrayStage::kFormat, ArrayStage::kFinish, count);
    expect_as_built(folder);
    Progress silent;
    const BuildReport report =
        build(corpus_, {temp_ / (folder + "/root"), temp_ / (folder + "/work")}, options_, silent);
    for (const StageReport& stage : report.stages) EXPECT_EQ(stage.tasks_made, 0U) << stage.stage;
    expect_as_built(folder);
  }
}

TEST_P(ArrayTest, AnyOrderAndRepetition) {
  std::mt19937 random(7);
  ArrayRun run = make_run("array");
  run.fetch();
  for (const ArrayStage stage : kAfterFetch) {
    const std::uint64_t count = is_array(stage) ? 5 : 1;
    std::vector<std::uint64_t> tasks;
    for (std::uint64_t i = 0; i < 2 * count; ++i) tasks.push_back(i % count);
    std::shuffle(tasks.begin(), tasks.end(), random);
    for (const std::uint64_t task : tasks) run.task(stage, task, count);
    // The same units by another number of tasks are already done.
    EXPECT_EQ(run.task(stage, 0, 1).tasks_made, 0U);
  }
  expect_as_built("array");
}

TEST_P(ArrayTest, TwoAttemptsAtOnce) {
  ArrayRun run = make_run("array");
  run.fetch();
  for (const ArrayStage stage : kAfterFetch) {
    std::vector<std::thread> attempts;
    for (int i = 0; i < 3; ++i) attempts.emplace_back([&] { EXPECT_NO_THROW(run.task(stage)) << name_of(stage); });
    for (std::thread& attempt : attempts) attempt.join();
  }
  expect_as_built("array");
}

// Cancels after some number of calls.
class Impatient : public Progress {
 public:
  explicit Impatient(int calls) : left_(calls) {}
  bool cancelled() const override { return left_.fetch_sub(1) <= 0; }

 private:
  mutable std::atomic<int> left_;
};

TEST_P(ArrayTest, AfterCancelledAttempts) {
  std::mt19937 random(8);
  ArrayRun run = make_run("array");
  run.fetch();
  int cancelled = 0;
  for (const ArrayStage stage : kAfterFetch) {
    for (int attempt = 0; attempt < 6; ++attempt) {
      Impatient progress(static_cast<int>(random() % 12));
      try {
        run.task(stage, 0, 1, progress);
      } catch (const Cancelled&) {
        ++cancelled;
      }
    }
    run.task(stage);
  }
  EXPECT_GT(cancelled, 4);
  expect_as_built("array");
}

INSTANTIATE_TEST_SUITE_P(Corpora, ArrayTest,
                         testing::Values(CorpusCase{"articles", articles, 1200, {1, 2, 3, 7, 40}, Phase::kBoth},
                                         CorpusCase{"jsonl", records, 1200}, CorpusCase{"csv", table, 1200},
                                         CorpusCase{"pubmed", citations, 4000}, CorpusCase{"wikitext", wikitext, 300},
                                         CorpusCase{"mediawiki", dumps, 2000}, CorpusCase{"books", books, 400},
                                         CorpusCase{"lines", sentence_lines, 800, {3}, Phase::kPhase1, true},
                                         CorpusCase{"parts", many_parts, 3000}),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace bertprep::test
