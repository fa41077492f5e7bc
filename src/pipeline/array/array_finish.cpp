#include <system_error>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/folder.h"
#include "io/input_file.h"
#include "io/output_file.h"
#include "io/state_folder.h"
#include "pipeline/array/array_extract.h"
#include "pipeline/array/array_work.h"
#include "pipeline/records/announced_shards.h"
#include "pipeline/records/completion_record.h"
#include "pipeline/records/damage.h"
#include "pipeline/records/input_digest.h"
#include "pipeline/records/owned_files.h"
#include "pipeline/records/recipe.h"
#include "pipeline/records/reject_file.h"
#include "pipeline/stages/extract_stage.h"
#include "pipeline/stages/format_pass.h"
#include "pipeline/stages/origins_file.h"
#include "pipeline/stages/template_report.h"
#include "pipeline/text_shards/shard_assignment.h"
#include "pipeline/work/workers.h"
#include "source/input/input_list.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRejects = ".rejects.jsonl";
constexpr int kRemovalTries = 100;

// The names of the pieces, or only of those with rejected records.
std::vector<std::string> piece_names(const ArrayState& state, const OutputFolder& pieces, bool with_rejects) {
  std::vector<std::string> names;
  for (std::size_t piece = 0; piece < state.plan.pieces.size(); ++piece) {
    std::string name = ArrayPlan::piece_name(piece);
    if (with_rejects && counts_of(record_of_piece(state, pieces, name)).rejected == 0) continue;
    names.push_back(std::move(name));
  }
  return names;
}

void require_as_recorded(const OutputFolder& pieces, const std::string& task, const std::string& file,
                         std::string_view bytes) {
  const auto record = pieces.record(task);
  if (!record) return;
  for (const OutputEntry& output : record->outputs) {
    if (output.name != file || output.sha256 == sha256_of(bytes)) continue;
    pieces.withdraw_record(task);
    throw DamageError("is damaged: its bytes differ from those that were written", pieces.path() / file,
                      "run `stage` format again, then all others");
  }
}

// Appends the files NAME + `ending` of `folder` to one file, or removes an older one if there are none.
void join_files(const ArrayState& state, std::span<const std::string> names, const OutputFolder& folder,
                const std::string& ending, PendingFile joined, const Progress& progress) {
  if (names.empty()) {
    std::error_code ignored;
    fs::remove(joined.final_path(), ignored);
    return;
  }
  OutputFile out(joined.path());
  for (const std::string& name : names) {
    stop_if_cancelled(progress);
    const MappedFile piece((ending.ends_with(kRejects) ? folder.state_folder() : folder.path()) / (name + ending));
    require_as_recorded(folder, name, name + ending, piece.bytes());
    out.write(piece.bytes());
  }
  out.finish();
  // Pieces are only removed after the job is finished: until then, all exist.
  if (open_array(state.layout).is_finished) throw FormatError("was finished meanwhile", state.layout.folder);
  joined.publish();
}

// The formatted file, its origins and rejects, and the record of a run in one process.
CompletionRecord finish_formatted(const ArrayState& state, const CompletionRecord& assignment,
                                  const Progress& progress) {
  const OutputFolder folder(state.run.layout.formatted.parent_path());
  const OutputFolder pieces = OutputFolder::shared(state.layout.format);
  const std::string name = state.run.layout.formatted.filename().string();
  const auto count = [&](const char* what) { return assignment.counts.at(what); };
  const std::vector<std::string> all = piece_names(state, pieces, false);
  const Recipe recipe = format_recipe(state.run.format_task());
  CompletionRecord record{.key = recipe.key(input_digest_of(state)),
                          .outputs = {{name, count("file_bytes").as_unsigned(), count("file_sha256").text()}},
                          .recipe = recipe.json()};
  folder.begin_task(name, record);
  const bool has_origins = counts_of(assignment).has_origins;
  join_files(state, has_origins ? all : std::vector<std::string>(), pieces, origins_name(".txt.zst"),
             folder.begin(origins_name(name)), progress);
  join_files(state, piece_names(state, pieces, true), pieces, kRejects, folder.begin_state(name + kRejects), progress);
  if (state.run.options.work.keep.formatted) {
    join_files(state, all, pieces, ".txt.zst", folder.begin(name), progress);
  }
  const FormatCounts counts = format_counts_in(assignment.counts);
  add_formatted(counts, reasons_in(assignment.counts, kRejectedByReason), record.counts);
  write_template_report(template_report_of(state.run.parts), counts.templates, record.counts);
  if (has_origins) add_origins(folder.path() / origins_name(name), origins_name(name), record);
  folder.write_record(name, record);
  return record;
}

