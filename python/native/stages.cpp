// Functions that do one stage or command: format, extract, sequences, train_vocab, export_vocab, reshard.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "acceptance.h"
#include "batch/array_position.h"
#include "bertprep/base/error.h"
#include "bertprep/fetch/fetch.h"
#include "bertprep/token/vocab_trainer.h"
#include "bindings.h"
#include "document_feed.h"
#include "pipeline/ignored_options.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/reshard/reshard.h"
#include "pipeline/run_source.h"
#include "pipeline/sequences/sequences.h"
#include "records.h"
#include "text_components.h"
#include "token/tokenizer_files.h"

namespace bertprep::python {
namespace {

namespace fs = std::filesystem;

const std::initializer_list<std::string_view> kWorkOfStage = {"threads", "memory", "force"};

struct TextOptions {
  std::string text = "one-line";

  static FieldList<TextOptions> fields() {
    static const Field<TextOptions> kFields[] = {
        {.name = "text",
         .member = &TextOptions::text,
         .unit = "",
         .help = "each article as one line, or its text as it is, for token sequences: a document per line of .jsonl",
         .choices = "one-line|as-is"},
    };
    return {kFields, OptionGroup::kText};
  }
};

struct FormatRequest {
  FormatTask task;
  py::object normalizer;
  FetchOptions fetch{};
  TextOptions text{};
  WorkOptions work{};
  AcceptanceOptions accepted{};

  explicit FormatRequest(Keywords& keywords)
      : task{.parts = {CorpusPart{keywords.files("input")}}, .file = keywords.path("output")},
        normalizer(keywords.object("normalizer")) {
    keywords.set(fetch, kAddressOptions);
    keywords.set(text);
    keywords.set(task.parts.front().source);
    keywords.set(task.parts.front().wiki);
    keywords.set(work, kWorkOfStage);
    keywords.set(accepted, {"max-rejects"});
  }

  py::object run(const Keywords& keywords, ServedCall& call) {
    CorpusPart& part = task.parts.front();
    task.normalizer = normalizer_of(normalizer, call);
    task.as_is = part.source.as_is = part.wiki.as_is = text.text == "as-is";
    const std::string name = task.file.string();
    if (task.as_is && !name.ends_with(".jsonl") && !name.ends_with(".jsonl.zst")) {
      throw ConfigError("is no name for JSON Lines", name, "with text='as-is', end it in .jsonl or .jsonl.zst");
    }
    const StageReport report = call.run([&] {
      fetch_addresses(part.inputs, part.source, fetch, keywords.given(), call);
      refuse_ignored_options(keywords.given(), task.parts, call);
      return format_articles(task, work, call);
    });
    require_accepted({&report, 1}, accepted);
    return to_object(report);
  }
};

// Of whole dumps, and of one page.
struct DumpRequest {
  ExtractTask task{};
  WorkOptions work{};

  explicit DumpRequest(Keywords& keywords) {
    task.dumps = keywords.files("dumps");
    keywords.set(task.files);
    keywords.set(task.wiki);
    keywords.set(task.source, {"strict"});
    keywords.set(work, {"threads", "force"});
  }
};

struct ExtractRequest : DumpRequest {
  AcceptanceOptions accepted{};
  FetchOptions fetch{};

  explicit ExtractRequest(Keywords& keywords) : DumpRequest(keywords) {
    task.folder = keywords.path("output");
    keywords.set(accepted, {"max-rejects"});
    keywords.set(fetch, kAddressOptions);
  }

  py::object run(const Keywords& keywords, ServedCall& call) {
    const StageReport report = call.run([&] {
      fetch_addresses(task.dumps, task.source, fetch, keywords.given(), call);
      return extract_articles(task, work, call);
    });
    require_accepted({&report, 1}, accepted);
    return to_object(report);
  }
};

struct PageRequest : DumpRequest {
  std::string page;
  fs::path index;

  explicit PageRequest(Keywords& keywords)
      : DumpRequest(keywords),
        page(keywords.path("page")),
        index(keywords.path("index", "the index of a multistream dump, if it is not beside it")) {}

  py::object run(const Keywords& /*keywords*/, ServedCall& call) {
    return to_object(call.run([&] { return extract_page(task, page, index, work, call); }));
  }
};

// Token sequences from text.
struct SequenceRequest {
  SequenceTask task{};
  PipelineOptions pipeline{};
  ArrayOptions array{};

