#include <cstdio>

#include "bertprep/token/vocab.h"
#include "console/exit_status.h"
#include "console/json_event.h"
#include "console/standard_input.h"
#include "options/command.h"
#include "token/vocab_catalogue.h"

namespace bertprep::cli {
namespace {

constexpr const char* kVocabCheckExamples =
    "  bertprep vocab check my-vocab.txt\n"
    "  bertprep vocab check bert-large-uncased";

class VocabCheckCommand final : public Command {
 public:
  explicit VocabCheckCommand(CLI::App& parent)
      : Command(parent, "check", "Check a vocabulary: encoding, duplicates, special pieces", kVocabCheckExamples) {
    app()
        .add_option("vocab", vocab_, "a file, a name that 'bertprep vocab list' shows, or - for standard input")
        ->required()
        ->type_name("VOCAB");
  }

  int run(Console& console) override {
    const Vocab vocab = load_vocab(vocab_ == kDash ? kStandardInput : vocab_);
    std::size_t continuing = 0;
    for (const TokenId id : vocab.ids()) continuing += vocab.piece(id).starts_with("##") ? 1 : 0;
    if (console.options().json) {
      print_event(vocab, continuing);
      return kDone;
    }
    std::printf(
        "%s: valid, %zu pieces (%zu continue a word), [PAD] %d [UNK] %d [CLS] %d [SEP] %d [MASK] %d\nsha256 %s\n",
        vocab_.c_str(), vocab.size(), continuing, vocab.pad(), vocab.unk(), vocab.cls(), vocab.sep(), vocab.mask(),
        vocab.sha256().c_str());
    return kDone;
  }

 private:
  void print_event(const Vocab& vocab, std::size_t continuing) const {
    const auto id = [](TokenId token) { return static_cast<std::uint64_t>(token); };
    JsonEvent("vocab")
        .text("vocab", vocab_)
        .number("pieces", vocab.size())
        .number("continuing", continuing)
        .number("pad", id(vocab.pad()))
        .number("unk", id(vocab.unk()))
        .number("cls", id(vocab.cls()))
        .number("sep", id(vocab.sep()))
        .number("mask", id(vocab.mask()))
        .text("sha256", vocab.sha256())
        .print();
  }

  std::string vocab_;
};

}  // namespace

std::unique_ptr<Command> make_vocab_check_command(CLI::App& parent) {
  return std::make_unique<VocabCheckCommand>(parent);
}

}  // namespace bertprep::cli
