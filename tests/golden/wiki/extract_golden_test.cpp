// Dumps and the output of the reference's extractor and formatting, byte for byte.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "bertprep/pipeline/stages.h"
#include "pipeline/text_shards/article_lines.h"
#include "source/input/deferred_work.h"
#include "source/source_pieces.h"
#include "stream/open_stream.h"
#include "support/golden_data.h"
#include "support/temp_folder.h"
#include "wiki/mediawiki_source.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// The bytes of `path`, or of `path`.xz.
std::string bytes_of(fs::path path) {
  if (!fs::exists(path)) path += ".xz";
  const auto stream = open_stream(path);
  std::string bytes;
  for (auto block = stream->next_block(); !block.empty(); block = stream->next_block()) bytes += block;
  return bytes;
}

// The one deliberate difference: the reference writes a NUL for a reference to it.
std::string without_nul(std::string text) {
  for (std::size_t at = text.find('\0'); at != std::string::npos; at = text.find('\0', at)) text.replace(at, 1, "&#0;");
  return text;
}

struct Golden {
  std::string name;  // "enwiki2016.default"
  fs::path folder;
  fs::path dump;
  WikiOptions options;
};

class ExtractGoldenTest : public test::GoldenTest {
 protected:
  // Every folder of results; `options.templates` names a file made by the run.
  std::vector<Golden> all() const {
    std::vector<Golden> list;
    for (const auto& entry : fs::directory_iterator(shared() / "goldens" / "wiki")) {
      if (!entry.is_directory()) continue;
      Golden golden{entry.path().filename(), entry.path(), {}, {}};
      golden.dump = entry.path().parent_path() / (golden.name.substr(0, golden.name.rfind('.')) + ".xml.xz");
      golden.options.clock = "2020-07-22T12:00:00";
      golden.options.no_templates = golden.name.ends_with(".notpl");
      if (golden.name.ends_with(".tpl")) golden.options.templates = temp_ / (golden.name + ".templates");
      list.push_back(golden);
    }
    return list;
  }

  // Compares lines, which show faults more clearly.
  static void expect_same(const std::string& found, const std::string& expected, const std::string& name) {
    if (found == expected) return;
    std::size_t at = 0;
    while (at < found.size() && at < expected.size() && found[at] == expected[at]) ++at;
    ADD_FAILURE() << name << " differs at byte " << at << ": \"" << found.substr(at, 60) << "\" for \""
                  << expected.substr(at, 60) << "\"";
  }

  test::TempFolder temp_;
};

TEST_F(ExtractGoldenTest, WritesTheFilesOfTheReference) {
  const auto goldens = all();
  ASSERT_GE(goldens.size(), 11U);
  for (const Golden& golden : goldens) {
    ExtractTask task{.dumps = {golden.dump}, .wiki = golden.options, .folder = temp_ / golden.name};
    Progress silent;
    try {
      extract_articles(task, {.threads = 3}, silent);
      EXPECT_FALSE(golden.name.starts_with("edge-nositeinfo"));
    } catch (const FormatError&) {
      // The reference silently reads nothing.
      EXPECT_TRUE(golden.name.starts_with("edge-nositeinfo"));
    }
    const std::string expected = without_nul(bytes_of(golden.folder / "extracted" / "AA" / "wiki_00"));
    expect_same(test::read_bytes(task.folder / "AA" / "wiki_00"), expected, golden.name);
    EXPECT_FALSE(fs::exists(task.folder / "AA" / "wiki_01"));
    if (golden.options.templates.empty()) continue;
    expect_same(test::read_bytes(golden.options.templates), bytes_of(golden.folder / "templates.txt"),
                golden.name + "/templates.txt");
  }
}

std::string formatted(DeferredSource& source) {
  std::string text;
  std::shared_ptr<const DeferredWork> deferred;
  std::unique_ptr<DeferredWork::Worker> worker;
  for (SourceDocument document; source.read(document); document = {}) {
    if (document.deferred && document.deferred != deferred) {
      deferred = document.deferred;
      worker = deferred->make_worker();
    }
    if (document.deferred && worker->finish(document)) continue;
    append_article_line(document, text);
  }
  return text;
}

TEST_F(ExtractGoldenTest, FormatsDumpsAsTheReferenceDoes) {
  for (const Golden& golden : all()) {
    if (golden.name.starts_with("edge-nositeinfo")) continue;
    const auto source = open_mediawiki({&golden.dump, 1}, {}, golden.options, [](auto&, auto&, auto) {}, {});
    expect_same(formatted(*source), without_nul(bytes_of(golden.folder / "formatted.txt")), golden.name);
  }
}

TEST_F(ExtractGoldenTest, FormatsExtractedFilesAsTheReferenceDoes) {
  for (const Golden& golden : all()) {
    if (golden.name.starts_with("edge-nositeinfo")) continue;
    const fs::path file =
        temp_.write(golden.name + "/AA/wiki_00", bytes_of(golden.folder / "extracted" / "AA" / "wiki_00"));
    temp_.write(golden.name + "/articles.jsonl", "{}\n");
    const fs::path folder = temp_ / golden.name;
    SourceOptions options;
    options.format = InputFormat::kWikiextractor;
    const auto source = open_observed_source({&folder, 1}, options, {}, {});
    expect_same(formatted(*source), bytes_of(golden.folder / "formatted.txt"), golden.name);
  }
}

}  // namespace
}  // namespace bertprep
