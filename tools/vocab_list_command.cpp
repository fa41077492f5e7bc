#include <cstdio>

#include "console/console.h"
#include "console/json_event.h"
#include "options/command.h"
#include "token/vocab_catalogue.h"

namespace bertprep::cli {
namespace {

constexpr const char* kVocabListExamples =
    "  bertprep vocab list\n"
    "  BERTPREP_VOCAB_DIR=vocabularies bertprep vocab list";

class VocabListCommand final : public Command {
 public:
  explicit VocabListCommand(CLI::App& self) : Command(self, kVocabListExamples) {}

  int run(Console& console) override {
    for (const KnownVocab& vocab : known_vocabs()) {
      if (console.options().json) {
        print_event(vocab);
        continue;
      }
      const std::string missing = vocab.built_in ? "built in" : "not on this machine";
      const std::string place = vocab.path.empty() ? missing : vocab.path.string();
      std::string other_names;
      for (const std::string& alias : vocab.aliases) other_names += (other_names.empty() ? "\t" : ", ") + alias;
      std::printf("%s\t%s\t%s\t%s%s\n", vocab.name.c_str(), vocab.cased ? "cased" : "uncased",
                  vocab.description.c_str(), place.c_str(), other_names.c_str());
    }
    return kDone;
  }

 private:
  static void print_event(const KnownVocab& vocab) {
    JsonEvent("vocab")
        .text("vocab", vocab.name)
        .flag("cased", vocab.cased)
        .number("pieces", vocab.pieces)
        .text("description", vocab.description)
        .flag("built_in", vocab.built_in)
        .text("file", vocab.path.string())
        .print();
  }
};

}  // namespace

std::unique_ptr<Command> make_vocab_list_command(CLI::App& self) {
  return std::make_unique<VocabListCommand>(self);
}

}  // namespace bertprep::cli
