// The descriptions of all results. Sizes are in bytes, times in seconds.
#pragma once

#include <string>
#include <vector>

#include "bertprep/pipeline/build.h"
#include "pipeline/explain/explain.h"
#include "pipeline/plan/plan.h"
#include "pipeline/reshard/reshard.h"
#include "pipeline/sequences/sequences.h"
#include "pipeline/verify_paths.h"
#include "quality/compare.h"
#include "quality/doctor/doctor.h"
#include "report/report.h"
#include "results.h"
#include "served_call.h"

// Found by the types of their arguments, so in the namespaces of these.
namespace bertprep {

using python::field;
using python::if_any;
using python::Record;
using python::text_object;
namespace py = pybind11;

inline Record described(const DataWarning& warning) {
  return {"DataWarning", "", {FIELDS(warning, about, text)}};
}

inline Record described(const DatasetReport& report) {
  return {"DatasetReport", "`data` is a JSON object (docs/formats/data.md).", {FIELDS(report, folder, data, warnings)}};
}

inline Record described(const StageReport& stage) {
  return {
      "StageReport",
      "A stage; its counts are of the whole result, whether made now or by an earlier call.",
      {FIELDS(stage, stage, tasks_made, tasks_found, articles, sentences, tokens, rows, rejected, rejected_by_reason),
       field("rejects_file", if_any(stage.rejects_file)),
       FIELDS(stage, bytes_in, bytes_out, seconds, peak_bytes, left_out, data)}};
}

inline Record described(const PlannedPhase& phase) {
  return {"PlannedPhase", "Token sequences have seq_len 0.", {FIELDS(phase, seq_len, rows, bytes)}};
}

inline Record described(const ExpectedSpan& stage) {
  return {"PlannedStage", "", {FIELDS(stage, stage, seconds)}};
}

inline Record described(const PlannedDisk& disk) {
  return {"PlannedDisk", "", {FIELDS(disk, folder, peak_bytes, kept_bytes, free_bytes)}};
}

inline Record described(const SequenceCounts& counts) {
  return {"SequenceCounts",
          "`dropped` are tokens in no sequence.",
          {FIELDS(counts, articles, sequences, tokens, dropped, bytes)}};
}

inline Record described(const VocabReport& report) {
  return {"VocabReport",
          "Of the letters that occur often enough, how many got no piece; of the words, how many were changed.",
          {FIELDS(report, pieces, stage), field("letters_left_out", report.letters.letters),
           field("letter_uses_left_out", report.letters.uses), field("letter_uses", report.letters.all_uses),
           field("words_changed", report.words.words), field("words_too_long", report.words.too_long),
           field("words", report.words.all)}};
}

inline Record described(const ReshardReport& report) {
  return {
      "ReshardReport",
      "`made` and `found` count shards, `dropped` and `repeated` rows.",
      {FIELDS(report, name, training_shards, test_shards, training_rows, test_rows, dropped, repeated, made, found)}};
}

inline Record described(const ExplainedSentence& sentence) {
  return {"ExplainedSentence",
          "Its tokens [first_token, last_token) are in the row. `line` is that of the text shard, from 1.",
          {FIELDS(sentence, text, line, tokens, first_token, last_token)}};
}

inline py::object origin_object(const ArticleOrigin& article) {
  return article.origin.empty() ? py::none() : py::module_::import("json").attr("loads")(text_object(article.origin));
}

inline Record described(const ExplainedSegment& segment) {
  const ArticleOrigin& article = segment.article;
  return {"ExplainedSegment",
          "A or B: `number` is that of the article in the formatted file, from 1; `origin` where it comes from, and "
          "`why_not` why that is not known. Lines are those of the text shard.",
          {field("formatted", if_any(article.formatted)), field("number", article.number),
           field("origin", origin_object(article)), field("why_not", article.why_not),
           FIELDS(segment, first_line, last_line, sentences, cut_tokens)}};
}

inline Record described(const ExplainedDocument& document) {
  const ArticleOrigin& article = document.article;
  return {"ExplainedDocument",
          "Its tokens [first_token, last_token), of `tokens`, are in the row, from token `begin` on. The others are as "
          "in ExplainedSegment.",
          {field("formatted", if_any(article.formatted)), field("number", article.number),
           field("origin", origin_object(article)), field("why_not", article.why_not),
           FIELDS(document, line, begin, first_token, last_token, tokens)}};
}

inline Record described(const VerifiedPath& verified) {
  return {"VerifyReport",
          "`kind` is shards, sequences, or files: text and vocabularies. `files` counts those, or the shards.",
          {FIELDS(verified, path, kind), field("files", verified.report.shards),
           FIELDS(verified.report, rows, bytes, problems)}};
}

inline Record described(const RowsCompared::Difference& difference) {
  return {"RowDifference", "", {FIELDS(difference, place_a, place_b, what)}};
}

inline Record described(const RowsCompared& rows) {
  return {"RowsCompared",
          "`part` is training, test, other or all. `common` counts the rows that both have, of `common_of`, in one of "
          "`one_in` rows.",
          {FIELDS(rows, part, rows_a, rows_b, same_order, same_rows, first, common, common_of, one_in)}};
}

inline Record described(const RecipeDifference& difference) {
  return {"RecipeDifference", "", {FIELDS(difference, name, a, b)}};
}

inline Record described(const Comparison& comparison) {
  return {"Comparison",
          "",
          {FIELDS(comparison, parts, recipes), field("same_order", comparison.same_order()),
           field("same_rows", comparison.same_rows())}};
}

inline Record described(const TrapEffect& effect) {
  return {"TrapEffect",
          "",
          {field("trainer", trainer_name(effect.trainer)), field("severity", severity_name(effect.severity)),
           field("text", effect.text)}};
}

}  // namespace bertprep

