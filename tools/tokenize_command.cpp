#include <cstdio>

#include "base/fields.h"
#include "bertprep/pipeline/pipeline_options.h"
#include "bertprep/token/text_encoder.h"
#include "console/console.h"
#include "console/standard_input.h"
#include "options/command.h"
#include "pipeline/ignored_options.h"
#include "pipeline/records/dataset_vocab.h"

namespace bertprep::cli {
namespace {

constexpr const char* kTokenizeExamples =
    "  echo 'A sentence to look at.' | bertprep tokenize --vocab my-vocab.txt\n"
    "  bertprep tokenize --ids --vocab bert-large-cased --no-lower-case a.txt > a.ids\n"
    "  bertprep tokenize --ids --vocab gpt2/tokenizer.json a.txt > a.ids";

class TokenizeCommand final : public Command {
 public:
  explicit TokenizeCommand(CLI::App& self) : Command(self, kTokenizeExamples) {
    add_argument("input", files_, "FILE", "files; - is stdin, the default", Dash::kTaken);
    add_flag("--ids", ids_, OptionGroup::kOutput, "print ids instead of tokens");
    options().add(app(), pipeline_);
    options().add(app(), tokenizer_);
    options().add(app(), encoder_);
  }

  int run(Console& console) override {
    refuse_second_dash(files_.empty() ? std::vector<std::filesystem::path>{kDash} : files_, pipeline_.vocabulary);
    const std::string vocab = pipeline_.vocabulary == kDash ? kStandardInput : pipeline_.vocabulary;
    adopt_vocab_text(given_text(options().given()), pipeline_.vocabulary, tokenizer_, console);
    TextEncoder encoder = TextEncoder::open(vocab, encoder_, tokenizer_);
    refuse_ignored_options(options().given(), encoder);
    if (const Vocab* pieces = encoder.wordpiece()) {
      require_fitting_case(pipeline_.vocabulary, tokenizer_, encoder.sha256());
      require_reachable_pieces(given_text(options().given()), pipeline_.vocabulary, *pieces, tokenizer_, console);
    }
    std::vector<TokenId> ids;
    std::string out;
    for_each_input_line(files_, [&](std::string_view line) {
      ids.clear();
      encoder.encode(line, ids);
      out.clear();
      for (const TokenId id : ids) {
        if (!out.empty()) out += ' ';
        if (ids_) {
          out += std::to_string(id);
        } else {
          append_token(encoder.token(id), out);
        }
      }
      out += '\n';
      std::fwrite(out.data(), 1, out.size(), stdout);
    });
    return kDone;
  }

 private:
  // Added tokens may contain blanks, which are spelled as in other tokens.
  static void append_token(std::string_view token, std::string& out) {
    for (const char c : token) {
      if (c == ' ') {
        out += "\u0120";
      } else {
        out += c;
      }
    }
  }

  std::vector<std::filesystem::path> files_;
  bool ids_ = false;
  PipelineOptions pipeline_;
  TokenizerOptions tokenizer_;
  EncoderOptions encoder_;
};

}  // namespace

std::unique_ptr<Command> make_tokenize_command(CLI::App& self) {
  return std::make_unique<TokenizeCommand>(self);
}

}  // namespace bertprep::cli
