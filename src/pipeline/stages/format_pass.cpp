#include "pipeline/stages/format_pass.h"

#include <algorithm>
#include <mutex>

#include "bertprep/base/error.h"
#include "pipeline/stages/origins_file.h"
#include "pipeline/stages/template_report.h"
#include "pipeline/text_shards/article_lines.h"
#include "pipeline/work/worker_pool.h"
#include "pipeline/work/workers.h"
#include "stream/zstd_codec.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

// Enough work for a thread; a larger document is a block by itself.
constexpr std::size_t kBlockBytes = std::size_t{1} << 19;
constexpr std::size_t kBlockDocuments = 4096;
// Longer documents are finished before the next one is read, so that threads don't hold many of them at once.
constexpr std::size_t kLongDocumentBytes = std::size_t{2} << 20;
// Intermediate files: even the fastest level reduces English text to a third.
constexpr int kZstdLevel = 1;
constexpr const char* kNoText = "no text";
constexpr const char* kTemplates = "templates";  // in the JSON of counts

using DeferredWorkers = WorkerPool<std::unique_ptr<DeferredWork::Worker>>;

// The workers for the current source. Thread-safe.
class FinishingWorkers {
 public:
  std::shared_ptr<DeferredWorkers> of(const std::shared_ptr<const DeferredWork>& deferred) {
    const std::lock_guard lock(mutex_);
    if (deferred != deferred_) {
      deferred_ = deferred;
      workers_ = std::make_shared<DeferredWorkers>([deferred] { return deferred->make_worker(); });
    }
    return workers_;
  }

 private:
  std::mutex mutex_;
  std::shared_ptr<const DeferredWork> deferred_;
  std::shared_ptr<DeferredWorkers> workers_;
};

// Does a source's deferred work on the documents of a block, one by one.
class Finishing {
 public:
  // Counts the templates of wiki pages in `templates`, unless it is null.
  Finishing(FinishingWorkers& workers, TemplateCounts* templates) : workers_(workers), templates_(templates) {}
  ~Finishing() { end_loan(); }

  // Returns why the document is rejected, or nothing. Throws Error.
  std::optional<Rejection> finish(SourceDocument& document) {
    if (document.deferred == nullptr) return std::nullopt;
    if (document.deferred != deferred_) {
      end_loan();
      deferred_ = document.deferred;
      lender_ = workers_.of(deferred_);
      worker_.emplace(*lender_);
      (**worker_)->count_templates(templates_);
    }
    return (**worker_)->finish(document);
  }

 private:
  void end_loan() {
    if (worker_) (**worker_)->count_templates(nullptr);
    worker_.reset();
  }

  FinishingWorkers& workers_;
  TemplateCounts* templates_;
  std::shared_ptr<const DeferredWork> deferred_;
  std::shared_ptr<DeferredWorkers> lender_;
  std::optional<DeferredWorkers::Loan> worker_;
};

// The templates of a document that is finished before those that precede it in its block.
struct LongDocument {
  std::size_t before = 0;  // the index of the next document of the block
  TemplateCounts templates;
};

// Of a record before the document of this index in its block.
struct PlacedRejection {
  std::size_t before = 0;
  Rejection rejection;
};

struct FormatBlock {
  std::vector<SourceDocument> documents;
  std::uint64_t first_document = 0;
  std::uint64_t read_documents = 0;
  std::size_t source_bytes = 0;
  std::optional<std::uint64_t> input_bytes;  // read of the input when the block was full
  std::optional<ReadPlace> place;            // of the last document
  std::vector<PlacedRejection> rejections;
  std::vector<RecordRemark> remarks;
  std::optional<TemplateCounts> templates;  // if they are counted
  std::vector<LongDocument> long_documents;

  std::string text;
  std::string frame;  // `text`, compressed
  std::string origins;
  std::string origins_frame;  // `origins`, compressed
  bool has_origins = false;
  std::uint64_t articles = 0;
  LinePairs line_pairs;
  ReasonCounts left_out;
  IndexBlock index;
  std::string index_bytes;
  std::unique_ptr<DocumentTaker::Block> taken;
};

// Returns whether the document stays in the block.
bool finish_if_long(SourceDocument& document, FinishingWorkers& workers, FormatBlock& block) {
  if (document.text.size() <= kLongDocumentBytes) return true;
  TemplateCounts templates;
  auto rejection = Finishing(workers, block.templates ? &templates : nullptr).finish(document);
  if (block.templates) block.long_documents.push_back({block.documents.size(), std::move(templates)});
  document.deferred.reset();
  if (rejection) block.rejections.push_back({block.documents.size(), std::move(*rejection)});
  return !rejection;
}