// The dumps that tasks fetched, or that are here.
std::vector<fs::path> dump_files(const ArrayState& state, const ExtractTask& task) {
  std::vector<fs::path> files;
  if (!state.plan.is_listed) {
    for (const Input& input : list_inputs(task.dumps))
      files.insert(files.end(), input.files.begin(), input.files.end());
    return files;
  }
  for (std::size_t piece = 0; piece < state.plan.pieces.size(); ++piece) {
    const auto& own = state.plan.pieces[piece].input.files;
    if (keeps_docs(state.plan, piece)) files.insert(files.end(), own.begin(), own.end());
  }
  return files;
}

struct DocPiece {
  std::string name;
  CompletionRecord record;
};

std::string digest_of_dumps(const ArrayState& state, std::span<const fs::path> dumps, std::span<const DocPiece> pieces,
                            Progress& progress) {
  if (!state.plan.is_listed) {
    const bool are_all = pieces.size() == state.plan.pieces.size();
    return are_all ? input_digest_of(state) : digest_files(dumps, progress).digest;
  }
  std::vector<FileDigests> files;
  for (const DocPiece& piece : pieces) {
    const std::vector<FileDigests> own = inputs_in(piece.record);
    files.insert(files.end(), own.begin(), own.end());
  }
  return combine(files).digest;
}

// The extracted articles that a run in one process keeps.
void finish_extracted(const ArrayState& state, Progress& progress) {
  const OutputFolder pieces = OutputFolder::shared(state.layout.format);
  std::vector<DocPiece> docs;
  for (std::size_t piece = 0; piece < state.plan.pieces.size(); ++piece) {
    if (!keeps_docs(state.plan, piece)) continue;
    const std::string name = ArrayPlan::piece_name(piece);
    docs.push_back({name, record_of_piece(state, pieces, name)});
  }
  const auto task = extract_step(state.run.parts, state.run.layout.extracted);
  if (!task || docs.empty()) return;
  const std::vector<fs::path> dumps = dump_files(state, *task);
  const OutputFolder folder(task->folder);
  const Recipe recipe = extract_recipe(*task, dumps, folder.record(kExtractTask));
  const std::string key = recipe.key(digest_of_dumps(state, dumps, docs, progress));
  if (ExtractedFiles::find(*task, folder, key)) return;
  ExtractedFiles extracted(*task, folder, recipe, key, false, progress);
  FormatCounts counts;
  ReasonCounts rejected;
  std::vector<std::string> with_rejects;
  for (const DocPiece& piece : docs) {
    auto own = doc_counts_in(piece.record);
    if (!own->rejected.is_empty()) with_rejects.push_back(piece.name);
    rejected.add(own->rejected);
    if (own->counts.articles != 0) {
      read_result(pieces, piece.name, "run `stage` format again, then all others", [&] {
        read_docs(
            intact_output(pieces, piece.name + kPieceDocs, piece.record),
            [&](std::string_view doc, std::string_view origin) { extracted.write(doc, origin); }, progress);
      });
    }
    counts.add(std::move(own->counts));
  }
  extracted.publish();
  join_files(state, with_rejects, pieces, kPieceDocRejects, folder.begin_state(kExtractRejects), progress);
  extracted.record(counts, rejected, key);
}

// Of the text shard of this number: in the record of its part of the set, or of its shard of the first phase.
class TextDigests {
 public:
  explicit TextDigests(const ArrayState& state)
      : state_(state), folder_(OutputFolder::shared(result_folders(state.run.layout).front())) {
    if (state.run.options.sequences != nullptr) parts_ = sequence_parts(state.run.layout, state.run.options);
  }

  std::string of(std::size_t shard) const {
    const std::string task = parts_.empty() ? shard_name(state_.run.options, shard) : parts_[shard];
    const auto made = folder_.finished_by_plan(task, state_.plan.instance_keys.front());
    if (!made) throw FormatError("has just disappeared", folder_.path() / task, "run `stage` instances again");
    return parts_.empty() ? counts_of(*made).text_sha256 : made->counts.at(kTextShardDigest).text();
  }

 private:
  const ArrayState& state_;
  OutputFolder folder_;
  std::vector<std::string> parts_;
};