  explicit SequenceRequest(Keywords& keywords) {
    task.inputs = keywords.files("texts");
    task.folder = keywords.path("output");
    keywords.set(task.source,
                 {"format", "text-field", "query", "html", "encoding", "keep-gutenberg", "max-article", "strict"});
    keywords.set(pipeline.sentences);
    keywords.set(pipeline.corpus, {"name"});
    keywords.set(pipeline);
    keywords.set(pipeline.tokenizer);
    keywords.set(task.encoder);
    keywords.set(task.options);
    keywords.set(pipeline.work, kWorkOfStage);
    keywords.set(array);
    task.validation = keywords.files("validation", "documents or formatted files for the test_split");
    task.name = pipeline.corpus.name;
  }

  py::object run(const Keywords& keywords, ServedCall& call) {
    const SequenceReport report = call.run([&] {
      const ArrayPosition position = array_position(array, std::getenv);
      if (position.beyond_list) return SequenceReport{};
      task.array_task = position.task;
      task.array_count = position.count;
      open_encoder(keywords.given(), pipeline.vocabulary, task.encoder, pipeline.tokenizer, call);
      return make_sequences(task, pipeline, call);
    });
    return to_object(call.noted(report));
  }
};

struct TrainRequest {
  py::object documents;
  VocabTask task;
  WorkOptions work{};

  explicit TrainRequest(Keywords& keywords)
      : documents(keywords.object("documents")),
        task{.parts = {CorpusPart{keywords.files("input", "")}}, .file = keywords.path("output"), .trainer = {}} {
    keywords.set(task.parts.front().source);
    keywords.set(task.trainer);
    keywords.set(work, {"force"});
  }

  py::object run(const Keywords& keywords, ServedCall& call) {
    if (documents.is_none() == task.parts.front().inputs.empty()) {
      throw_type_error("give either documents, or files with input=");
    }
    if (!documents.is_none()) {
      DocumentFeed feed(documents, task.parts.front().source, call);
      return to_object(call.run([&] { return train_on(feed, call); }));
    }
    return to_object(call.run([&] {
      refuse_ignored_options(keywords.given(), task.parts, call);
      return train_vocab(task, work, call);
    }));
  }

 private:
  VocabReport train_on(DocumentSource& source, Progress& progress) const {
    if (fs::exists(task.file) && !work.force) {
      throw FormatError("exists, and a vocabulary of documents in memory can't be compared with it", task.file.string(),
                        "give another name, or force=True to replace it");
    }
    VocabTrainer trainer(task.trainer);
    VocabReport report{.stage = {.stage = "vocab"}};
    for (Document document; source.next(document); ++report.stage.articles) trainer.add_text(document.text);
    std::string text;
    for (const std::string& piece : trainer.train(progress, &report.letters, &report.words)) {
      text += piece + '\n';
      ++report.pieces;
    }
    OutputFolder::of_file(task.file).publish_small(task.file.filename().string(), text);
    report.stage.tasks_made = 1;
    report.stage.bytes_out = text.size();
    return report;
  }
};

// Where the tokenizer of a vocabulary is exported to.
struct ExportRequest {
  fs::path folder;
  std::uint64_t max_tokens;
  PipelineOptions pipeline{};
  TokenizerOptions tokenizer{};
  WorkOptions work{};

  explicit ExportRequest(Keywords& keywords)
      : folder(keywords.path("folder")), max_tokens(keywords.count("max_tokens", "")) {
    keywords.set(pipeline);
    keywords.set(tokenizer);
    keywords.set(work, {"force"});
  }

  py::object run(const Keywords& keywords, ServedCall& call) {
    const TextEncoder encoder = open_encoder(keywords.given(), pipeline.vocabulary, {}, tokenizer, call, true);
    const std::vector<TokenizerFile> files =
        huggingface_files(encoder, tokenizer, static_cast<std::int64_t>(max_tokens));
    write_tokenizer_folder(folder, files, work.force);
    std::vector<fs::path> paths;
    for (const TokenizerFile& file : files) paths.push_back(folder / file.name);
    return to_object(paths);
  }
};

struct ReshardRequest {
  ReshardTask task;

  explicit ReshardRequest(Keywords& keywords)
      : task{.input = keywords.path("folder"),
             .output = keywords.path("output"),
             .name = keywords.path("name", "of the dataset (default: that of the input)")} {
    keywords.set(task.options);
    keywords.set(task.layout);
    keywords.set(task.work, {"threads", "force"});
  }

  py::object run(const Keywords& /*keywords*/, ServedCall& call) {
    return to_object(call.run([&] { return reshard(task, call); }));
  }
};

}  // namespace

void bind_stages(py::module_& module) {
  define<FormatRequest>(module, "format");
  define<ExtractRequest>(module, "extract");
  define<PageRequest>(module, "extract_page");
  define<SequenceRequest>(module, "sequences");
  define<TrainRequest>(module, "train_vocab");
  define<ExportRequest>(module, "export_vocab");
  define<ReshardRequest>(module, "reshard");
}

}  // namespace bertprep::python
