#include "base/fields.h"
#include "base/number_text.h"
#include "bertprep/pipeline/stages.h"
#include "options/command.h"
#include "pipeline/ignored_options.h"
#include "summary/summary.h"

namespace bertprep::cli {
namespace {

constexpr const char* kVocabTrainExamples =
    "  bertprep vocab train articles.txt --vocab-size 30522 -o my-vocab.txt\n"
    "  bertprep vocab train samples/sample.wikitext --vocab-size 4000 -o small.txt";

class VocabTrainCommand final : public Command {
 public:
  explicit VocabTrainCommand(CLI::App& self) : Command(self, kVocabTrainExamples) {
    add_argument("input", part().inputs, "PATH", "files or folders with the text; - is stdin", Dash::kTaken)
        ->required();
    add_option("-o,--output", task_.file, "FILE", OptionGroup::kOutput, "the vocabulary to write")->required();
    options().add(app(), part().source);
    options().add(app(), task_.trainer);
    options().add(app(), work_, {"force"});
    options().add_config_flags(app());
    show_first({"--output", "--vocab-size", "--min-frequency", "--lower-case", "--format", "--text-field"});
  }

  int run(Console& console) override {
    read_standard_input(part().inputs, task_.file.parent_path(), console);
    refuse_ignored_options(options().given(), task_.parts, console);
    const VocabReport report = train_vocab(task_, work_, console);
    if (report.stage.tasks_made == 0) {
      console.say("nothing to do: " + task_.file.string() + " is up to date");
    }
    console.say(task_.file.string() + ": " + counted(report.pieces, "piece"));
    say_changed(report.words, console);
    say_left_out(report.letters, console);
    return status_for_rejects(report.stage, -1, console);
  }

 private:
  void say_changed(const WordsChanged& changed, Console& console) const {
    if (changed.words != 0) {
      const bool lower_case = task_.trainer.lower_case;
      console.say(counted_of(changed.words, changed.all, "word", "lost", "lost") + " capitals or accents by --" +
                  (lower_case ? "lower-case" : "strip-accents") + " (" +
                  decimal(100 * share_of(changed.words, changed.all), 1) + " %); to keep them, give " +
                  (lower_case ? "--no-lower-case" : "--strip-accents no"));
    }
    if (changed.too_long != 0) {
      console.say(counted(changed.too_long, "word", "is", "are") +
                  " longer than 100 characters and left out: the tokenizer makes [UNK] of them");
    }
  }

  void say_left_out(const LettersLeftOut& left_out, Console& console) const {
    if (left_out.letters == 0) return;
    console.say(
        counted(left_out.letters, "letter") + ", " + decimal(100 * share_of(left_out.uses, left_out.all_uses), 1) +
        " % of all occurrences, got no piece: words with them are [UNK]. To keep them, give --max-letters (now " +
        counted(static_cast<std::uint64_t>(task_.trainer.max_letters), "letter") + ") and room in --vocab-size");
  }

  CorpusPart& part() { return task_.parts.front(); }

  VocabTask task_{.parts = {CorpusPart{}}, .file = {}, .trainer = {}};
  WorkOptions work_;
};

}  // namespace

std::unique_ptr<Command> make_vocab_train_command(CLI::App& self) {
  return std::make_unique<VocabTrainCommand>(self);
}

}  // namespace bertprep::cli
