// The stages of a run, each by itself: extract, format, shard, instances, sequences; and sentences, which shows how
// shard splits text.
#include <cstdio>
#include <cstdlib>

#include "batch/array_position.h"
#include "bertprep/pipeline/stages.h"
#include "bertprep/text/sentences.h"
#include "bertprep/token/text_encoder.h"
#include "console/standard_input.h"
#include "options/command.h"
#include "pipeline/ignored_options.h"
#include "pipeline/records/dataset_vocab.h"
#include "pipeline/run_source.h"
#include "pipeline/sequences/sequences.h"
#include "pipeline/stages/loaded_stages.h"
#include "summary/summary.h"
#include "unicode/utf8_text.h"

namespace bertprep::cli {
namespace {

class ExtractCommand final : public Command {
 public:
  explicit ExtractCommand(CLI::App& self) : Command(self) {
    add_argument("dump", task_.dumps, "PATH",
                 "dumps, folders of dumps or addresses, in order: XML, plain or compressed; - is stdin", Dash::kInput)
        ->required();
    add_option("-o,--output", task_.folder, "DIR", OptionGroup::kOutput, "folder to write AA/wiki_00 ... into");
    add_option("--page", page_, "TITLE", OptionGroup::kInput, "write the page with this title or id to stdout instead");
    add_option("--index", index_, "FILE", OptionGroup::kInput,
               "with --page: the index of a multistream dump (default: the one beside the dump)");
    add_max_rejects(*this, max_rejects_);
    options().add_all(app(), task_.files, task_.wiki);
    options().add(app(), task_.source, {"strict"});
    options().add(app(), work_, {"threads", "force"});
    options().add(app(), fetch_, kAddressOptions);
    options().add_config_flags(app());
  }

  int run(Console& console) override {
    if (page_.empty() && task_.folder.empty()) {
      throw ConfigError("--output is required", {}, "give an output folder, or a page with --page");
    }
    read_standard_input(task_.dumps, page_.empty() ? task_.folder : std::filesystem::temp_directory_path(), console);
    if (!page_.empty() && !task_.wiki.report.empty()) {
      throw ConfigError("--report and --page exclude each other", {}, "leave out --report, or extract whole dumps");
    }
    fetch_addresses(task_.dumps, task_.source, fetch_, options().given(), console);
    if (!page_.empty()) {
      const std::string doc = extract_page(task_, page_, index_, work_, console);
      std::fwrite(doc.data(), 1, doc.size(), stdout);
      return kDone;
    }
    const StageReport report = extract_articles(task_, work_, console);
    print_summary({&report, 1}, console);
    return status_for_rejects(report, max_rejects_, console);
  }

 private:
  ExtractTask task_;
  std::string page_;
  std::filesystem::path index_;
  WorkOptions work_;
  FetchOptions fetch_;
  std::int64_t max_rejects_ = -1;
};

bool names_json_lines(const std::filesystem::path& file) {
  return (file.extension() == ".zst" ? file.stem() : file).extension() == ".jsonl";
}

class FormatCommand final : public Command {
 public:
  explicit FormatCommand(CLI::App& self) : Command(self) {
    add_argument("input", part().inputs, "PATH",
                 "files, folders or addresses (https, hf, s3) with the text, in order; - is stdin", Dash::kInput)
        ->required();
    add_option("-o,--output", task_.file, "FILE", OptionGroup::kOutput,
               "file to write, one article per line; compressed if its name ends in .zst")
        ->required();
    add_option("--text", text_, "one-line|as-is", OptionGroup::kText,
               "each article as one line, or its text as it is, for token sequences: JSON Lines with a document per "
               "line, in a file .jsonl (default " +
                   text_ + ")")
        ->check(CLI::Validator(CLI::IsMember({"one-line", "as-is"})).description(""));
    add_max_rejects(*this, max_rejects_);
    options().add_all(app(), part().source, part().wiki);
    options().add(app(), work_, {"threads", "memory", "force"});
    options().add(app(), fetch_, kAddressOptions);
    options().add_config_flags(app());
  }