// Adds those of the long documents before the document of this index. In the order of the documents, as the first use
// of a template is its sample.
void add_templates_before(std::size_t document, std::size_t& added, FormatBlock& block) {
  for (; added < block.long_documents.size() && block.long_documents[added].before <= document; ++added) {
    block.templates->add(std::move(block.long_documents[added].templates));
  }
}

std::unique_ptr<FormatBlock> read_block(const FormatPass& pass, DocumentSource& source,
                                        std::vector<Rejection>& read_rejects, FinishingWorkers& workers,
                                        std::uint64_t& documents) {
  auto block = std::make_unique<FormatBlock>();
  if (pass.count_templates) block->templates.emplace();
  block->first_document = documents;
  std::vector<std::size_t> places;  // of read_rejects
  auto* const deferred = dynamic_cast<DeferredSource*>(&source);
  while (block->source_bytes < kBlockBytes && block->documents.size() < kBlockDocuments) {
    SourceDocument document;
    if (!(deferred != nullptr ? deferred->read(document) : source.next(document))) break;
    places.resize(read_rejects.size(), block->documents.size());
    block->source_bytes += document.text.size();
    ++documents;
    if (finish_if_long(document, workers, *block)) block->documents.push_back(std::move(document));
  }
  block->read_documents = documents - block->first_document;
  places.resize(read_rejects.size(), block->documents.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    block->rejections.push_back({places[i], std::move(read_rejects[i])});
  }
  read_rejects.clear();
  block->input_bytes = source.input_bytes_read();
  if (const auto* placed = dynamic_cast<const PlacedSource*>(&source)) block->place = placed->place();
  block->remarks = source.take_remarks();
  block->left_out = source.take_left_out();
  const bool is_end =
      block->documents.empty() && block->rejections.empty() && block->remarks.empty() && block->left_out.is_empty();
  return is_end ? nullptr : std::move(block);
}

// The address is next to the number that it repeats, so the compressor finds it at the same distance in every line.
void append_origin(const Document& document, std::string& out) {
  Json line = Json::object();
  const auto add = [&](const char* key, const std::string& value) {
    if (!value.empty()) line.add(key, Json::string(value));
  };
  add("title", document.title);
  add("source", document.origin.source);
  add("page_id", document.origin.page_id);
  add("url", document.origin.url);
  add("revision_id", document.origin.revision_id);
  add("timestamp", document.origin.timestamp);
  if (document.origin.line != 0) {
    line.add("line", Json::number(document.origin.line)).add("byte", Json::number(document.origin.byte));
  }
  out += line.dump_line() + "\n";
}

bool is_known(const Document& document) {
  return !document.title.empty() || !document.origin.source.empty() || !document.origin.page_id.empty() ||
         !document.origin.url.empty();
}

std::string name_of(const Document& document, std::uint64_t number) {
  return "document " + std::to_string(number) + (document.title.empty() ? "" : " ('" + document.title + "')");
}

void normalize(const TextNormalizer& normalizer, std::string& text, const std::string& document) {
  normalizer.normalize(text);
  require_valid_utf8(text, document + ", as the text normalizer '" + normalizer.name() + "' left it");
}

// The beginning of a long document stands for it.
void count_line_pairs(const Document& document, LinePairs& pairs) {
  constexpr std::size_t kMaxBytes = std::size_t{1} << 16;
  const std::string_view text = std::string_view(document.text).substr(0, kMaxBytes);
  if (document.layout == ArticleLayout::kReference || text.find('\n') == std::string_view::npos) return;
  pairs += line_pairs_of(lines_of(text));
}

// Returns the number of articles in the document.
std::size_t append_document(const FormatPass& pass, const SourceDocument& document, FormatBlock& block) {
  if (block.taken != nullptr) return block.taken->add(document) ? 1 : 0;
  if (pass.as_is) return append_document_line(document, block.text);
  if (!pass.keep_lines) count_line_pairs(document, block.line_pairs);
  return pass.keep_lines ? append_sentence_lines(document, block.text) : append_article_line(document, block.text);
}

