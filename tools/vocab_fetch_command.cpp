#include <cstdio>

#include "bertprep/base/error.h"
#include "bertprep/fetch/fetch.h"
#include "console/console.h"
#include "console/json_event.h"
#include "options/command.h"
#include "token/vocab_catalogue.h"

namespace bertprep::cli {
namespace {

constexpr const char* kVocabFetchExamples =
    "  bertprep vocab fetch bert-large-uncased\n"
    "  bertprep vocab fetch bert-large-cased --from-file cased_L-24_H-1024_A-16.zip";

class VocabFetchCommand final : public Command {
 public:
  explicit VocabFetchCommand(CLI::App& self) : Command(self, kVocabFetchExamples) {
    add_argument("name", names_, "VOCAB", "names that 'bertprep vocab list' shows")->required();
    options().add(
        app(), fetch_,
        {"catalog", "mirror", "from-file", "contact", "retries", "stall-seconds", "verify-certificates", "offline"});
  }

  int run(Console& console) override {
    if (!fetch_.from_file.empty() && names_.size() != 1) {
      throw ConfigError("--from-file takes one vocabulary", {}, "fetch them one at a time");
    }
    for (const std::string& name : names_) {
      const std::filesystem::path file = fetch(name, console);
      if (console.options().json) {
        JsonEvent("fetched").text("vocab", name).text("file", file.string()).print();
      } else {
        std::printf("%s\n", file.c_str());
      }
    }
    return kDone;
  }

 private:
  std::filesystem::path fetch(const std::string& name, Console& console) const {
    std::string file = name + ".txt";
    for (const KnownVocab& vocab : known_vocabs()) {
      if (!vocab.is_called(name)) continue;
      if (vocab.url.empty() && !vocab.path.empty()) return vocab.path;
      if (vocab.built_in) throw ConfigError("'" + name + "' is built in", {}, "use it by name: it needs no download");
      file = vocab.file;
    }
    const std::filesystem::path target = vocab_home() / file;
    fetch_vocab_file(name, target, fetch_, console);
    return target;
  }

  std::vector<std::string> names_;
  FetchOptions fetch_;
};

}  // namespace

std::unique_ptr<Command> make_vocab_fetch_command(CLI::App& self) {
  return std::make_unique<VocabFetchCommand>(self);
}

}  // namespace bertprep::cli