  int run(Console& console) override {
    read_standard_input(part().inputs, task_.file.parent_path(), console);
    task_.as_is = part().source.as_is = part().wiki.as_is = text_ == "as-is";
    if (task_.as_is && !names_json_lines(task_.file)) {
      throw ConfigError("-o names no file of JSON Lines", task_.file, "give a name that ends in .jsonl or .jsonl.zst");
    }
    fetch_addresses(part().inputs, part().source, fetch_, options().given(), console);
    refuse_ignored_options(options().given(), task_.parts, console);
    const StageReport report = format_articles(task_, work_, console);
    print_summary({&report, 1}, console);
    return status_for_rejects(report, max_rejects_, console);
  }

 private:
  CorpusPart& part() { return task_.parts.front(); }

  FormatTask task_{.parts = {CorpusPart{}}, .file = {}};
  WorkOptions work_;
  FetchOptions fetch_;
  std::string text_ = "one-line";
  std::int64_t max_rejects_ = -1;
};

class ShardCommand final : public Command {
 public:
  explicit ShardCommand(CLI::App& self) : Command(self) {
    add_argument("input", task_.inputs, "FILE",
                 "formatted files, one article per line; with --sentences lines, one sentence per line; - is stdin",
                 Dash::kTaken)
        ->required();
    add_option("-o,--output", task_.folder, "DIR", OptionGroup::kOutput, "folder for the text shards")->required();
    options().add(app(), pipeline_.corpus, {"name"});
    options().add_all(app(), pipeline_.sentences, pipeline_.sharding);
    options().add(app(), pipeline_.work, {"threads", "memory", "force"});
    options().add_config_flags(app());
  }

  int run(Console& console) override {
    task_.name = pipeline_.corpus.name;
    if (pipeline_.sentences.rules == SentenceRules::kAuto) pipeline_.sentences.rules = SentenceRules::kPunkt;
    pipeline_.validate_all();
    read_standard_input(task_.inputs, task_.folder, console);
    const StageReport report = shard_articles(task_, pipeline_, console);
    print_summary({&report, 1}, console);
    return kDone;
  }

 private:
  ShardTask task_;
  PipelineOptions pipeline_;
};

// Says so if the list of tasks ends before this one.
bool is_beyond_list(const ArrayPosition& position, Console& console) {
  if (position.beyond_list) console.note("this task is beyond the end of the list: nothing to do");
  return position.beyond_list;
}

class InstancesCommand final : public Command {
 public:
  explicit InstancesCommand(CLI::App& self) : Command(self) {
    pipeline_.corpus.phase = Phase::kCustom;
    pipeline_.instances = InstanceOptions();
    add_argument("input", task_.text_shards, "TEXT_SHARD", "text shards; X.txt becomes X.hdf5")->required();
    add_option("-o,--output", folder_, "DIR", OptionGroup::kOutput, "folder for the shards and their manifest.json")
        ->required();
    options().add(app(), pipeline_.corpus, {"name"});
    options().add_all(app(), pipeline_, pipeline_.tokenizer, pipeline_.instances, pipeline_.layout);
    options().add(app(), pipeline_.work, {"threads", "memory", "force"});
    options().add(app(), array_);
    add_strict_data(*this, strict_data_);
    options().add_config_flags(app());
  }

  int run(Console& console) override {
    pipeline_.validate_all();
    read_standard_input(task_.text_shards, pipeline_.vocabulary, folder_, console);
    adopt_vocab_text(given_text(options().given()), pipeline_.vocabulary, pipeline_.tokenizer, console);
    task_.name = pipeline_.corpus.name;
    task_.phases = {{pipeline_.instances, folder_}};
    const ArrayPosition position = array_position(array_, std::getenv);
    if (is_beyond_list(position, console)) return kDone;
    if (!is_byte_pair_path(pipeline_.vocabulary)) {
      require_reachable_pieces(given_text(options().given()), pipeline_.vocabulary, load_vocab(pipeline_.vocabulary),
                               pipeline_.tokenizer, console);
    }
    if (position.count > 1) say_share(position, console);
    task_.share.task = position.task;
    task_.share.count = position.count;
    const StageReport report = make_instances(task_, pipeline_, console);
    print_summary({&report, 1}, console);
    print_data({&report, 1}, console);
    return status_for_data({&report, 1}, strict_data_, kDone);
  }