void format_documents(const FormatPass& pass, const FormatOutputs& outputs, FinishingWorkers& workers,
                      FormatBlock& block) {
  Finishing finishing(workers, block.templates ? &*block.templates : nullptr);
  std::size_t added = 0;
  for (std::size_t i = 0; i < block.documents.size(); ++i) {
    SourceDocument& document = block.documents[i];
    add_templates_before(i, added, block);
    if (auto rejection = finishing.finish(document)) {
      block.rejections.push_back({i, std::move(*rejection)});
      continue;
    }
    if (!document.note.empty()) block.remarks.push_back({place_of(document.origin), std::move(document.note)});
    const auto name = [&] { return name_of(document, block.first_document + i + 1); };
    if (find_invalid_utf8(document.text)) require_valid_utf8(document.text, name());
    if (pass.normalizer != nullptr) normalize(*pass.normalizer, document.text, name());
    const std::size_t articles = append_document(pass, document, block);
    if (articles == 0) block.left_out.add(document.left_out.empty() ? kNoText : document.left_out);
    block.articles += articles;
    if (outputs.origins == nullptr) continue;
    for (std::size_t article = 0; article < articles; ++article) append_origin(document, block.origins);
    block.has_origins = block.has_origins || is_known(document);
  }
  add_templates_before(block.documents.size(), added, block);
  std::ranges::stable_sort(block.rejections, {}, &PlacedRejection::before);
}

void finish_block(const FormatPass& pass, const FormatOutputs& outputs, FinishingWorkers& workers, FormatBlock& block) {
  if (outputs.taker != nullptr) block.taken = outputs.taker->begin_block();
  format_documents(pass, outputs, workers, block);
  block.documents = {};
  if (outputs.compress && !block.text.empty()) append_zstd_frame(block.text, kZstdLevel, block.frame);
  if (outputs.compress && !block.origins.empty())
    append_origins_frame(block.origins, block.articles, block.origins_frame);
  if (outputs.index != nullptr) {
    block.index = outputs.splitter->split(block.text);
    if (!block.frame.empty()) block.index.frame = {block.frame.size(), checksum_of(block.frame)};
    block.index_bytes = encode(block.index);
  }
}

void report_rejections(const FormatPass& pass, const FormatBlock& block, RejectFile* rejects) {
  for (const auto& [before, rejection] : block.rejections) {
    if (pass.strict || rejects == nullptr) throw FormatError(rejection.reason, rejection.where);
    rejects->add(rejection.where, rejection.reason, rejection.record);
  }
}

bool is_any(const TemplateCounts& templates) {
  const auto is_any_use = [](const TemplateCounts::Uses& uses) { return uses.shown + uses.silent + uses.dropped != 0; };
  return is_any_use(templates.in_text) || is_any_use(templates.elsewhere) || templates.holes != 0;
}

}  // namespace

void FormatCounts::add(FormatCounts&& later) {
  documents += later.documents;
  articles += later.articles;
  left_out.add(later.left_out);
  source_bytes += later.source_bytes;
  reported_bytes += later.reported_bytes;
  text_bytes += later.text_bytes;
  sentences += later.sentences;
  line_pairs += later.line_pairs;
  has_origins = has_origins || later.has_origins;
  templates.add(std::move(later.templates));
}

void add_formatted(const FormatCounts& counts, const ReasonCounts& rejected, Json& record_counts) {
  record_counts.add("articles", Json::number(counts.articles))
      .add("sentences", Json::number(counts.sentences))
      .add("rejected", Json::number(rejected.total()))
      .add(kLeftOut, json_of(counts.left_out))
      .add(kRejectedByReason, json_of(rejected))
      .add("text_bytes", Json::number(counts.text_bytes))
      .add("text_sha256", Json::string(counts.text_sha256));
  if (counts.line_pairs.all == 0) return;
  record_counts.add("line_pairs", Json::number(counts.line_pairs.all))
      .add("open_lines", Json::number(counts.line_pairs.open()));
}

Json json_of(const FormatCounts& counts) {
  Json json = Json::object()
                  .add("documents", Json::number(counts.documents))
                  .add("articles", Json::number(counts.articles))
                  .add("sentences", Json::number(counts.sentences))
                  .add(kLeftOut, json_of(counts.left_out))
                  .add("source_bytes", Json::number(counts.source_bytes))
                  .add("reported_bytes", Json::number(counts.reported_bytes))
                  .add("text_bytes", Json::number(counts.text_bytes))
                  .add("text_sha256", Json::string(counts.text_sha256))
                  .add("file_sha256", Json::string(counts.file_sha256))
                  .add("has_origins", Json::number(counts.has_origins ? 1 : 0))
                  .add("line_pairs", Json::number(counts.line_pairs.all))
                  .add("wrapped_lines", Json::number(counts.line_pairs.wrapped))
                  .add("ended_lines", Json::number(counts.line_pairs.ended));
  if (is_any(counts.templates)) json.add(kTemplates, json_of(counts.templates));
  return json;
}

