#include <charconv>
#include <cstdio>

#include "base/fields.h"
#include "bertprep/pipeline/pipeline_options.h"
#include "console/exit_status.h"
#include "console/line_input.h"
#include "console/standard_input.h"
#include "options/command.h"
#include "pipeline/records/dataset_vocab.h"
#include "token/vocab_catalogue.h"

namespace bertprep::cli {
namespace {

constexpr const char* kTokenizeExamples =
    "  echo 'A sentence to look at.' | bertprep tokenize --vocab my-vocab.txt\n"
    "  bertprep tokenize --ids --vocab bert-large-cased --no-lower-case a.txt > a.ids";

class TokenizeCommand final : public Command {
 public:
  explicit TokenizeCommand(CLI::App& parent)
      : Command(parent, "tokenize", "Print the WordPieces of every line, separated by spaces", kTokenizeExamples) {
    app().add_option("input", files_, "files (default: stdin); - is stdin")->type_name("FILE");
    app().add_flag("--ids", ids_, "print ids instead of pieces")->group(heading(OptionGroup::kOutput));
    options().add(app(), pipeline_);
    options().add(app(), tokenizer_);
  }

  int run(Console&) override {
    refuse_second_dash(files_.empty() ? std::vector<std::filesystem::path>{kDash} : files_, pipeline_.vocabulary);
    const Vocab vocab = load_vocab(pipeline_.vocabulary == kDash ? kStandardInput : pipeline_.vocabulary);
    require_fitting_case(pipeline_.vocabulary, tokenizer_, vocab.sha256());
    Tokenizer tokenizer(vocab, tokenizer_);
    std::vector<TokenId> ids;
    std::string out;
    for_each_input_line(files_, [&](std::string_view line) {
      ids.clear();
      tokenizer.encode(line, ids);
      out.clear();
      for (const TokenId id : ids) {
        if (!out.empty()) out += ' ';
        if (ids_) {
          out += std::to_string(id);
        } else {
          out += vocab.piece(id);
        }
      }
      out += '\n';
      std::fwrite(out.data(), 1, out.size(), stdout);
    });
    return kDone;
  }

 private:
  std::vector<std::filesystem::path> files_;
  bool ids_ = false;
  PipelineOptions pipeline_;
  TokenizerOptions tokenizer_;
};

}  // namespace

std::unique_ptr<Command> make_tokenize_command(CLI::App& parent) {
  return std::make_unique<TokenizeCommand>(parent);
}

}  // namespace bertprep::cli
