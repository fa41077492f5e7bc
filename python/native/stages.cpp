// Functions that do one stage or command: format, extract, sequences, train_vocab, export_vocab, reshard.
#include <filesystem>

#include "bertprep/base/error.h"
#include "bertprep/token/vocab_trainer.h"
#include "bindings.h"
#include "document_feed.h"
#include "pipeline/ignored_options.h"
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

py::object format_files(const py::object& input, const py::object& output, const py::dict& given) {
  Keywords keywords(given);
  ServedCall call(keywords.object("progress"));
  FormatTask task{.parts = {CorpusPart{}}, .file = path_of(output, "output")};
  WorkOptions work;
  PipelineOptions components;
  keywords.set(task.parts.front().source);
  keywords.set(task.parts.front().wiki);
  keywords.set(work, kWorkOfStage);
  set_components(keywords, components, call);
  if (components.sentences.custom != nullptr || components.tokenizer.custom != nullptr) {
    throw_type_error("format() takes no splitter and no tokenizer");
  }
  keywords.require_all_known("format");
  task.normalizer = components.normalizer;
  task.parts.front().inputs = files_of(input, "input");
  return stage_object(call.run([&] {
    refuse_ignored_options(keywords.given(), task.parts, call);
    return format_articles(task, work, call);
  }));
}

struct ExtractRequest {
  ExtractTask task{};
  WorkOptions work{};
  explicit ExtractRequest(Keywords& keywords) {
    keywords.set(task.files);
    keywords.set(task.wiki);
    keywords.set(task.source, {"strict"});
    keywords.set(work, {"threads", "force"});
  }
};

py::object extract_dumps(const py::object& dumps, const py::object& output, const py::dict& given) {
  Keywords keywords(given);
  ServedCall call(keywords.object("progress"));
  ExtractRequest request(keywords);
  keywords.require_all_known("extract");
  request.task.dumps = files_of(dumps, "dumps");
  request.task.folder = path_of(output, "output");
  return stage_object(call.run([&] { return extract_articles(request.task, request.work, call); }));
}

py::str extract_one_page(const py::object& dumps, const std::string& page, const py::dict& given) {
  Keywords keywords(given);
  ServedCall call(keywords.object("progress"));
  ExtractRequest request(keywords);
  const py::object index = keywords.object("index");
  keywords.require_all_known("extract_page");
  request.task.dumps = files_of(dumps, "dumps");
  const fs::path index_file = index.is_none() ? fs::path() : fs::path(path_of(index, "index"));
  return text_object(call.run([&] { return extract_page(request.task, page, index_file, request.work, call); }));
}

// Token sequences from text.
struct SequenceRequest {
  SequenceTask task{};
  PipelineOptions pipeline{};
  explicit SequenceRequest(Keywords& keywords) {
    keywords.set(task.source, {"format", "text-field", "html", "encoding", "keep-gutenberg", "max-article", "strict"});
    keywords.set(pipeline.sentences);
    keywords.set(pipeline.corpus, {"name"});
    keywords.set(pipeline);
    keywords.set(pipeline.tokenizer);
    keywords.set(task.encoder);
    keywords.set(task.options);
    keywords.set(pipeline.work, kWorkOfStage);
  }
};

py::object make_sets(const py::object& texts, const py::object& output, const py::dict& given) {
  Keywords keywords(given);
  ServedCall call(keywords.object("progress"));
  SequenceRequest request(keywords);
  const py::object validation = keywords.object("validation");
  keywords.require_all_known("sequences");
  request.task.inputs = files_of(texts, "texts");
  if (!validation.is_none()) request.task.validation = files_of(validation, "validation");
  request.task.folder = path_of(output, "output");
  request.task.name = request.pipeline.corpus.name;
  const SequenceReport report = call.run([&] {
    PipelineOptions& pipeline = request.pipeline;
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

py::object train_vocab_on(const py::object& documents, const py::object& input, const py::object& output,
                          const py::dict& given) {
  Keywords keywords(given);
  ServedCall call(keywords.object("progress"));
  VocabTask task{.parts = {CorpusPart{}}, .file = path_of(output, "output"), .trainer = {}};
  WorkOptions work;
  keywords.set(task.parts.front().source);
  keywords.set(task.trainer);
  keywords.set(work, {"force"});
  keywords.require_all_known("train_vocab");
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

py::object reshard_folder(const py::object& folder, const py::object& output, const py::dict& given) {
  Keywords keywords(given);
  ServedCall call(keywords.object("progress"));
  ReshardTask task{.input = path_of(folder, "folder"), .output = path_of(output, "output"), .name = {}};
  keywords.set(task.options);
  keywords.set(task.layout);
  keywords.set(task.work, {"threads", "force"});
  const py::object name = keywords.object("name");
  keywords.require_all_known("reshard");
  if (!name.is_none()) task.name = path_of(name, "name");
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
}

void list_stage_options(const std::string& function, Keywords& keywords) {
  CorpusPart part;
  WorkOptions work;
  ReshardOptions reshard;
  VocabTrainerOptions trainer;
  ShardLayoutOptions layout;
  if (function == "format") {
    keywords.set(part.source);
    keywords.set(part.wiki);
    keywords.set(work, kWorkOfStage);
  } else if (function == "extract" || function == "extract_page") {
    ExtractRequest{keywords};
  } else if (function == "sequences") {
    SequenceRequest{keywords};
  } else if (function == "train_vocab") {
    keywords.set(part.source);
    keywords.set(trainer);
    keywords.set(work, {"force"});
  } else if (function == "export_vocab") {
    ExportRequest{keywords};
  } else if (function == "reshard") {
    keywords.set(reshard);
    keywords.set(layout);
    keywords.set(work, {"threads", "force"});
  }
}

}  // namespace bertprep::python