FormatCounts format_counts_in(const Json& json) {
  const auto count = [&](const char* name) { return json.at(name).as_unsigned(); };
  FormatCounts counts{.documents = count("documents"),
                      .articles = count("articles"),
                      .left_out = reasons_in(json, kLeftOut),
                      .source_bytes = count("source_bytes"),
                      .reported_bytes = count("reported_bytes"),
                      .text_bytes = count("text_bytes"),
                      .sentences = count("sentences"),
                      .line_pairs = {count("line_pairs"), count("wrapped_lines"), count("ended_lines")},
                      .has_origins = count("has_origins") != 0,
                      .templates = {},
                      .text_sha256 = json.at("text_sha256").text(),
                      .file_sha256 = json.at("file_sha256").text()};
  if (const Json* templates = json.find(kTemplates)) counts.templates = template_counts_in(*templates);
  return counts;
}

RejectSink collect_rejects(std::vector<Rejection>& rejections) {
  return [&rejections](const std::string& where, const std::string& reason, std::string_view record) {
    rejections.push_back({where, reason, std::string(record)});
  };
}

FormatCounts FormatPass::run(DocumentSource& source, std::vector<Rejection>& read_rejects, const FormatOutputs& outputs,
                             RejectFile* rejects, Progress& progress, FormatState state,
                             const FormatObserver& observer) const {
  FormatCounts& counts = state.counts;
  FinishingWorkers workers;
  std::uint64_t documents_read = counts.documents;
  const auto read = [&] { return read_block(*this, source, read_rejects, workers, documents_read); };
  const auto format = [&](FormatBlock& block) { finish_block(*this, outputs, workers, block); };
  const auto write = [&](FormatBlock& block) {
    report_rejections(*this, block, rejects);
    for (const RecordRemark& remark : block.remarks) progress.remarked(remark);
    if (outputs.taker != nullptr) outputs.taker->take(*block.taken);
    if (outputs.text != nullptr) outputs.text->write(outputs.compress ? block.frame : block.text);
    state.text.update(block.text);
    if (outputs.compress) state.file.update(block.frame);
    if (outputs.origins != nullptr) {
      const std::string& origins = outputs.compress ? block.origins_frame : block.origins;
      outputs.origins->write(origins);
      state.origins.update(origins);
    }
    if (outputs.index != nullptr) {
      outputs.index->write(block.index_bytes);
      state.index.update(block.index_bytes);
    }
    // A document as it is counts as one sentence in the index.
    for (const ArticleSize& article : block.index.articles) counts.sentences += as_is ? 0 : article.sentences;
    counts.articles += block.articles;
    counts.line_pairs += block.line_pairs;
    counts.left_out.add(block.left_out);
    if (block.templates) counts.templates.add(std::move(*block.templates));
    counts.has_origins = counts.has_origins || block.has_origins;
    counts.source_bytes += block.source_bytes;
    counts.text_bytes += block.text.size();
    counts.documents = block.first_document + block.read_documents;
    const std::uint64_t reached = std::max(block.input_bytes.value_or(counts.source_bytes), counts.reported_bytes);
    progress.advance(reached - std::exchange(counts.reported_bytes, reached));
    if (observer && block.place) observer(state, *block.place);
  };
  // At most so that all blocks in flight fit into half of the memory; a block takes up to six times its bytes.
  const std::uint64_t max_bytes = std::max<std::uint64_t>(2 * kBlockBytes, memory_bytes / (2 * 6 * 2 * threads));
  std::unique_ptr<FormatBlock> large;
  const auto read_usual = [&]() -> std::unique_ptr<FormatBlock> {
    auto block = read();
    if (block == nullptr || block->source_bytes <= max_bytes) return block;
    large = std::move(block);
    return nullptr;
  };
  try {
    // A large block waits until earlier ones are written, and has the memory to itself.
    do {
      large.reset();
      run_ordered<FormatBlock>(threads, progress, read_usual, format, write);
      if (large == nullptr) break;
      format(*large);
      write(*large);
    } while (true);
  } catch (const FormatError&) {
    // Records rejected before reading ended with an error.
    for (const Rejection& one : read_rejects) {
      if (rejects != nullptr) rejects->add(one.where, one.reason, one.record);
    }
    throw;
  }
  counts.documents = documents_read;
  counts.text_sha256 = state.text.finish();
  counts.file_sha256 = outputs.compress ? state.file.finish() : counts.text_sha256;
  return std::move(counts);
}

}  // namespace bertprep
