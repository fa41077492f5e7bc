#include "bertprep/pipeline/stages.h"

#include <algorithm>
#include <exception>
#include <functional>
#include <utility>

#include "base/task_runner.h"
#include "bertprep/base/error.h"
#include "bertprep/pipeline/pipeline_options.h"
#include "pipeline/stages/corpus_pieces.h"
#include "source/input/deferred_work.h"
#include "source/input/input_list.h"
#include "source/source_pieces.h"
#include "wiki/mediawiki_source.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// Sources that follow each other.
struct Segment {
  std::function<std::unique_ptr<PlacedSource>()> open;
  // Where its first file lies in the corpus, and the documents of that file before it.
  ReadPlace base{};
  std::uint64_t skip = 0;   // its first documents, which are not returned
  std::uint64_t bytes = 0;  // of its files as they are on disk; 0: the source tells
  bool has_rest = false;    // a fault is reported after the last segment of the part
};

class Corpus final : public PlacedSource {
 public:
  Corpus(std::span<const CorpusPart> parts, RejectSink rejects, TaskRunner runner, ReadObserver* observer)
      : parts_(parts.begin(), parts.end()),
        rejects_(std::move(rejects)),
        runner_(std::move(runner)),
        observer_(observer) {}

  void begin_with_first_part() {
    for (std::size_t part = 0; part < parts_.size(); ++part) add_part(part);
  }
  void begin_after(const ReadPlace& place);

  bool read(SourceDocument& document) override {
    for (;;) {
      if (source_ != nullptr && read_segment(document)) return true;
      if (source_ != nullptr) finish_segment();
      if (error_ && is_at_end_of_part()) std::rethrow_exception(std::exchange(error_, nullptr));
      if (segment_ == segments_.size()) return false;
      source_ = segments_[segment_++].open();
      skip();
    }
  }

  std::vector<RecordRemark> take_remarks() override {
    if (source_ != nullptr) add_remarks();
    return std::exchange(remarks_, {});
  }

  ReasonCounts take_left_out() override {
    if (source_ != nullptr) left_out_.add(source_->take_left_out());
    return std::exchange(left_out_, {});
  }

  std::optional<std::uint64_t> input_bytes_read() const override {
    return bytes_before_ + (source_ == nullptr ? 0 : source_->input_bytes_read().value_or(0));
  }

  std::optional<ReadPlace> place() const override {
    auto place = source_ == nullptr || error_ ? std::nullopt : source_->place();
    if (!place) return place;
    const ReadPlace& base = segments_[segment_ - 1].base;
    place->part = base.part;
    if (place->input == 0 && place->file == 0) place->documents += base.documents;
    if (place->input == 0) place->file += base.file;
    place->input += base.input;
    return place;
  }

 private:
  bool is_at_end_of_part() const {
    return segment_ == segments_.size() || segments_[segment_].base.part != segments_[segment_ - 1].base.part;
  }

  RejectSink sink() {
    return [this](const std::string& where, const std::string& reason, std::string_view record) {
      if (!is_skipping_) rejects_(where, reason, record);
    };
  }

  void add_part(std::size_t part) {
    segments_.push_back({.open = [this, part] { return open_part(parts_[part]); }, .base = {.part = part}});
  }

  std::unique_ptr<PlacedSource> open_part(const CorpusPart& part) {
    const bool has_sink = rejects_ != nullptr;
    if (resolve_format(part.inputs, part.source) == InputFormat::kMediawiki) {
      for (const Input& input : list_source(part.inputs, InputFormat::kMediawiki, part.source)) {
        remarks_.insert(remarks_.end(), input.left_out.begin(), input.left_out.end());
      }
      return open_mediawiki(dump_inputs(part), part.source, part.wiki, has_sink ? sink() : RejectSink(), runner_,
                            observer_);
    }
    return open_observed_source(part.inputs, part.source, has_sink ? sink() : RejectSink(), runner_, observer_);
  }

  void add_rest(const CorpusPart& part, const ReadPlace& place, std::vector<fs::path> files, bool can_enter);
  void add_piece(InputPiece piece, const ReadPlace& base, std::uint64_t skip, std::uint64_t bytes);

