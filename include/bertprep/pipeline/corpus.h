// A corpus: inputs of one or more formats, read in order.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "bertprep/source/document_source.h"
#include "bertprep/source/open_source.h"
#include "bertprep/text/sentences.h"
#include "bertprep/wiki/wiki_options.h"

namespace bertprep {

struct CorpusPart {
  std::vector<std::filesystem::path> inputs;
  SourceOptions source{};
  WikiOptions wiki{};  // for the format mediawiki
  // FetchedPart::downloads: removed after a run that does not keep downloads.
  std::vector<std::filesystem::path> downloads{};
};

// `options` with `auto` replaced by the splitter it means for these parts, unless there is a custom splitter.
SentenceOptions resolve_sentences(std::span<const CorpusPart> parts, SentenceOptions options);

// The parts with max_article_within(memory) where SourceOptions::max_article is empty.
std::vector<CorpusPart> within_memory(std::span<const CorpusPart> parts, const std::string& memory);

// The articles of all parts in order, whatever their formats. Throws as open_source() does. Opens each part when it is
// reached.
std::unique_ptr<DocumentSource> open_corpus(std::span<const CorpusPart> parts, RejectSink rejects);

}  // namespace bertprep
