#include <cstdio>

#include "options/command.h"
#include "quality/doctor/set_tokenizer.h"
#include "quality/sequences/any_doctor.h"

namespace bertprep::cli {
namespace {

constexpr const char* kOpenLate =
    "HDF5 files must be opened in each worker process, on first use, not before they "
    "fork: else rows are wrong, or reading fails with 'bad object header'";

constexpr const char* kStaleMemory =
    "the Streaming library keeps its state in /dev/shm: after a killed run, and before two runs on one folder, call "
    "streaming.base.util.clean_stale_shared_memory(), else it hangs or ends with 'Reused local directory'";

class DoctorCommand final : public Command {
 public:
  explicit DoctorCommand(CLI::App& self) : Command(self) {
    add_argument("path", path_, "PATH",
                 "what the trainer is given: a folder of HDF5 files or of an MDS set, the PREFIX of a Megatron set; "
                 "or one file of them")
        ->required();
    add_option("--for", trainers_, trainer_names(), OptionGroup::kRows,
               "only findings that affect this trainer; may be given several times (default: all that read such sets)");
    add_option("--world-size", ranks_, "NUMBER", OptionGroup::kRows, "number of training processes")
        ->transform(within(1, std::uint64_t{1} << 24U));
    add_option("--micro-batch", micro_batch_, "NUMBER", OptionGroup::kRows,
               "number of rows that a process takes at once")
        ->transform(within(1, std::uint64_t{1} << 24U));
    add_option("--max-predictions", max_predictions_, "NUMBER", OptionGroup::kRows,
               "the trainer's max_predictions_per_seq")
        ->transform(within(1, std::uint64_t{1} << 24U));
    add_option("--max-tokens", max_tokens_, "TOKENS", OptionGroup::kRows, "the trainer's max_seq_len, for MDS")
        ->transform(within(1, std::uint64_t{1} << 40U));
    add_option("--split", splits_, "NAME", OptionGroup::kRows,
               "a split of an MDS set, as the trainer's configuration names it");
    add_option("--cache-limit", cache_limit_, "SIZE", OptionGroup::kRows, "the Streaming library's cache_limit: 100G");
    add_option("--vocab", vocab_, "VOCAB", OptionGroup::kText,
               "the model's tokenizer, for MDS and Megatron: a file or folder, or a name that 'bertprep vocab "
               "list' shows (default: tokenizer/ beside the set)",
               Dash::kRefused);
    add_option("--vocab-size", model_pieces_, "NUMBER", OptionGroup::kText,
               "vocab_size of the model (default that of the manifest or tokenizer; for HDF5 without one, 30,522)")
        ->transform(within(1, std::uint64_t{1} << 31U));
  }

  int run(Console& console) override {
    const DoctorOptions options = doctor_options();
    const std::vector<Diagnosis> diagnoses = diagnose_any(path_, options, console);
    std::uint64_t serious = 0;
    for (const Diagnosis& diagnosis : diagnoses) {
      for (const Finding& finding : diagnosis.findings) print(finding, diagnosis, console);
      if (console.options().json) print_event(diagnosis);
      console.say(diagnosis.path.string() + ": " + summary(diagnosis));
      serious += diagnosis.serious();
    }
    remind(options, console);
    return serious == 0 ? kDone : kFailed;
  }

 private:
  DoctorOptions doctor_options() const {
    DoctorOptions options{{}, ranks_, micro_batch_, max_predictions_, model_pieces_};
    for (const std::string& name : trainers_) options.trainers.push_back(trainer_of(name));
    options.max_tokens = max_tokens_;
    options.splits = splits_;
    if (!cache_limit_.empty()) options.cache_limit = size_in_bytes(cache_limit_, "cache-limit");
    use_vocabulary(vocab_, options);
    return options;
  }

  // Reminds of traps that no file shows.
  static void remind(const DoctorOptions& options, Console& console) {
    using enum TrainerKind;
    if (has_any(options.trainers, {kHuggingFace})) console.note(kOpenLate);
    if (has_any(options.trainers, {kModernbertStreaming, kEurobert, kStreaming})) console.note(kStaleMemory);
  }

