// Functions that judge data: verify, compare, doctor, report.
#include <algorithm>
#include <optional>
#include <set>

#include "bertprep/base/error.h"
#include "bertprep/pipeline/stages.h"
#include "bindings.h"
#include "io/folder.h"
#include "io/input_file.h"
#include "pipeline/array/array_job.h"
#include "pipeline/explain/shard_files.h"
#include "pipeline/sequences/sequence_manifest.h"
#include "quality/compare.h"
#include "quality/doctor/set_tokenizer.h"
#include "quality/sequences/any_doctor.h"
#include "quality/trainer_names.h"
#include "report/finding_text.h"
#include "report/report.h"
#include "served_call.h"
#include "shard/shard_names.h"
#include "shard/token_set.h"
#include "stage_results.h"

namespace bertprep::python {
namespace {

namespace fs = std::filesystem;

// The sets of token sequences at or below a folder.
std::set<fs::path> sets_below(const fs::path& folder) {
  if (is_sequence_set(folder)) return {folder};
  std::set<fs::path> sets;
  if (!fs::is_directory(folder)) return sets;
  walk_folder(folder, [&](const fs::directory_entry& entry) {
    if (is_hidden(entry.path())) return false;
    const bool is_set = is_sequence_set(entry.path());
    if (is_set) sets.insert(entry.path());
    return !is_set;
  });
  return sets;
}

struct Verified {
  fs::path path;
  std::string kind;  // "files", "sequences" or "shards"
  VerifyReport report;
};

// As the command: what completion records name, then sets of sequences, then folders of shards.
void verify_path(const fs::path& path, const WorkOptions& work, Progress& progress, std::vector<Verified>& found) {
  WorkReport files = verify_results(path, work, progress);
  const bool has_results = files.files != 0 || !files.problems.empty();
  if (has_results) found.push_back({path, "files", {files.files, 0, files.bytes, std::move(files.problems)}});
  const std::set<fs::path> sets = sets_below(path);
  for (const fs::path& set : sets) found.push_back({set, "sequences", verify_sequences(set, progress)});
  bool is_known = has_results;
  const bool is_alone = !has_results && sets.empty() && shard_files_if_any(path).empty();
  for (const SetWithoutManifest& set : sets_without_manifest(path)) {
    if (!set.is_ours && !is_alone) continue;
    is_known = true;
    found.push_back({set.folder,
                     "sequences",
                     {.problems = {set.folder.string() + ": has no manifest.json: it is " +
                                   (set.is_ours ? "unfinished; make the same call again"
                                                : "unfinished, or another program's, which doctor() checks")}}});
  }
  if (fs::is_regular_file(path) && !is_shard_name(path)) {
    if (is_known) return;
    throw FormatError("is not a shard, and no completion record names it", path, "give the folder of shards");
  }
  std::set<fs::path> folders;
  for (const ShardFile& file : sets.empty() && !is_known ? shard_files(path) : shard_files_if_any(path)) {
    if (const fs::path folder = folder_of(file.path); !sets.contains(folder)) folders.insert(folder);
  }
  for (const fs::path& folder : folders) found.push_back({folder, "shards", verify_shards(folder, work, progress)});
}

struct VerifyRequest {
  WorkOptions options{};
  py::object work;
  py::object finish;
  explicit VerifyRequest(Keywords& keywords)
      : work(keywords.object("work", "a work folder of runs, or one above it, whose files to check")),
        finish(keywords.object("finish", "first write manifest.json in folders that the tasks of an array filled")) {
    keywords.set(options, {"threads"});
  }
};

py::list verify(const py::object& paths, const py::dict& given) {
  Keywords keywords(given);
  ServedCall call(keywords.object("progress"));
  const VerifyRequest request(keywords);
  const WorkOptions& options = request.options;
  const py::object& work = request.work;
  keywords.require_all_known("verify");
  const std::vector<std::string> given_paths = paths_of(paths, "paths");
  const fs::path work_folder = work.is_none() ? fs::path() : fs::path(path_of(work, "work"));
  const bool finishes = !request.finish.is_none() && py::cast<bool>(request.finish);
  if (given_paths.empty() && work_folder.empty()) throw ConfigError("no folder was given");
  const std::vector<Verified> found = call.run([&] {
    std::vector<Verified> all;
    for (const std::string& path : finishes ? given_paths : std::vector<std::string>()) {
      for (const fs::path& folder : unfinished_shard_folders(path)) finish_shards(folder, call);
    }
    if (!work_folder.empty()) {
      WorkReport files = verify_work(work_folder, options, call);
      all.push_back({work_folder, "files", {files.files, 0, files.bytes, std::move(files.problems)}});
    }
    for (const std::string& path : given_paths) verify_path(path, options, call, all);
    return all;
  });
  return list_object(found, [](const Verified& one) {
    return record("VerifyReport", path_object(one.path), one.kind, one.report.shards, one.report.rows, one.report.bytes,
                  list_object(one.report.problems, text_object));
  });
}

py::object compare(const py::object& a, const py::object& b, const py::dict& given) {
  Keywords keywords(given);
  ServedCall call(keywords.object("progress"));
  keywords.require_all_known("compare");
  const fs::path path_a = path_of(a, "a");
  const fs::path path_b = path_of(b, "b");
  const Comparison comparison = call.run([&] { return compare_sets(path_a, path_b, call); });
  const auto part = [](const RowsCompared& rows) {
    const py::object first = rows.first ? record("RowDifference", text_object(rows.first->place_a),
                                                 text_object(rows.first->place_b), text_object(rows.first->what))
                                        : py::object(py::none());
    return record("RowsCompared", text_object(rows.part), rows.rows_a, rows.rows_b, rows.same_order, rows.same_rows,
                  first, rows.common, rows.common_of, rows.one_in);
  };
  const auto recipe = [](const RecipeDifference& difference) {
    return record("RecipeDifference", text_object(difference.name), text_object(difference.a),
                  text_object(difference.b));
  };
  return record("Comparison", list_object(comparison.parts, part), list_object(comparison.recipes, recipe),
                comparison.same_order(), comparison.same_rows());
}

std::vector<std::string> names_of(const py::object& given, const std::string& name) {
  return given.is_none() ? std::vector<std::string>() : paths_of(given, name);
}

std::uint64_t number_of(Keywords& keywords, const std::string& name, const char* help) {
  const py::object given = keywords.object(name, help);
  if (given.is_none()) return 0;
  if (!py::isinstance<py::int_>(given) || py::isinstance<py::bool_>(given)) throw_type_error(name + " must be an int");
  const long long number = PyLong_AsLongLong(given.ptr());
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  if (number < 1) throw ConfigError(name + " is " + std::to_string(number) + ", it must be at least 1");
  return static_cast<std::uint64_t>(number);
}

struct DoctorRequest {
  DoctorOptions options{};
  py::object vocab;
  explicit DoctorRequest(Keywords& keywords)
      : vocab(keywords.object("vocab", "the vocabulary of token sequences, if none is beside them")) {
    for (const std::string& name :
         names_of(keywords.object("trainer", "a name or several: only findings that affect them"), "trainer")) {
      options.trainers.push_back(trainer_of(name));
    }
    options.ranks = number_of(keywords, "world_size", "number of training processes");
    options.micro_batch = number_of(keywords, "micro_batch", "rows of a process in a step");
    options.max_predictions = number_of(keywords, "max_predictions", "the trainer's max_predictions_per_seq");
    options.model_pieces =
        static_cast<std::int64_t>(number_of(keywords, "vocab_size", "number of pieces that the model knows"));
    options.max_tokens = number_of(keywords, "max_tokens", "the trainer's max_seq_len, for MDS");
    options.cache_limit = number_of(keywords, "cache_limit", "the Streaming library's cache_limit, in bytes");
    options.splits = names_of(keywords.object("split", "names of the trainer's splits, for MDS"), "split");
  }
};

py::object finding_object(const Finding& finding, const fs::path& path) {
  const auto effect = [](const TrapEffect& given) {
    return record("TrapEffect", text_object(trainer_name(given.trainer)), text_object(severity_name(given.severity)),
                  text_object(given.text));
  };
  return record("Finding", text_object(facts_of(finding.trap).name), text_object(severity_name(finding.severity())),
                text_object(finding.what), text_object(fix_text(finding, path)),
                finding.place.file.empty() ? py::object(py::none()) : text_object(finding.place.file),
                finding.place.row ? py::object(py::int_(*finding.place.row)) : py::none(), finding.rows,
                finding.file_count, list_object(finding.effects, effect));
}

py::object diagnosis_object(const Diagnosis& diagnosis) {
  static constexpr const char* kFormats[] = {"hdf5", "mds", "megatron"};
  const auto finding = [&](const Finding& given) { return finding_object(given, diagnosis.path); };
  return record("Diagnosis", path_object(diagnosis.path), kFormats[static_cast<std::size_t>(diagnosis.format)],
                diagnosis.files, diagnosis.training_files, diagnosis.rows, diagnosis.tokens,
                list_object(diagnosis.findings, finding), diagnosis.serious());
}

py::list doctor(const py::object& path, const py::dict& given) {
  Keywords keywords(given);
  ServedCall call(keywords.object("progress"));
  DoctorRequest request(keywords);
  DoctorOptions& options = request.options;
  const py::object& vocab = request.vocab;
  keywords.require_all_known("doctor");
  if (!vocab.is_none()) {
    const TextEncoder encoder = TextEncoder::open(path_of(vocab, "vocab"), {});
    options.specials = encoder.specials();
    options.vocab_pieces = encoder.size();
  }
  const fs::path folder = path_of(path, "path");
  return list_object(call.run([&] { return diagnose_any(folder, options, call); }), diagnosis_object);
}

struct ReportRequest {
  ReportOptions options{};
  py::object vocab;
  py::object events;
  explicit ReportRequest(Keywords& keywords)
      : vocab(keywords.object("vocab", "show the pieces of this vocabulary, else of that beside the set")),
        events(keywords.object("events", "a file with the output of 'bertprep run --json': time and memory")) {
    options.doctor.ranks = number_of(keywords, "world_size", "number of training processes");
    for (const std::string& name :
         names_of(keywords.object("trainer", "a name or several: only findings that affect them"), "trainer")) {
      options.doctor.trainers.push_back(row_trainer_of(name));
    }
  }
};

py::object report(const py::object& path, std::size_t rows, const py::dict& given) {
  Keywords keywords(given);
  ServedCall call(keywords.object("progress"));
  ReportRequest request(keywords);
  ReportOptions& options = request.options;
  options.rows = rows;
  keywords.require_all_known("report");
  const std::string vocab_name = request.vocab.is_none() ? std::string() : path_of(request.vocab, "vocab");
  const bool is_byte_pair = is_byte_pair_path(vocab_name);
  options.vocab_of = [&](const fs::path& folder) -> std::optional<Vocab> {
    if (is_byte_pair) return std::nullopt;
    if (!vocab_name.empty()) return load_vocab(vocab_name);
    if (find_sequence_sets(folder).is_empty()) return vocab_of_shard(folder / "any", call);
    const std::optional<TextEncoder> encoder = encoder_beside(folder);
    return encoder && encoder->wordpiece() != nullptr ? std::optional(*encoder->wordpiece()) : std::nullopt;
  };
  options.spelling_of = [&](const fs::path& folder) -> std::optional<TokenSpelling> {
    if (!vocab_name.empty() && !is_byte_pair) return std::nullopt;
    const auto encoder = is_byte_pair ? std::optional(TextEncoder::open(vocab_name, {})) : encoder_beside(folder);
    return encoder ? TokenSpelling::of(*encoder) : std::nullopt;
  };
  if (!request.events.is_none()) options.stages = stages_in(read_file(path_of(request.events, "events")));
  const fs::path folder = path_of(path, "path");
  const std::vector<SetReport> sets = call.run([&] { return report_on(folder, options, call); });
  for (const SetReport& set : sets) {
    if (!is_byte_pair || set.diagnosis.kind != RowKind::kBert) continue;
    throw ConfigError("vocab " + vocab_name + " is byte-level BPE, which rows for BERT are not made with");
  }
  const auto set = [](const SetReport& one) {
    return record("ReportedSet", diagnosis_object(one.diagnosis), one.figures.rows(),
                  list_object(one.manifest ? one.manifest->warnings : std::vector<DataWarning>(), warning_object));
  };
  return record("Report", text_object(report_page(sets)), list_object(sets, set));
}

}  // namespace

void bind_judging(py::module_& module) {
  module.def("verify", verify);
  module.def("compare", compare);
  module.def("doctor", doctor);
  module.def("report", report);
  define_options(module, "verify", [](Keywords& keywords) { VerifyRequest{keywords}; });
  define_options(module, "doctor", [](Keywords& keywords) { DoctorRequest{keywords}; });
  define_options(module, "report", [](Keywords& keywords) { ReportRequest{keywords}; });
}

}  // namespace bertprep::python
