// Vocabularies: vocab list, fetch, check, train and export; and tokenize, which shows what one makes of text.
#include <cstdio>

#include "bertprep/fetch/fetch.h"
#include "bertprep/pipeline/pipeline_options.h"
#include "bertprep/pipeline/stages.h"
#include "bertprep/token/text_encoder.h"
#include "bertprep/token/vocab.h"
#include "console/standard_input.h"
#include "options/command.h"
#include "pipeline/ignored_options.h"
#include "pipeline/records/dataset_vocab.h"
#include "summary/summary.h"
#include "token/bpe/byte_pair_model.h"
#include "token/huggingface/tokenizer_folder.h"
#include "token/tokenizer_files.h"
#include "token/vocab_catalogue.h"

namespace bertprep::cli {
namespace {

class VocabListCommand final : public Command {
 public:
  using Command::Command;

  int run(Console& console) override {
    for (const KnownVocab& vocab : known_vocabs()) {
      const std::string missing = vocab.built_in ? "built in" : "not on this machine";
      const std::string place = vocab.path.empty() ? missing : vocab.path.string();
      const std::string other_names = vocab.aliases.empty() ? "" : "\t" + joined(vocab.aliases);
      JsonEvent event("vocab");
      event.text("vocab", vocab.name).flag("cased", vocab.cased).number("pieces", vocab.pieces);
      event.text("description", vocab.description).flag("built_in", vocab.built_in).text("file", vocab.path.string());
      console.print(event, vocab.name + (vocab.cased ? "\tcased\t" : "\tuncased\t") + vocab.description + "\t" + place +
                               other_names);
    }
    return kDone;
  }
};

class VocabFetchCommand final : public Command {
 public:
  explicit VocabFetchCommand(CLI::App& self) : Command(self) {
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
      console.print(JsonEvent("fetched").text("vocab", name).text("file", file.string()), file.string());
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
  explicit VocabCheckCommand(CLI::App& self) : Command(self) {
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

class VocabTrainCommand final : public Command {
 public:
  explicit VocabTrainCommand(CLI::App& self) : Command(self) {
    add_argument("input", part().inputs, "PATH", "files or folders with the text; - is stdin", Dash::kTaken)
        ->required();
    add_option("-o,--output", task_.file, "FILE", OptionGroup::kOutput, "the vocabulary to write")->required();
    options().add_all(app(), part().source, task_.trainer);
    options().add(app(), work_, {"force"});
    options().add_config_flags(app());
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

// Opens the vocabulary, which may be "-", as the rows of a run would be made with it.
TextEncoder open_encoder(const EncoderOptions& encoder, PipelineOptions& pipeline,
                         const std::vector<GivenOption>& given, Console& console) {
  adopt_vocab_text(given_text(given), pipeline.vocabulary, pipeline.tokenizer, console);
  TextEncoder opened = TextEncoder::open(pipeline.vocabulary == kDash ? kStandardInput : pipeline.vocabulary, encoder,
                                         pipeline.tokenizer);
  refuse_ignored_options(given, opened);
  if (const Vocab* pieces = opened.wordpiece()) {
    require_fitting_case(pipeline.vocabulary, pipeline.tokenizer, opened.sha256());
    require_reachable_pieces(given_text(given), pipeline.vocabulary, *pieces, pipeline.tokenizer, console);
  }
  return opened;
}

class VocabExportCommand final : public Command {
 public:
  explicit VocabExportCommand(CLI::App& self) : Command(self) {
    add_argument("folder", folder_, "DIR", "the folder to write")->required();
    add_option("--to", to_, "huggingface", OptionGroup::kOutput, "the programs that load it (default huggingface)")
        ->check(CLI::Validator(CLI::IsMember({"huggingface"})).description(""));
    add_option("--max-tokens", max_tokens_, "TOKENS", OptionGroup::kRows,
               "longest row that the model takes (default 512)")
        ->transform(within(1, std::uint64_t{1} << 30U));
    options().add_all(app(), pipeline_, pipeline_.tokenizer);
    options().add(app(), work_, {"force"});
  }

  int run(Console& console) override {
    const TextEncoder encoder = open_encoder({}, pipeline_, options().given(), console);
    const std::vector<TokenizerFile> files = huggingface_files(encoder, pipeline_.tokenizer, max_tokens_);
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
  WorkOptions work_;
};

class TokenizeCommand final : public Command {
 public:
  explicit TokenizeCommand(CLI::App& self) : Command(self) {
    add_argument("input", files_, "FILE", "files; - is stdin, the default", Dash::kTaken);
    add_flag("--ids", ids_, OptionGroup::kOutput, "print ids instead of tokens");
    options().add_all(app(), pipeline_, pipeline_.tokenizer, encoder_);
  }

  int run(Console& console) override {
    refuse_second_dash(files_.empty() ? std::vector<std::filesystem::path>{kDash} : files_, pipeline_.vocabulary);
    TextEncoder encoder = open_encoder(encoder_, pipeline_, options().given(), console);
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
  EncoderOptions encoder_;
};

}  // namespace

extern const CommandEntry kVocabListCommand{"vocab list", make_command<VocabListCommand>};
extern const CommandEntry kVocabFetchCommand{"vocab fetch", make_command<VocabFetchCommand>};
extern const CommandEntry kVocabCheckCommand{"vocab check", make_command<VocabCheckCommand>};
extern const CommandEntry kVocabTrainCommand{"vocab train", make_command<VocabTrainCommand>};
extern const CommandEntry kVocabExportCommand{"vocab export", make_command<VocabExportCommand>};
extern const CommandEntry kTokenizeCommand{"tokenize", make_command<TokenizeCommand>};

}  // namespace bertprep::cli
