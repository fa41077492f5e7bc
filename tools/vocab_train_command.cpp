#include "amounts.h"
#include "bertprep/base/error.h"
#include "bertprep/pipeline/pipeline_options.h"
#include "bertprep/pipeline/publish.h"
#include "bertprep/source/open_source.h"
#include "bertprep/token/vocab_trainer.h"
#include "command.h"
#include "exit_status.h"

namespace bertprep::cli {
namespace {

constexpr const char* kExamples =
    "  bertprep vocab train articles.txt --vocab-size 30522 -o my-vocab.txt\n"
    "  bertprep vocab train samples/sample.wikitext --format wikitext --vocab-size 4000 -o sample-uncased-vocab.txt";

class VocabTrainCommand final : public Command {
 public:
  explicit VocabTrainCommand(CLI::App& parent)
      : Command(parent, "train", "Make a WordPiece vocabulary from text", kExamples) {
    app().add_option("input", inputs_, "files or folders with the text")->required()->type_name("PATH");
    app()
        .add_option("-o,--output", file_, "the vocabulary to write")
        ->required()
        ->type_name("FILE")
        ->group(heading(OptionGroup::kOutput));
    options().add(app(), source_);
    options().add(app(), trainer_);
    options().add(app(), work_, {"force"});
    options().add_config_flags(app());
    show_first({"--output", "--vocab-size", "--min-frequency", "--lower-case", "--format", "--text-field"});
  }

  int run(Console& console) override {
    validate(source_);
    validate(trainer_);
    check_publishable(file_, inputs_, work_.force);
    VocabTrainer trainer(trainer_);
    const RejectSink sink = [&](const std::string& where, const std::string& reason, std::string_view) {
      console.skipped({where, reason});
    };
    const auto source = finish_documents(open_source(inputs_, source_, sink), source_.strict ? RejectSink{} : sink);
    console.begin("vocab", 0, "bytes");
    Document document;
    while (source->next(document)) {
      if (console.cancelled()) throw Cancelled();
      for (const RecordRemark& remark : source->take_remarks()) console.remarked(remark);
      if (!document.note.empty()) console.remarked({document.origin.source, document.note});
      trainer.add_text(document.text);
      console.advance(document.text.size());
    }
    const std::vector<std::string> pieces = trainer.train();
    std::string text;
    for (const std::string& piece : pieces) text += piece + "\n";
    publish_whole(file_, text);
    console.end();
    console.say(file_.string() + ": " + grouped(pieces.size()) + " pieces");
    return kDone;
  }

 private:
  std::vector<std::filesystem::path> inputs_;
  std::filesystem::path file_;
  SourceOptions source_;
  VocabTrainerOptions trainer_;
  WorkOptions work_;
};

}  // namespace

std::unique_ptr<Command> make_vocab_train_command(CLI::App& parent) {
  return std::make_unique<VocabTrainCommand>(parent);
}

}  // namespace bertprep::cli