// The record of the text shards.
CompletionRecord finish_text_shards(const ArrayState& state, const CompletionRecord& assignment) {
  const OutputFolder folder(state.run.layout.text_shards);
  const TextDigests digests(state);
  const AssignmentFile places = open_assignment(state);
  const Recipe recipe = shard_recipe(state.run.options.corpus.name, state.run.options, *state.run.splitter);
  const StageCounts counts = counts_of(assignment);
  CompletionRecord record{.key = recipe.key(text_digest(counts.text_sha256)), .outputs = {}, .recipe = recipe.json()};
  for (std::size_t shard = 0; shard < shard_count(state.run.options.sharding); ++shard) {
    record.outputs.push_back({shard_name(state.run.options, shard) + text_shard_extension(state.run.options),
                              places.shard_bytes(shard), digests.of(shard)});
  }
  const TextSource formatted{state.run.layout.formatted, counts.articles};
  record.counts.add("articles", Json::number(counts.articles))
      .add("sentences", Json::number(counts.sentences))
      .add(kTextSources, json_of({&formatted, 1}, state.run.layout.text_shards));
  const MappedFile kept(state.layout.shard / kAssignmentFile);
  folder.publish_state(article_places_name(state.run.options.corpus.name), std::string(kept.bytes()));
  folder.write_record(shard_task_name(state.run.options.corpus.name), record);
  return record;
}

// Writes all permanent results of the job.
StageReport write_results(const ArrayState& state, Progress& progress) {
  const auto assignment = OutputFolder::shared(state.layout.shard).finished(kAssignmentTask, state.plan.shard_key);
  if (!assignment) throw FormatError("the assignment is missing", state.layout.shard, "run `stage` place again");
  finish_extracted(state, progress);
  FinishedText text{finish_formatted(state, *assignment, progress), {}, sources_of(state)};
  text.shard = finish_text_shards(state, *assignment);
  StageReport report = state.run.goal->make(state.run, text, progress).stages.front();
  const OutputFolder formatted(state.run.layout.formatted.parent_path());
  StageReport counted = found_report(
      "finish", *assignment, RejectFile::path_of(formatted, state.run.layout.formatted.filename().string() + kRejects));
  counted.tasks_found = 0;
  counted.tasks_made = result_folders(state.run.layout).size();
  counted.rows = report.rows;
  counted.bytes_out = report.bytes_out;
  counted.data = std::move(report.data);
  return counted;
}

// Other attempts may do the same simultaneously, so listed entries may be gone.
void remove_shared_tree(const fs::path& folder) {
  for (int tries = kRemovalTries; fs::exists(folder); --tries) {
    std::error_code error;
    remove_tree(folder, error);
    const bool may_be_others = error == std::errc::no_such_file_or_directory || error == std::errc::directory_not_empty;
    if (error && (tries == 0 || !may_be_others)) throw IoError::from_errno("can't be removed", folder, error.value());
  }
}

}  // namespace

void remove_intermediate_data(const ArrayLayout& layout) {
  for (const fs::path& folder : {layout.format, layout.shard, layout.attempts}) {
    for (const fs::path& gone : {folder, state_beside(folder)}) {
      remove_shared_tree(gone);
    }
  }
}

void clean_up(const ArrayState& state) {
  const fs::path job = fs::absolute(state.layout.folder).lexically_normal();
  for (const fs::path& path : result_folders(state.run.layout)) {
    const auto folder = OutputFolder::find_shared(path);
    if (!folder) continue;
    if (!is_announced(*folder, job)) {  // already cleaned up: another job may be using it
      folder->remove_if_without_leftovers();
      continue;
    }
    if (is_last_announcement(*folder)) folder->remove_leftovers();
    withdraw_job(*folder, job);
  }
  // Other jobs may be using the same formatted text and text shards.
  remove_unkept(state.run.layout, state.run.parts, state.run.options);
  remove_intermediate_data(state.layout);
}

// Several attempts may run at once. Nothing that one of them needs is removed before the job is finished; later
// failures are a consequence of that.
StageReport finish_array(const ArrayState& state, Progress& progress) {
  require_stage(state, ArrayStage::kInstances);
  const std::size_t results = result_folders(state.run.layout).size();
  progress.begin("finish", results, "folders");
  StageReport report{.stage = "finish", .tasks_found = results};
  try {
    report = write_results(state, progress);
    // Before passing data are removed, everything made from them is flushed to disk.
    sync_file_system(state.run.layout.formatted.parent_path());
    publish_durably(state.layout.finished, state.layout.attempts, state.plan.key());
  } catch (const Cancelled&) {
    throw;
  } catch (const Error&) {
    if (!open_array(state.layout).is_finished) throw;
  } catch (const fs::filesystem_error&) {
    if (!open_array(state.layout).is_finished) throw;
  }
  clean_up(state);
  progress.end();
  return report;
}

}  // namespace bertprep