 private:
  void say_share(const ArrayPosition& position, Console& console) const {
    const std::size_t files = task_.text_shards.size();
    const std::size_t mine = position.task < files ? (files - position.task - 1) / position.count + 1 : 0;
    const std::string found_by = position.engine.empty() ? "" : ", from the variables of " + position.engine;
    console.note("task " + std::to_string(position.task) + " of " + std::to_string(position.count) + found_by + ": " +
                 grouped(mine) + " of " + counted(files, "text shard") +
                 "; when all tasks are done, 'bertprep verify --finish' writes manifest.json");
  }

  ArrayOptions array_;
  InstanceStep task_;
  std::filesystem::path folder_;
  PipelineOptions pipeline_;
  bool strict_data_ = false;
};

class SequencesCommand final : public Command {
 public:
  explicit SequencesCommand(CLI::App& self) : Command(self) {
    add_argument("input", task_.inputs, "TEXT",
                 "text shards; or documents, such as JSON Lines, or formatted files, which are for training")
        ->required();
    add_option("--validation", task_.validation, "TEXT", OptionGroup::kInput,
               "documents or formatted files for the split of --test-split");
    add_option("-o,--output", task_.folder, "DIR", OptionGroup::kOutput, "folder for the set")->required();
    options().add(app(), task_.source,
                  {"format", "text-field", "query", "html", "encoding", "keep-gutenberg", "max-article", "strict"});
    options().add(app(), pipeline_.sentences);
    options().add(app(), pipeline_.corpus, {"name"});
    options().add_all(app(), pipeline_, pipeline_.tokenizer, task_.encoder, task_.options);
    options().add(app(), pipeline_.work, {"threads", "memory", "force"});
    options().add(app(), array_);
    options().add_config_flags(app());
  }

  int run(Console& console) override {
    validate(pipeline_.tokenizer);
    read_standard_input(task_.inputs, pipeline_.vocabulary, task_.folder, console);
    adopt_vocab_text(given_text(options().given()), pipeline_.vocabulary, pipeline_.tokenizer, console);
    task_.name = pipeline_.corpus.name;
    const ArrayPosition position = array_position(array_, std::getenv);
    if (is_beyond_list(position, console)) return kDone;
    task_.array_task = position.task;
    task_.array_count = position.count;
    const TextEncoder encoder = TextEncoder::open(pipeline_.vocabulary, task_.encoder, pipeline_.tokenizer);
    refuse_ignored_options(options().given(), encoder);
    if (const Vocab* pieces = encoder.wordpiece()) {
      require_reachable_pieces(given_text(options().given()), pipeline_.vocabulary, *pieces, pipeline_.tokenizer,
                               console);
    }
    const SequenceReport report = make_sequences(task_, pipeline_, console);
    print_summary({&report.stage, 1}, console);
    if (position.count > 1) {
      console.note("when all tasks are done, the same command without an array completes the set");
    }
    print_splits(report.splits, report.options, console);
    return kDone;
  }

 private:
  ArrayOptions array_;
  SequenceTask task_;
  PipelineOptions pipeline_;
};

class SentencesCommand final : public Command {
 public:
  explicit SentencesCommand(CLI::App& self) : Command(self) {
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

extern const CommandEntry kExtractCommand{"extract", make_command<ExtractCommand>};
extern const CommandEntry kFormatCommand{"format", make_command<FormatCommand>};
extern const CommandEntry kShardCommand{"shard", make_command<ShardCommand>};
extern const CommandEntry kInstancesCommand{"instances", make_command<InstancesCommand>};
extern const CommandEntry kSequencesCommand{"sequences", make_command<SequencesCommand>};
extern const CommandEntry kSentencesCommand{"sentences", make_command<SentencesCommand>};

}  // namespace bertprep::cli
