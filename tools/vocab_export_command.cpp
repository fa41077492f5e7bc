#include <filesystem>

#include "base/fields.h"
#include "bertprep/pipeline/pipeline_options.h"
#include "bertprep/token/text_encoder.h"
#include "console/console.h"
#include "console/json_event.h"
#include "console/standard_input.h"
#include "options/command.h"
#include "pipeline/ignored_options.h"
#include "pipeline/records/dataset_vocab.h"
#include "token/huggingface/tokenizer_folder.h"
#include "token/huggingface_folder.h"

namespace bertprep::cli {
namespace {

constexpr const char* kVocabExportExamples =
    "  bertprep vocab export tokenizer --to huggingface --vocab bert-large-uncased\n"
    "  bertprep vocab export tokenizer --to huggingface --vocab bert-large-cased \\\n"
    "      --no-lower-case --max-tokens 128";

class VocabExportCommand final : public Command {
 public:
  explicit VocabExportCommand(CLI::App& self) : Command(self, kVocabExportExamples) {
    add_argument("folder", folder_, "DIR", "the folder to write")->required();
    add_option("--to", to_, "huggingface", OptionGroup::kOutput, "the programs that load it (default huggingface)")
        ->check(CLI::Validator(CLI::IsMember({"huggingface"})).description(""));
    add_option("--max-tokens", max_tokens_, "TOKENS", OptionGroup::kRows,
               "longest row that the model takes (default 512)")
        ->transform(within(1, std::uint64_t{1} << 30U));
    options().add(app(), pipeline_);
    options().add(app(), tokenizer_);
    options().add(app(), work_, {"force"});
  }

  int run(Console& console) override {
    const std::string vocab = pipeline_.vocabulary == kDash ? kStandardInput : pipeline_.vocabulary;
    adopt_vocab_text(given_text(options().given()), pipeline_.vocabulary, tokenizer_, console);
    const TextEncoder encoder = TextEncoder::open(vocab, {}, tokenizer_);
    refuse_ignored_options(options().given(), encoder);
    if (const Vocab* pieces = encoder.wordpiece()) {
      require_fitting_case(pipeline_.vocabulary, tokenizer_, encoder.sha256());
      require_reachable_pieces(given_text(options().given()), pipeline_.vocabulary, *pieces, tokenizer_, console);
    }
    const std::vector<TokenizerFile> files = huggingface_files(encoder, tokenizer_, max_tokens_);
    write_tokenizer_folder(folder_, files, work_.force);
    for (const TokenizerFile& file : files) {
      if (console.options().json) {
        JsonEvent("exported").text("file", (folder_ / file.name).string()).print();
      } else {
        console.say((folder_ / file.name).string());
      }
    }
    return kDone;
  }

 private:
  std::filesystem::path folder_;
  std::string to_ = "huggingface";
  std::int64_t max_tokens_ = 512;
  PipelineOptions pipeline_;
  TokenizerOptions tokenizer_;
  WorkOptions work_;
};

}  // namespace

std::unique_ptr<Command> make_vocab_export_command(CLI::App& self) {
  return std::make_unique<VocabExportCommand>(self);
}

}  // namespace bertprep::cli