namespace bertprep::python {

inline Record described(const Noted<BuildReport>& noted) {
  const BuildReport& report = noted.report;
  return {"BuildReport",
          "`shard_folders` has one for each phase, or that of the sequences.",
          {FIELDS(report, stages, shard_folders, rows, shards), field("notes", noted.notes)}};
}

inline Record described(const Noted<SequenceReport>& noted) {
  return {"SequenceReport", "", {FIELDS(noted.report, splits, stage), field("notes", noted.notes)}};
}

inline Record described(const Noted<Plan>& noted) {
  const Plan& plan = noted.report;
  return {"Plan",
          "Estimates for a run; errors are relative, 0.05 is 5 %.",
          {FIELDS(plan, dataset, from_sample, input_bytes, sample_bytes, size_error, time_error, download_bytes,
                  articles, sentences, tokens, formatted_bytes, text_shard_bytes, shards, phases, stages),
           field("seconds", plan.seconds()),
           FIELDS(plan, threads, largest_text_shard_bytes, memory_of_one_thread, memory_of_all_threads, memory_allowed,
                  threads_within_memory, disks, warnings),
           field("notes", noted.notes)}};
}

// A finding in the set at `path`.
struct FindingAt {
  Finding finding{};
  std::filesystem::path path{};
};

inline Record described(const FindingAt& found) {
  const Finding& finding = found.finding;
  return {"Finding",
          "`trap` is its name in docs/cli/doctor.md; `severity` remark, crash, crash late, silent or hang. `rows` and "
          "`files` count those with it.",
          {field("trap", facts_of(finding.trap).name), field("severity", severity_name(finding.severity())),
           field("what", finding.what), field("fix", fix_text(finding, found.path)),
           field("file", if_any(finding.place.file)), field("row", finding.place.row), field("rows", finding.rows),
           field("files", finding.file_count), field("effects", finding.effects)}};
}

// A mask in a row, and the row itself, with their vocabulary.
struct MaskIn {
  ExplainedMask mask{};
  const Vocab* vocab = nullptr;
};

inline Record described(const MaskIn& in) {
  static constexpr std::string_view kAs[] = {"mask", "same", "random"};
  return {
      "ExplainedMask",
      "`how` is mask, same or random.",
      {field("position", in.mask.position), field("original", piece_text(in.mask.original, in.vocab)),
       field("shown", piece_text(in.mask.shown, in.vocab)), field("how", kAs[static_cast<std::size_t>(in.mask.as)])}};
}

template <class Ids>
std::vector<std::string> pieces_of(const Ids& ids, const Vocab* vocab) {
  std::vector<std::string> pieces;
  for (const auto id : ids) pieces.push_back(piece_text(id, vocab));
  return pieces;
}

struct ExplainedIn {
  ExplainedRow row{};
  std::filesystem::path shard{};
  std::filesystem::path text_shard{};
  const Vocab* vocab = nullptr;
};

inline Record described(const ExplainedIn& in) {
  static constexpr std::string_view kNext[] = {"following", "other article", "same article"};
  const ExplainedRow& row = in.row;
  std::vector<MaskIn> masks;
  for (const ExplainedMask& mask : row.masks) masks.push_back({mask, in.vocab});
  return {"ExplainedRow",
          "`next_sentence` is following, other article, or same article; `pass_number` that over the articles, from 1.",
          {field("shard", in.shard), field("row", row.row), field("text_shard", in.text_shard),
           field("pieces", pieces_of(row.stored.input_ids, in.vocab)),
           field("next_sentence", kNext[static_cast<std::size_t>(row.next)]), field("pass_number", row.pass),
           FIELDS(row, passes, aimed_tokens), field("a", row.segments[0]), field("b", row.segments[1]),
           field("masks", masks)}};
}

struct SequenceIn {
  ExplainedSequence sequence{};
  std::filesystem::path file{};
  std::size_t row = 0;
  std::vector<std::string> pieces{};
};

inline Record described(const SequenceIn& in) {
  return {"ExplainedSequence",
          "A row of token sequences. `file` is that of the row, or its set.",
          {FIELDS(in, file, row, pieces), FIELDS(in.sequence, text_shard, documents)}};
}

// A stored row with its columns, and its pieces if the vocabulary is known.
struct Inspected {
  std::size_t row = 0;
  py::dict columns{};
  std::optional<std::vector<std::string>> pieces{};
};

inline Record described(const Inspected& shown) {
  return {"InspectedRow",
          "`columns` are arrays of one row. `pieces` are None if the vocabulary is not known.",
          {FIELDS(shown, row, columns, pieces)}};
}

inline Record described(const ProgressEvent& event) {
  return {
      "ProgressEvent",
      "An event of a long call: `kind` is begin, progress, end, note, rejected or remark. `done` and `total` are in "
      "`unit`; a total of 0 is unknown. `fraction` is that of the whole call, from 0 to 1. `where` is that of a "
      "rejected record, or what a remark is about.",
      {FIELDS(event, kind, stage, done, total, unit, fraction, seconds_left, where, text)}};
}

}  // namespace bertprep::python

namespace bertprep {

inline Record described(const Diagnosis& diagnosis) {
  static constexpr std::string_view kFormats[] = {"hdf5", "mds", "megatron"};
  std::vector<python::FindingAt> findings;
  for (const Finding& finding : diagnosis.findings) findings.push_back({finding, diagnosis.path});
  return {"Diagnosis",
          "`findings` are sorted, the worst first; `serious` counts those that are no remarks.",
          {field("path", diagnosis.path), field("format", kFormats[static_cast<std::size_t>(diagnosis.format)]),
           FIELDS(diagnosis, files, training_files, rows, tokens), field("findings", findings),
           field("serious", diagnosis.serious())}};
}

inline Record described(const SetReport& set) {
  return {"ReportedSet",
          "",
          {field("diagnosis", set.diagnosis), field("rows", set.figures.rows()),
           field("warnings", set.manifest ? set.manifest->warnings : std::vector<DataWarning>())}};
}

}  // namespace bertprep
