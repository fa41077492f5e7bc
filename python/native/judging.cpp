// Functions that judge data: verify, compare, doctor, report.
#include <algorithm>
#include <optional>
#include <set>

#include "bertprep/base/error.h"
#include "bertprep/pipeline/stages.h"
#include "bindings.h"
#include "io/folder.h"
#include "pipeline/explain/shard_files.h"
#include "pipeline/sequences/sequence_manifest.h"
#include "quality/compare.h"
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

py::list verify(const py::object& paths, const py::dict& given) {
  Keywords keywords(given);
  ServedCall call(keywords.object("progress"));
  WorkOptions options;
  keywords.set(options, {"threads"});
  const py::object work = keywords.object("work");
  keywords.require_all_known("verify");
  const std::vector<std::string> given_paths = paths_of(paths, "paths");
  const fs::path work_folder = work.is_none() ? fs::path() : fs::path(path_of(work, "work"));
  if (given_paths.empty() && work_folder.empty()) throw ConfigError("no folder was given");
  const std::vector<Verified> found = call.run([&] {
    std::vector<Verified> all;
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

std::uint64_t number_of(Keywords& keywords, const std::string& name) {
  const py::object given = keywords.object(name);
  if (given.is_none()) return 0;
  if (!py::isinstance<py::int_>(given) || py::isinstance<py::bool_>(given)) throw_type_error(name + " must be an int");
  const long long number = PyLong_AsLongLong(given.ptr());
  if (PyErr_Occurred() != nullptr) throw py::error_already_set();
  if (number < 1) throw ConfigError(name + " is " + std::to_string(number) + ", it must be at least 1");
  return static_cast<std::uint64_t>(number);
}

DoctorOptions doctor_options(Keywords& keywords) {
  DoctorOptions options;
  for (const std::string& name : names_of(keywords.object("trainer"), "trainer")) {
    options.trainers.push_back(trainer_of(name));
  }
  options.ranks = number_of(keywords, "world_size");
  options.micro_batch = number_of(keywords, "micro_batch");
  options.max_predictions = number_of(keywords, "max_predictions");
  options.model_pieces = static_cast<std::int64_t>(number_of(keywords, "vocab_size"));
  options.max_tokens = number_of(keywords, "max_tokens");
  options.cache_limit = number_of(keywords, "cache_limit");
  options.splits = names_of(keywords.object("split"), "split");
  return options;
}

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
  DoctorOptions options = doctor_options(keywords);
  const py::object vocab = keywords.object("vocab");
  keywords.require_all_known("doctor");
  if (!vocab.is_none()) {
    const TextEncoder encoder = TextEncoder::open(path_of(vocab, "vocab"), {});
    options.specials = encoder.specials();
    options.vocab_pieces = encoder.size();
  }
  const fs::path folder = path_of(path, "path");
  return list_object(call.run([&] { return diagnose_any(folder, options, call); }), diagnosis_object);
}

py::object report(const py::object& path, std::size_t rows, const py::dict& given) {
  Keywords keywords(given);
  ServedCall call(keywords.object("progress"));
  ReportOptions options;
  options.rows = rows;
  options.doctor.ranks = number_of(keywords, "world_size");
  for (const std::string& name : names_of(keywords.object("trainer"), "trainer")) {
    options.doctor.trainers.push_back(row_trainer_of(name));
  }
  const py::object vocab = keywords.object("vocab");
  keywords.require_all_known("report");
  const std::string vocab_name = vocab.is_none() ? std::string() : path_of(vocab, "vocab");
  options.vocab_of = [&](const fs::path& folder) -> std::optional<Vocab> {
    if (!vocab_name.empty()) return load_vocab(vocab_name);
    return vocab_of_shard(folder / "any", call);
  };
  const fs::path folder = path_of(path, "path");
  const std::vector<SetReport> sets = call.run([&] { return report_on(folder, options, call); });
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
}

void list_judging_options(const std::string& function, Keywords& keywords) {
  WorkOptions work;
  if (function == "verify") keywords.set(work, {"threads"});
}

}  // namespace bertprep::python
