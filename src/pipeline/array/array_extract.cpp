#include "pipeline/array/array_extract.h"

#include <string>
#include <utility>
#include <vector>

#include "base/forwarding_progress.h"
#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/output_file.h"
#include "pipeline/records/completion_record.h"
#include "pipeline/records/owned_files.h"
#include "pipeline/records/reject_file.h"
#include "pipeline/work/workers.h"
#include "stream/open_stream.h"
#include "stream/zstd_codec.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExtracted = "extracted";
constexpr std::string_view kBytes = ",\"bytes\":";
constexpr int kZstdLevel = 1;
constexpr std::size_t kFrameBytes = std::size_t{1} << 20;

// Each article is a line, its origin with the size of its <doc> element, which follows.
class DocsFile {
 public:
  explicit DocsFile(const fs::path& path) : file_(path) {}

  void write(std::string_view doc, std::string_view origin) {
    text_.append(origin).append(kBytes).append(std::to_string(doc.size())).append("}\n").append(doc);
    if (text_.size() >= kFrameBytes) write_frame();
  }
  void finish() {
    if (!text_.empty()) write_frame();
    file_.finish();
  }

 private:
  void write_frame() {
    std::string frame;
    append_zstd_frame(text_, kZstdLevel, frame);
    file_.write(frame);
    text_.clear();
  }

  OutputFile file_;
  std::string text_;
};

class DocsReader {
 public:
  explicit DocsReader(const fs::path& file) : file_(file), stream_(open_stream(file)) {}

  // Until the next call. Nothing at the end.
  std::optional<std::string_view> line() {
    std::size_t end = text_.find('\n', at_);
    while (end == std::string::npos) {
      if (!read()) return at_ == text_.size() ? std::nullopt : throw damaged();
      end = text_.find('\n', at_);
    }
    const std::size_t begin = std::exchange(at_, end + 1);
    return std::string_view(text_).substr(begin, end - begin);
  }
  std::string_view bytes(std::uint64_t count) {
    while (text_.size() - at_ < count) {
      if (!read()) throw damaged();
    }
    return std::string_view(text_).substr(std::exchange(at_, at_ + count), count);
  }
  FormatError damaged() const {
    return FormatError("is damaged: it does not hold what extraction writes", file_, "run `stage` format again");
  }

 private:
  bool read() {
    text_.erase(0, std::exchange(at_, 0));
    const std::string_view block = stream_->next_block();
    text_ += block;
    return !block.empty();
  }

  fs::path file_;
  std::unique_ptr<ByteStream> stream_;
  std::string text_;
  std::size_t at_ = 0;
};

}  // namespace

bool keeps_docs(const ArrayPlan& plan, std::size_t piece) {
  return plan.run.options.work.keep.extracted &&
         plan.run.parts[plan.pieces[piece].part].source.format == InputFormat::kMediawiki;
}

std::optional<DocCounts> doc_counts_in(const CompletionRecord& record) {
  const Json* extracted = record.counts.find(kExtracted);
  if (extracted == nullptr) return std::nullopt;
  return DocCounts{format_counts_in(*extracted), reasons_in(*extracted, kRejectedByReason)};
}

void extract_piece(const ArrayPlan& plan, std::size_t piece, FormatPass pass, const OutputFolder& folder,
                   const fs::path& path, CompletionRecord& record, const Progress& progress) {
  SilentProgress silent(progress);  // formatting has said all of this piece
  std::vector<CorpusPart> parts = plan.run.parts;
  CorpusPart& part = parts[plan.pieces[piece].part];
  part.wiki = options_for_docs(part.wiki);
  std::vector<Rejection> rejections;
  const auto source = open_corpus_piece(parts, plan.pieces[piece], collect_rejects(rejections),
                                        task_runner(pass.threads, pass.memory_bytes));
  pass.count_templates = false;
  RejectFile rejects(folder, ArrayPlan::piece_name(piece) + kPieceDocRejects, silent);
  DocsFile docs(path);
  const auto taker = take_docs([&](std::string_view doc, std::string_view origin) { docs.write(doc, origin); });
  const FormatCounts counts = pass.run(*source, rejections, {.taker = taker.get()}, &rejects, silent);
  docs.finish();
  rejects.finish();
  record.counts.add(kExtracted, json_of(counts).add(kRejectedByReason, json_of(rejects.reasons())));
}

void read_docs(const fs::path& file, const WriteDoc& write, const Progress& progress) {
  DocsReader docs(file);
  while (const auto line = docs.line()) {
    stop_if_cancelled(progress);
    const std::size_t at = line->rfind(kBytes);
    if (at == std::string_view::npos) throw docs.damaged();
    const std::string origin(line->substr(0, at));
    const auto bytes =
        number_in<std::uint64_t>(line->substr(at + kBytes.size(), line->size() - at - kBytes.size() - 1));
    if (!bytes) throw docs.damaged();
    write(docs.bytes(*bytes), origin);
  }
}

}  // namespace bertprep
