// Extraction: dumps of MediaWiki wikis -> files of <doc> elements, as WikiExtractor writes them
// (docs/formats/extracted.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bertprep/base/fields.h"
#include "bertprep/base/progress.h"
#include "bertprep/pipeline/pipeline_options.h"
#include "bertprep/pipeline/stages.h"
#include "bertprep/source/open_source.h"
#include "bertprep/wiki/wiki_options.h"

namespace bertprep {

struct ExtractOptions {
  std::string bytes = "100M";  // a file has at most so many, but for an article that is longer: "500K", "1G", "1000000"

  static constexpr OptionGroup kGroup = OptionGroup::kOutput;
  static std::span<const Field<ExtractOptions>> fields();
};

struct ExtractTask {
  std::vector<std::filesystem::path> dumps;
  SourceOptions source{};  // `strict` alone counts
  WikiOptions wiki{};
  ExtractOptions files{};
  std::filesystem::path folder;
  // False: what another recipe or input has left in `folder` is refused without --force. True: it is made anew.
  bool is_passing = false;
};

// Output: `folder`/AA/wiki_00 and so on, and `folder`/articles.jsonl with the origin and place of each article;
// rejected pages go to extract.rejects.jsonl in the hidden sibling of `folder`. Files appear when they are whole.
// Memory: a few blocks of pages for each thread. A dump that is cut or no dump throws its FormatError after all that
// could be read has been written, without a completion record. Files of another's making in `folder` are refused
// (removed with --force).
StageReport extract_articles(const ExtractTask& task, const WorkOptions& work, Progress& progress);

// One page, looked up by its title (as in the dump, or unescaped) or id, as the <doc> element that extract_articles
// would write. With an `index` of a multistream dump, or one that lies beside the dump, only the stream of the page is
// read; without, the dumps are searched from the front. Nothing when there is no such page.
std::optional<std::string> extract_page(const ExtractTask& task, const std::string& title_or_id,
                                        const std::filesystem::path& index, const WorkOptions& work,
                                        Progress& progress);

}  // namespace bertprep