  bool read_segment(SourceDocument& document) {
    try {
      return source_->read(document);
    } catch (const FormatError& fault) {
      if (!segments_[segment_ - 1].has_rest || parts_[segments_[segment_ - 1].base.part].source.strict) throw;
      if (error_) {
        rejects_(fault.where(), fault.what(), {});
      } else {
        error_ = std::current_exception();
      }
      return false;
    }
  }

  void skip() {
    is_skipping_ = true;
    SourceDocument document;
    for (std::uint64_t left = segments_[segment_ - 1].skip; left > 0; --left) {
      if (source_->read(document)) continue;
      throw FormatError("has fewer records than when it was read before", document.origin.source,
                        "run the command again, which then starts from the beginning");
    }
    if (segments_[segment_ - 1].skip != 0) {
      source_->take_remarks();
      source_->take_left_out();
    }
    is_skipping_ = false;
  }

  void add_remarks() {
    for (RecordRemark& remark : source_->take_remarks()) remarks_.push_back(std::move(remark));
  }

  void finish_segment() {
    const std::uint64_t bytes = segments_[segment_ - 1].bytes;
    bytes_before_ += bytes != 0 ? bytes : source_->input_bytes_read().value_or(0);
    add_remarks();
    left_out_.add(source_->take_left_out());
    source_.reset();
  }

  std::vector<CorpusPart> parts_;
  RejectSink rejects_;
  TaskRunner runner_;
  ReadObserver* observer_;
  std::vector<Segment> segments_;
  std::size_t segment_ = 0;  // the next
  std::unique_ptr<PlacedSource> source_;
  std::exception_ptr error_;
  bool is_skipping_ = false;
  std::vector<RecordRemark> remarks_;
  ReasonCounts left_out_;
  std::uint64_t bytes_before_ = 0;  // of the segments before source_
};

std::uint64_t size_of(const fs::path& file) {
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(file, error);
  return error ? 0 : bytes;
}

std::uint64_t size_of(std::span<const fs::path> files) {
  std::uint64_t bytes = 0;
  for (const fs::path& file : files) bytes += size_of(file);
  return bytes;
}

// The files of each input, as they are read; for dumps, all together.
std::vector<std::vector<fs::path>> files_of(const CorpusPart& part) {
  std::vector<std::vector<fs::path>> files;
  if (is_mediawiki(part)) {
    files.emplace_back();
    for (const Input& input : list_inputs(dump_inputs(part))) {
      files[0].insert(files[0].end(), input.files.begin(), input.files.end());
    }
    return files;
  }
  const InputFormat format = resolve_format(part.inputs, part.source);
  for (const Input& input : list_source(part.inputs, format, part.source)) files.push_back(input.files);
  return files;
}

[[noreturn]] void throw_other_files(const CorpusPart& part) {
  throw FormatError("has other files than when it was read before", part.inputs.front(),
                    "run the command again, which then starts from the beginning");
}

void Corpus::add_piece(InputPiece piece, const ReadPlace& base, std::uint64_t skip, std::uint64_t bytes) {
  const auto open = [this, piece = std::move(piece), base] {
    return open_corpus_piece(parts_, {base.part, piece}, sink(), runner_);
  };
  segments_.push_back({.open = open, .base = base, .skip = skip, .bytes = bytes});
}

// The rest of the input in which `place` lies: of its file, then the files that follow.
void Corpus::add_rest(const CorpusPart& part, const ReadPlace& place, std::vector<fs::path> files, bool can_enter) {
  const fs::path file = files[place.file];
  const std::vector<fs::path> following(files.begin() + static_cast<std::ptrdiff_t>(place.file) + 1, files.end());
  ReadPlace base{.part = place.part, .input = place.input, .file = place.file};
  if (!can_enter) {
    const std::uint64_t bytes = size_of(std::span(files).subspan(place.file));
    files.erase(files.begin(), files.begin() + static_cast<std::ptrdiff_t>(place.file));
    return add_piece({.input = place.input, .files = std::move(files)}, base, place.documents, bytes);
  }
  const std::uint64_t end = size_of(file);
  base.documents = place.documents - place.documents_from_byte;
  bytes_before_ += place.byte;
  add_piece({.input = place.input, .files = {file}, .begin = place.byte, .end = end, .first_line = place.line}, base,
            place.documents_from_byte, end - place.byte);
  if (following.empty()) return;
  segments_.back().has_rest = is_mediawiki(part);
  const std::uint64_t bytes = size_of(following);
  base = {.part = place.part, .input = place.input, .file = place.file + 1};
  add_piece({.input = place.input, .files = following}, base, 0, bytes);
}

