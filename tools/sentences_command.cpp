#include <cstdio>

#include "bertprep/text/sentences.h"
#include "console/console.h"
#include "console/standard_input.h"
#include "options/command.h"
#include "unicode/utf8_text.h"

namespace bertprep::cli {
namespace {

constexpr const char* kSentencesExamples =
    "  echo 'Dr. Smith came. He sat.' | bertprep sentences --punkt punkt_tab/english\n"
    "  bertprep sentences --sentences icu --language de artikel.txt > saetze.txt";

class SentencesCommand final : public Command {
 public:
  explicit SentencesCommand(CLI::App& self) : Command(self, kSentencesExamples) {
    add_argument("input", files_, "FILE", "files; - is stdin, the default", Dash::kTaken);
    options().add(app(), sentences_);
  }

  int run(Console&) override {
    if (sentences_.rules == SentenceRules::kAuto) sentences_.rules = SentenceRules::kPunkt;
    const auto splitter = make_sentence_splitter(sentences_);
    std::vector<std::string_view> sentences;
    for_each_input_line(files_, [&](std::string_view line) {
      sentences.clear();
      if (const std::string_view article = strip_end(line); !article.empty()) splitter->split(article, sentences);
      for (const std::string_view sentence : sentences) {
        std::fwrite(sentence.data(), 1, sentence.size(), stdout);
        std::fputc('\n', stdout);
      }
      std::fputc('\n', stdout);
    });
    return kDone;
  }

 private:
  std::vector<std::filesystem::path> files_;
  SentenceOptions sentences_;
};

}  // namespace

std::unique_ptr<Command> make_sentences_command(CLI::App& self) {
  return std::make_unique<SentencesCommand>(self);
}

}  // namespace bertprep::cli
