#include <cstdio>
#include <utility>

#include "bertprep/token/text_encoder.h"
#include "bertprep/token/vocab.h"
#include "console/console.h"
#include "console/json_event.h"
#include "console/standard_input.h"
#include "options/command.h"
#include "pipeline/records/dataset_vocab.h"
#include "token/bpe/byte_pair_model.h"

namespace bertprep::cli {
namespace {

constexpr const char* kVocabCheckExamples =
    "  bertprep vocab check my-vocab.txt\n"
    "  bertprep vocab check bert-large-uncased\n"
    "  bertprep vocab check gpt2/tokenizer.json";

std::vector<std::pair<const char*, TokenId>> named_ids(const SpecialIds& specials) {
  std::vector<std::pair<const char*, TokenId>> ids;
  const std::pair<const char*, std::optional<TokenId>> roles[] = {{"pad", specials.pad},   {"unk", specials.unk},
                                                                  {"cls", specials.cls},   {"sep", specials.sep},
                                                                  {"mask", specials.mask}, {"eod", specials.eod}};
  for (const auto& [name, id] : roles) {
    if (id) ids.emplace_back(name, *id);
  }
  return ids;
}

class VocabCheckCommand final : public Command {
 public:
  explicit VocabCheckCommand(CLI::App& self) : Command(self, kVocabCheckExamples) {
    add_argument("vocab", vocab_, "VOCAB", "a file or folder, or a name that 'bertprep vocab list' shows; - is stdin")
        ->required();
  }

  int run(Console& console) override {
    const TextEncoder encoder = TextEncoder::open(vocab_ == kDash ? kStandardInput : vocab_, {});
    if (console.options().json) {
      print_event(encoder);
    } else if (const Vocab* vocab = encoder.wordpiece()) {
      std::printf(
          "%s: valid, %zu pieces (%zu continue a word), [PAD] %d [UNK] %d [CLS] %d [SEP] %d [MASK] %d\nsha256 %s\n",
          vocab_.c_str(), vocab->size(), continuing(*vocab), vocab->pad(), vocab->unk(), vocab->cls(), vocab->sep(),
          vocab->mask(), vocab->sha256().c_str());
      if (const SaidText said = text_of_tokenizer(vocab_); said.lower_case) {
        const std::string by = said.by.empty() ? "the catalogue" : said.by;
        std::printf("text %s (%s)\n",
                    text_in_words(*said.lower_case, said.strip_accents.value_or(*said.lower_case)).c_str(), by.c_str());
      }
      if (const auto blank = vocab->find("")) {
        console.say("line " + std::to_string(std::int64_t{*blank} + 1) +
                    " is blank: it counts as a piece, and shifts the ids of all lines after it");
      }
    } else {
      const BytePairModel& model = *encoder.byte_pairs();
      std::printf("%s: valid, byte-level BPE, %zu tokens (%zu merges, %zu added)", vocab_.c_str(), encoder.size(),
                  model.merges.size(), model.added.size());
      for (const auto& [name, id] : named_ids(encoder.specials())) std::printf(", %s %d", name, id);
      std::printf("\nsha256 %s\n", encoder.sha256().c_str());
    }
    return kDone;
  }

 private:
  static std::size_t continuing(const Vocab& vocab) {
    std::size_t count = 0;
    for (const TokenId id : vocab.ids()) count += vocab.piece(id).starts_with("##") ? 1 : 0;
    return count;
  }

  void print_event(const TextEncoder& encoder) const {
    JsonEvent event("vocab");
    event.text("vocab", vocab_).number("pieces", encoder.size());
    if (const Vocab* vocab = encoder.wordpiece()) {
      event.number("continuing", continuing(*vocab));
    } else {
      event.number("merges", encoder.byte_pairs()->merges.size()).number("added", encoder.byte_pairs()->added.size());
    }
    for (const auto& [name, id] : named_ids(encoder.specials())) event.number(name, static_cast<std::uint64_t>(id));
    event.text("sha256", encoder.sha256()).print();
  }

  std::string vocab_;
};

}  // namespace

std::unique_ptr<Command> make_vocab_check_command(CLI::App& self) {
  return std::make_unique<VocabCheckCommand>(self);
}

}  // namespace bertprep::cli