void Corpus::begin_after(const ReadPlace& place) {
  const CorpusPart& part = parts_.at(place.part);
  for (std::size_t before = 0; before < place.part; ++before) {
    for (const auto& files : files_of(parts_[before])) bytes_before_ += size_of(files);
  }
  const auto files = files_of(part);
  if (place.input >= files.size() || place.file >= files[place.input].size()) throw_other_files(part);
  for (std::size_t before = 0; before < place.input; ++before) bytes_before_ += size_of(files[before]);
  bytes_before_ += size_of(std::span(files[place.input]).first(place.file));

  const fs::path& file = files[place.input][place.file];
  const bool is_after_first = place.documents_from_byte != 0 && place.documents > place.documents_from_byte;
  const bool can_enter =
      is_after_first && (is_mediawiki(part) ? dump_has_range(file, place.byte, part.wiki, runner_)
                                            : has_ranges(file, resolve_format(part.inputs, part.source)));
  add_rest(part, place, files[place.input], can_enter);
  if (place.input + 1 < files.size()) {
    const auto open = [this, number = place.part, input = place.input + 1] {
      CorpusPart rest = parts_[number];
      rest.source.format = resolve_format(rest.inputs, rest.source);
      rest.inputs.erase(rest.inputs.begin(), rest.inputs.begin() + static_cast<std::ptrdiff_t>(input));
      return open_part(rest);
    };
    segments_.push_back({.open = open, .base = {.part = place.part, .input = place.input + 1}});
  }
  for (std::size_t later = place.part + 1; later < parts_.size(); ++later) add_part(later);
}

}  // namespace

SentenceOptions resolve_sentences(std::span<const CorpusPart> parts, SentenceOptions options) {
  if (options.rules != SentenceRules::kAuto || options.custom != nullptr) return options;
  const auto has_sentences = [](const CorpusPart& part) {
    return resolve_format(part.inputs, part.source) == InputFormat::kSentences;
  };
  const bool lines = options.punkt.empty() && !parts.empty() && std::ranges::all_of(parts, has_sentences);
  options.rules = lines ? SentenceRules::kLines : options.punkt.empty() ? SentenceRules::kIcu : SentenceRules::kPunkt;
  return options;
}

std::vector<CorpusPart> within_memory(std::span<const CorpusPart> parts, const std::string& memory) {
  std::vector<CorpusPart> limited(parts.begin(), parts.end());
  for (CorpusPart& part : limited) {
    check_max_article(part.source.max_article, memory);
    if (part.source.max_article.empty()) part.source.max_article = max_article_within(memory);
  }
  return limited;
}

std::unique_ptr<PlacedSource> open_corpus(std::span<const CorpusPart> parts, RejectSink rejects,
                                          const TaskRunner& runner, ReadObserver* observer) {
  if (parts.empty()) throw ConfigError("no input was given");
  auto corpus = std::make_unique<Corpus>(parts, std::move(rejects), runner, observer);
  corpus->begin_with_first_part();
  return corpus;
}

std::unique_ptr<PlacedSource> open_corpus_after(std::span<const CorpusPart> parts, const ReadPlace& place,
                                                RejectSink rejects, const TaskRunner& runner) {
  auto corpus = std::make_unique<Corpus>(parts, std::move(rejects), runner, nullptr);
  corpus->begin_after(place);
  return corpus;
}

std::unique_ptr<DocumentSource> open_corpus(std::span<const CorpusPart> parts, RejectSink rejects) {
  return finish_documents(open_corpus(parts, rejects, TaskRunner()), is_strict(parts) ? RejectSink() : rejects);
}

}  // namespace bertprep
