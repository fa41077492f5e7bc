#include "bertprep/pipeline/stages.h"

#include <algorithm>
#include <utility>

#include "base/task_runner.h"
#include "bertprep/base/error.h"
#include "bertprep/pipeline/pipeline_options.h"
#include "pipeline/stages/corpus_pieces.h"
#include "source/source_pieces.h"
#include "wiki/mediawiki_source.h"

namespace bertprep {
namespace {

class Corpus final : public DocumentSource {
 public:
  Corpus(std::span<const CorpusPart> parts, RejectSink rejects, TaskRunner runner, ReadObserver* observer)
      : parts_(parts.begin(), parts.end()),
        rejects_(std::move(rejects)),
        runner_(std::move(runner)),
        observer_(observer) {}

  bool next(Document& document) override {
    for (;;) {
      if (source_ != nullptr && source_->next(document)) return true;
      if (source_ != nullptr) finish_part();
      source_.reset();
      if (part_ == parts_.size()) return false;
      source_ = open_part(parts_[part_++]);
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

 private:
  std::unique_ptr<DocumentSource> open_part(const CorpusPart& part) {
    if (resolve_format(part.inputs, part.source) == InputFormat::kMediawiki) {
      for (const Input& input : list_source(part.inputs, InputFormat::kMediawiki, part.source)) {
        remarks_.insert(remarks_.end(), input.left_out.begin(), input.left_out.end());
      }
      return open_mediawiki(dump_inputs(part), part.source, part.wiki, rejects_, runner_, observer_);
    }
    return open_observed_source(part.inputs, part.source, rejects_, runner_, observer_);
  }

  void add_remarks() {
    for (RecordRemark& remark : source_->take_remarks()) remarks_.push_back(std::move(remark));
  }

  void finish_part() {
    bytes_before_ += source_->input_bytes_read().value_or(0);
    add_remarks();
    left_out_.add(source_->take_left_out());
  }

  std::vector<CorpusPart> parts_;
  RejectSink rejects_;
  TaskRunner runner_;
  ReadObserver* observer_;
  std::unique_ptr<DocumentSource> source_;
  std::vector<RecordRemark> remarks_;
  ReasonCounts left_out_;
  std::size_t part_ = 0;
  std::uint64_t bytes_before_ = 0;  // of the parts before source_
};

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

std::unique_ptr<DocumentSource> open_corpus(std::span<const CorpusPart> parts, RejectSink rejects,
                                            const TaskRunner& runner, ReadObserver* observer) {
  if (parts.empty()) throw ConfigError("no input was given");
  return std::make_unique<Corpus>(parts, std::move(rejects), runner, observer);
}

std::unique_ptr<DocumentSource> open_corpus(std::span<const CorpusPart> parts, RejectSink rejects) {
  return open_corpus(parts, std::move(rejects), TaskRunner());
}

}  // namespace bertprep
