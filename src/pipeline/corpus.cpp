#include "bertprep/pipeline/corpus.h"

#include <algorithm>
#include <utility>

#include "bertprep/base/error.h"
#include "bertprep/wiki/mediawiki_source.h"

namespace bertprep {
namespace {

class Corpus final : public DocumentSource {
 public:
  Corpus(std::span<const CorpusPart> parts, RejectSink rejects, TaskRunner runner)
      : parts_(parts.begin(), parts.end()), rejects_(std::move(rejects)), runner_(std::move(runner)) {}

  bool next(Document& document) override {
    for (;;) {
      if (source_ != nullptr && source_->next(document)) return true;
      if (source_ != nullptr) bytes_before_ += source_->input_bytes_read().value_or(0);
      source_.reset();
      if (part_ == parts_.size()) return false;
      source_ = open_part(parts_[part_++]);
    }
  }

  std::optional<std::uint64_t> input_bytes_read() const override {
    return bytes_before_ + (source_ == nullptr ? 0 : source_->input_bytes_read().value_or(0));
  }

 private:
  std::unique_ptr<DocumentSource> open_part(const CorpusPart& part) const {
    if (resolve_format(part.inputs, part.source) == "mediawiki") {
      return open_mediawiki(part.inputs, part.source, part.wiki, rejects_, runner_);
    }
    return open_source(part.inputs, part.source, rejects_, runner_);
  }

  std::vector<CorpusPart> parts_;
  RejectSink rejects_;
  TaskRunner runner_;
  std::unique_ptr<DocumentSource> source_;
  std::size_t part_ = 0;
  std::uint64_t bytes_before_ = 0;  // of the parts before source_
};

}  // namespace

SentenceOptions resolve_sentences(std::span<const CorpusPart> parts, SentenceOptions options) {
  if (options.sentences != "auto") return options;
  const auto has_sentences = [](const CorpusPart& part) {
    return resolve_format(part.inputs, part.source) == "sentences";
  };
  const bool lines = options.punkt.empty() && !parts.empty() && std::ranges::all_of(parts, has_sentences);
  options.sentences = lines ? "lines" : "punkt";
  return options;
}

std::unique_ptr<DocumentSource> open_corpus(std::span<const CorpusPart> parts, RejectSink rejects,
                                            const TaskRunner& runner) {
  if (parts.empty()) throw ConfigError("no input was given");
  return std::make_unique<Corpus>(parts, std::move(rejects), runner);
}

}  // namespace bertprep
