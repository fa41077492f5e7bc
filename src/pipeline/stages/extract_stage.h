// Extraction as a step of a run: pages of dumps -> <doc> elements, as the reference's extractor writes them, and the
// folder of files with them.
#pragma once

#include "pipeline/records/recipe.h"
#include "pipeline/stages/format_pass.h"

namespace bertprep {

// Of their completion record.
inline constexpr const char* kExtractTask = "extract";
// In the state folder.
inline constexpr const char* kExtractRejects = "extract.rejects.jsonl";

// In the work folder of a run: results of another recipe or input are remade.
struct ExtractStep : ExtractTask {
  bool is_intermediate = false;
};

StageReport extract_articles(const ExtractStep& task, const WorkOptions& work, Progress& progress);

// The step of a run that keeps the articles of its dumps, for users: formatting reads the dumps. Nothing without dumps.
std::optional<ExtractStep> extract_step(std::span<const CorpusPart> parts, const std::filesystem::path& folder);

// `files` are the dumps, `earlier` the record in the folder.
Recipe extract_recipe(const ExtractTask& task, std::span<const std::filesystem::path> files,
                      const std::optional<CompletionRecord>& earlier);

// Marks the extracted files in `folder` as ours. Throws FormatError, unless `force`, if there are any that no call
// made, or that were edited since.
void claim_extracted(const OutputFolder& folder, bool force);

// Receives articles in order: the <doc> element, and the origin as a JSON object without its closing brace, as the
// place of the article is added when known.
using WriteDoc = std::function<void(std::string_view doc, std::string_view origin)>;
// Takes pages of dumps, whose text is the lines of their articles.
std::unique_ptr<DocumentTaker> take_docs(WriteDoc write);
// The options for the source of such pages.
WikiOptions options_for_docs(WikiOptions wiki);

// ExtractedFiles: the folder of extracted articles, FOLDER/AA/wiki_00, ... wiki_99, AB/wiki_00, ..., each of limited
// size, and articles.jsonl, which says where each is (docs/formats/extracted.md).
class ExtractedFiles {
 public:
  // Refuses what the user or, unless the task is intermediate, another recipe made, and withdraws an earlier result of
  // another key. Like the reference, begins the first file at once, and leaves it empty if the first article does not
  // fit. All are kept by reference.
  ExtractedFiles(const ExtractStep& task, const OutputFolder& folder, const Recipe& recipe, const std::string& key,
                 bool force, Progress& progress);

  // As WriteDoc. Does not split articles between files. Throws IoError, and FormatError if there are no more
  // names.
  void write(std::string_view doc, std::string_view origin);
  RejectFile& rejects() { return rejects_; }

  // Gives the last files their names, and removes those of an earlier call that were not replaced.
  void publish();
  // Of the published files. `rejected` are those of rejects(), or of others at its place.
  StageReport record(const FormatCounts& counts, const ReasonCounts& rejected, const std::string& key);

  // The report of an earlier call with this key; nothing if there was none, or it had less to do.
  static std::optional<StageReport> find(const ExtractTask& task, const OutputFolder& folder, const std::string& key);

 private:
  void begin();
  void finish();

  const ExtractStep& task_;
  const OutputFolder& folder_;
  const Recipe& recipe_;
  Progress& progress_;
  std::uint64_t max_bytes_;
  std::size_t number_ = 0;  // of the next file
  std::string name_;        // "AA/wiki_00"
  std::optional<OpenFile> file_;
  Sha256 digest_;                     // of it
  std::vector<OutputEntry> entries_;  // of the finished files
  std::uint64_t bytes_ = 0;
  std::optional<OpenFile> origins_;
  std::string line_;
  RejectFile rejects_;
};

}  // namespace bertprep
