// Functions that do one stage or command: format, extract, sequences, train_vocab, export_vocab, reshard.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "batch/array_position.h"
#include "bertprep/base/error.h"
#include "bertprep/fetch/fetch.h"
#include "bertprep/token/vocab_trainer.h"
#include "bindings.h"
#include "document_feed.h"
#include "pipeline/ignored_options.h"
#include "pipeline/input_addresses.h"
#include "pipeline/records/dataset_vocab.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/records/vocab_text.h"
#include "pipeline/reshard/reshard.h"
#include "pipeline/sequences/sequences.h"
#include "served_call.h"
#include "stage_results.h"
#include "text_components.h"
#include "token/huggingface_folder.h"

namespace bertprep::python {
namespace {

namespace fs = std::filesystem;

const std::initializer_list<std::string_view> kWorkOfStage = {"threads", "memory", "force"};

struct TextOptions {
  std::string text = "one-line";

  static constexpr OptionGroup kGroup = OptionGroup::kText;
  static std::span<const Field<TextOptions>> fields() {
    static const std::array<Field<TextOptions>, 1> kFields{{
        {.name = "text",
         .member = &TextOptions::text,
         .unit = "",
         .help = "each article as one line, or its text as it is, for token sequences: a document per line of .jsonl",
         .choices = "one-line|as-is"},
    }};
    return kFields;
  }
};

struct FormatRequest {
  FetchOptions fetch{};
  TextOptions text{};
  WorkOptions work{};
  AcceptanceOptions accepted{};
  FormatRequest(Keywords& keywords, CorpusPart& part) {
    keywords.set(fetch, kAddressOptions);
    keywords.set(text);
    keywords.set(part.source);
    keywords.set(part.wiki);
    keywords.set(work, kWorkOfStage);
    keywords.set(accepted, {"max-rejects"});
  }
};

py::object format_files(const py::object& input, const py::object& output, const py::dict& given) {
  Keywords keywords(given);
  ServedCall call(keywords.object("progress"));
  FormatTask task{.parts = {CorpusPart{}}, .file = path_of(output, "output")};
  PipelineOptions components;
  const FormatRequest request(keywords, task.parts.front());
  set_components(keywords, components, call);
  if (components.sentences.custom != nullptr || components.tokenizer.custom != nullptr) {
    throw_type_error("format() takes no splitter and no tokenizer");
  }
  keywords.require_all_known("format");
  task.normalizer = components.normalizer;
  task.parts.front().inputs = files_of(input, "input");
  task.as_is = request.text.text == "as-is";
  task.parts.front().source.as_is = task.parts.front().wiki.as_is = task.as_is;
  if (const std::string name = task.file.string();
      task.as_is && !name.ends_with(".jsonl") && !name.ends_with(".jsonl.zst")) {
    throw ConfigError("is no name for JSON Lines", name, "with text='as-is', end it in .jsonl or .jsonl.zst");
  }
  const StageReport report = call.run([&] {
    fetch_addresses(task.parts.front().inputs, task.parts.front().source, request.fetch, keywords.given(), call);
    refuse_ignored_options(keywords.given(), task.parts, call);
    return format_articles(task, request.work, call);
  });
  require_accepted({&report, 1}, request.accepted);
  return stage_object(report);
}

struct ExtractRequest {
  ExtractTask task{};
  WorkOptions work{};
  AcceptanceOptions accepted{};
  explicit ExtractRequest(Keywords& keywords) {
    keywords.set(task.files);
    keywords.set(task.wiki);
    keywords.set(task.source, {"strict"});
    keywords.set(work, {"threads", "force"});
  }
  void accept(Keywords& keywords) { keywords.set(accepted, {"max-rejects"}); }
};

py::object extract_dumps(const py::object& dumps, const py::object& output, const py::dict& given) {
  Keywords keywords(given);
  ServedCall call(keywords.object("progress"));
  ExtractRequest request(keywords);
  request.accept(keywords);
  FetchOptions fetch;
  keywords.set(fetch, kAddressOptions);
  keywords.require_all_known("extract");
  request.task.dumps = files_of(dumps, "dumps");
  request.task.folder = path_of(output, "output");
  const StageReport report = call.run([&] {
    fetch_addresses(request.task.dumps, request.task.source, fetch, keywords.given(), call);
    return extract_articles(request.task, request.work, call);
  });
  require_accepted({&report, 1}, request.accepted);
  return stage_object(report);
}

constexpr const char* kIndexHelp = "the index of a multistream dump, if it is not beside it";

py::str extract_one_page(const py::object& dumps, const std::string& page, const py::dict& given) {
  Keywords keywords(given);
  ServedCall call(keywords.object("progress"));
  ExtractRequest request(keywords);
  const py::object index = keywords.object("index", kIndexHelp);
  keywords.require_all_known("extract_page");
  request.task.dumps = files_of(dumps, "dumps");
  const fs::path index_file = index.is_none() ? fs::path() : fs::path(path_of(index, "index"));
  return text_object(call.run([&] { return extract_page(request.task, page, index_file, request.work, call); }));
}

// Token sequences from text.
struct SequenceRequest {
  SequenceTask task{};
  PipelineOptions pipeline{};
  ArrayOptions array{};
  explicit SequenceRequest(Keywords& keywords) {
    keywords.set(task.source, {"format", "text-field", "html", "encoding", "keep-gutenberg", "max-article", "strict"});
    keywords.set(pipeline.sentences);
    keywords.set(pipeline.corpus, {"name"});
    keywords.set(pipeline);
    keywords.set(pipeline.tokenizer);
    keywords.set(task.encoder);
    keywords.set(task.options);
    keywords.set(pipeline.work, kWorkOfStage);
    keywords.set(array);
    const py::object validation = keywords.object("validation", "documents or formatted files for the test_split");
    if (!validation.is_none()) task.validation = files_of(validation, "validation");
  }
};

py::object make_sets(const py::object& texts, const py::object& output, const py::dict& given) {
  Keywords keywords(given);
  ServedCall call(keywords.object("progress"));
  SequenceRequest request(keywords);
  keywords.require_all_known("sequences");
  request.task.inputs = files_of(texts, "texts");
  request.task.folder = path_of(output, "output");
  request.task.name = request.pipeline.corpus.name;
  const SequenceReport report = call.run([&] {
    PipelineOptions& pipeline = request.pipeline;
    const ArrayPosition position = array_position(request.array, std::getenv);
    if (position.beyond_list) return SequenceReport{};
    request.task.array_task = position.task;
    request.task.array_count = position.count;
    const GivenText text = given_text(keywords.given());
    adopt_vocab_text(text, pipeline.vocabulary, pipeline.tokenizer, call);
    const TextEncoder encoder = TextEncoder::open(pipeline.vocabulary, request.task.encoder, pipeline.tokenizer);
    refuse_ignored_options(keywords.given(), encoder);
    if (const Vocab* pieces = encoder.wordpiece()) {
      require_reachable_pieces(text, pipeline.vocabulary, *pieces, pipeline.tokenizer, call);
    }
    return make_sequences(request.task, pipeline, call);
  });
  py::dict splits;
  for (const auto& [name, counts] : report.splits) {
    splits[text_object(name)] =
        record("SequenceCounts", counts.articles, counts.sequences, counts.tokens, counts.dropped, counts.bytes);
  }
  return record("SequenceReport", splits, stage_object(report.stage), notes_object(call));
}

py::object vocab_object(const VocabReport& report) {
  return record("VocabReport", report.pieces, stage_object(report.stage), report.letters.letters, report.letters.uses,
                report.letters.all_uses, report.words.words, report.words.too_long, report.words.all);
}

struct TrainRequest {
  VocabTask task{.parts = {CorpusPart{}}, .file = {}, .trainer = {}};
  WorkOptions work{};
  explicit TrainRequest(Keywords& keywords) {
    keywords.set(task.parts.front().source);
    keywords.set(task.trainer);
    keywords.set(work, {"force"});
  }
};

py::object train_vocab_on(const py::object& documents, const py::object& input, const py::object& output,
                          const py::dict& given) {
  Keywords keywords(given);
  ServedCall call(keywords.object("progress"));
  TrainRequest request(keywords);
  VocabTask& task = request.task;
  const WorkOptions& work = request.work;
  keywords.require_all_known("train_vocab");
  task.file = path_of(output, "output");
  if (documents.is_none() == input.is_none()) throw_type_error("give either documents, or files with input=");
  if (documents.is_none()) {
    task.parts.front().inputs = files_of(input, "input");
    return vocab_object(call.run([&] {
      refuse_ignored_options(keywords.given(), task.parts, call);
      return train_vocab(task, work, call);
    }));
  }
  DocumentFeed feed(documents, task.parts.front().source, call);
  return vocab_object(call.run([&] {
    if (fs::exists(task.file) && !work.force) {
      throw FormatError("exists, and a vocabulary of documents in memory can't be compared with it", task.file.string(),
                        "give another name, or force=True to replace it");
    }
    VocabTrainer trainer(task.trainer);
    VocabReport report{.stage = {.stage = "vocab"}};
    for (Document document; feed.next(document); ++report.stage.articles) trainer.add_text(document.text);
    std::string text;
    for (const std::string& piece : trainer.train(call, &report.letters, &report.words)) {
      text += piece + '\n';
      ++report.pieces;
    }
    OutputFolder::of_file(task.file).publish_small(task.file.filename().string(), text);
    report.stage.tasks_made = 1;
    report.stage.bytes_out = text.size();
    return report;
  }));
}

// Where the tokenizer of a vocabulary is exported to.
struct ExportRequest {
  PipelineOptions pipeline{};
  TokenizerOptions tokenizer{};
  WorkOptions work{};
  explicit ExportRequest(Keywords& keywords) {
    keywords.set(pipeline);
    keywords.set(tokenizer);
    keywords.set(work, {"force"});
  }
};

py::list export_vocab(const py::object& folder, std::int64_t max_tokens, const py::dict& given) {
  Keywords keywords(given);
  ExportRequest request(keywords);
  keywords.require_all_known("export_vocab");
  const fs::path target = path_of(folder, "folder");
  Progress silent;
  const GivenText text = given_text(keywords.given());
  const std::string& vocab = request.pipeline.vocabulary;
  adopt_vocab_text(text, vocab, request.tokenizer, silent);
  const TextEncoder encoder = TextEncoder::open(vocab, {}, request.tokenizer);
  refuse_ignored_options(keywords.given(), encoder);
  if (const Vocab* pieces = encoder.wordpiece()) {
    require_fitting_case(vocab, request.tokenizer, encoder.sha256());
    require_reachable_pieces(text, vocab, *pieces, request.tokenizer, silent);
  }
  const std::vector<TokenizerFile> files = huggingface_files(encoder, request.tokenizer, max_tokens);
  write_tokenizer_folder(target, files, request.work.force);
  return list_object(files, [&](const TokenizerFile& file) { return path_object(target / file.name); });
}

struct ReshardRequest {
  ReshardTask task{.input = {}, .output = {}, .name = {}};
  explicit ReshardRequest(Keywords& keywords) {
    keywords.set(task.options);
    keywords.set(task.layout);
    keywords.set(task.work, {"threads", "force"});
    const py::object name = keywords.object("name", "of the dataset (default: that of the input)");
    if (!name.is_none()) task.name = path_of(name, "name");
  }
};

py::object reshard_folder(const py::object& folder, const py::object& output, const py::dict& given) {
  Keywords keywords(given);
  ServedCall call(keywords.object("progress"));
  ReshardTask task = ReshardRequest(keywords).task;
  keywords.require_all_known("reshard");
  task.input = path_of(folder, "folder");
  task.output = path_of(output, "output");
  const ReshardReport report = call.run([&] { return reshard(task, call); });
  return record("ReshardReport", text_object(report.name), report.training_shards, report.test_shards,
                report.training_rows, report.test_rows, report.dropped, report.repeated, report.made, report.found);
}

}  // namespace

void bind_stages(py::module_& module) {
  module.def("format", format_files);
  module.def("extract", extract_dumps);
  module.def("extract_page", extract_one_page);
  module.def("sequences", make_sets);
  module.def("train_vocab", train_vocab_on);
  module.def("export_vocab", export_vocab);
  module.def("reshard", reshard_folder);
  define_options(module, "format", [](Keywords& keywords) {
    CorpusPart part;
    FormatRequest{keywords, part};
  });
  define_options(module, "extract", [](Keywords& keywords) {
    ExtractRequest(keywords).accept(keywords);
    FetchOptions fetch;
    keywords.set(fetch, kAddressOptions);
  });
  define_options(module, "extract_page", [](Keywords& keywords) {
    ExtractRequest{keywords};
    keywords.object("index", kIndexHelp);
  });
  define_options(module, "sequences", [](Keywords& keywords) { SequenceRequest{keywords}; });
  define_options(module, "train_vocab", [](Keywords& keywords) { TrainRequest{keywords}; });
  define_options(module, "export_vocab", [](Keywords& keywords) { ExportRequest{keywords}; });
  define_options(module, "reshard", [](Keywords& keywords) { ReshardRequest{keywords}; });
}

}  // namespace bertprep::python