  static std::string counts_of(const Diagnosis& diagnosis) {
    if (diagnosis.format == SetFormat::kMds) {
      return counted(diagnosis.files, "shard") + ", " + counted(diagnosis.rows, "sample") + ", " +
             counted(diagnosis.tokens, "token");
    }
    return counted(diagnosis.rows, "sequence") + ", " + counted(diagnosis.tokens, "token");
  }

  static std::string summary(const Diagnosis& diagnosis) {
    const std::string training = grouped(diagnosis.training_files);
    const bool has_ranks = diagnosis.kind == RowKind::kBert && diagnosis.training_files > 1;
    std::string text = counted(diagnosis.files, "file") + ", " + training + " for training" +
                       (has_ranks ? " (up to " + training + " ranks), " : ", ") + counted(diagnosis.rows, "row");
    if (diagnosis.files == 0) {
      text = "no shards";
    } else if (diagnosis.format != SetFormat::kHdf5) {
      text = counts_of(diagnosis);
    }
    const std::size_t remarks = diagnosis.findings.size() - diagnosis.serious();
    if (diagnosis.serious() > 0) text += ", " + counted(diagnosis.serious(), "finding");
    if (remarks > 0) text += ", " + counted(remarks, "remark");
    return diagnosis.findings.empty() ? text + ", nothing found" : text;
  }

  static std::vector<std::string> effects_of(const Finding& finding) {
    std::vector<std::string> texts;
    for (const TrapEffect& effect : finding.effects) {
      texts.push_back(std::string(trainer_name(effect.trainer)) + ": " + std::string(severity_name(effect.severity)) +
                      ": " + std::string(effect.text));
    }
    return texts;
  }

  static void print(const Finding& finding, const Diagnosis& diagnosis, const Console& console) {
    const std::string fix = fix_text(finding, diagnosis.path);
    const std::string extent = extent_text(finding);
    if (console.options().json) {
      JsonEvent event("finding");
      event.text("path", diagnosis.path.string())
          .text("trap", facts_of(finding.trap).name)
          .text("severity", severity_name(finding.severity()));
      if (!finding.place.file.empty()) event.text("file", finding.place.file);
      if (finding.place.row) event.number("row", *finding.place.row);
      event.text("what", finding.what).number("rows", finding.rows).number("files", finding.file_count);
      event.texts("effects", effects_of(finding)).text("mend", fix).print();
      return;
    }
    std::printf("%s: %s (%s%s%s)\n", place_text(finding, diagnosis.path).c_str(), finding.what.c_str(),
                std::string(facts_of(finding.trap).name).c_str(), extent.empty() ? "" : "; ", extent.c_str());
    for (const std::string& effect : effect_texts(finding)) std::printf("  %s\n", effect.c_str());
    std::printf("  fix: %s\n", fix.c_str());
    std::fflush(stdout);
  }

  static void print_event(const Diagnosis& diagnosis) {
    JsonEvent event("diagnosed");
    event.text("path", diagnosis.path.string()).number("files", diagnosis.files);
    event.number("training_files", diagnosis.training_files).number("rows", diagnosis.rows);
    event.number("tokens", diagnosis.tokens).number("findings", diagnosis.serious());
    event.number("remarks", diagnosis.findings.size() - diagnosis.serious()).print();
  }

  std::filesystem::path path_;
  std::vector<std::string> trainers_;
  std::vector<std::string> splits_;
  std::string vocab_;
  std::string cache_limit_;
  std::uint64_t max_tokens_ = 0;
  std::uint64_t ranks_ = 0;
  std::uint64_t micro_batch_ = 0;
  std::uint64_t max_predictions_ = 0;
  std::int64_t model_pieces_ = 0;
};

}  // namespace

extern const CommandEntry kDoctorCommand{"doctor", make_command<DoctorCommand>};

}  // namespace bertprep::cli
