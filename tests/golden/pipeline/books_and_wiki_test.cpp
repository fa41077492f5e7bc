// Books and Wikipedia in one corpus, from real files: each part as by itself, and the same for any number of threads.
#include <gtest/gtest.h>

#include "bertprep/pipeline/build.h"
#include "golden/pipeline/sample_run.h"
#include "pipeline/records/run_layout.h"
#include "support/file_tree.h"
#include "support/golden_data.h"
#include "support/read_text.h"
#include "support/temp_folder.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;

class BooksAndWiki : public GoldenTest {
 protected:
  CorpusPart books() const { return {{shared() / "corpora/books/en"}, {.format = InputFormat::kBooks}, {}}; }
  CorpusPart wiki() const {
    return {{shared() / "corpora/wikidump/enwiki-gensim-shortened.xml.bz2"}, {.format = InputFormat::kMediawiki}, {}};
  }

  std::string formatted(const std::vector<CorpusPart>& parts, const std::string& name) {
    Progress silent;
    const StageReport report = format_articles({.parts = parts, .file = temp_ / (name + ".txt")}, {}, silent);
    articles_ += report.articles;
    return read_bytes(temp_ / (name + ".txt"));
  }

  BuildReport run(std::int64_t threads, const std::string& name) {
    PipelineOptions options = sample_runs().front().options;
    options.corpus.name = "books_wiki_en_corpus";
    options.sharding = {.train_shards = 8, .test_shards = 4};
    options.instances.dupe_factor = 1;
    options.work.threads = threads;
    Progress silent;
    return build(std::vector<CorpusPart>{books(), wiki()}, {temp_ / name / "root", temp_ / name / "work"}, options,
                 silent);
  }

  TempFolder temp_;
  std::uint64_t articles_ = 0;
};

TEST_F(BooksAndWiki, AreOneCorpus) {
  const std::string expected = formatted({books()}, "books") + formatted({wiki()}, "wiki");
  const BuildReport report = run(2, "both");
  EXPECT_EQ(report.stages.front().articles, articles_);
  EXPECT_EQ(report.shards, 24U);
  EXPECT_TRUE(read_text(temp_ / "both/work" / kFormattedFolder /
                        (formatted_file_name("books_wiki_en_corpus") + ".zst")) == expected);
  for (const fs::path& folder : report.shard_folders) {
    Progress silent;
    EXPECT_TRUE(verify_shards(folder, {}, silent).problems.empty());
  }
  run(1, "again");
  FileTree first = read_tree(temp_ / "both/root"), second = read_tree(temp_ / "again/root");
  for (FileTree* tree : {&first, &second}) {  // without what says where the run was
    std::erase_if(*tree, [](const auto& file) { return file.first.ends_with("/places.json"); });
  }
  EXPECT_EQ(difference(first, second), "");
}

}  // namespace
}  // namespace bertprep::test
