// What all formats promise of any bytes: each record gives an article with text, a reason, or why it is left out, in
// UTF-8, and never two of them.
#pragma once

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "bertprep/base/error.h"
#include "source/input/record_source.h"
#include "support/memory_stream.h"
#include "unicode/utf8_text.h"

struct ReadRecords {
  std::size_t count = 0;
  bool is_refused = false;  // after them
};

inline ReadRecords read_records(const bertprep::OpenText& open, bertprep::TextInput input, std::size_t most = 10'000) {
  ReadRecords records;
  std::unique_ptr<bertprep::DeferredWork::Worker> worker;
  try {
    const auto source = open(std::move(input));
    for (bertprep::SourceDocument document; records.count < most && source->read(document); ++records.count) {
      if (worker == nullptr) worker = document.deferred->make_worker();
      document.left_out.clear();
      if (const auto rejection = worker->finish(document)) {
        if (rejection->reason.empty() || bertprep::find_invalid_utf8(rejection->reason)) std::abort();
      } else if (document.left_out.empty() == bertprep::strip(document.text).empty() ||
                 bertprep::find_invalid_utf8(document.text)) {
        std::abort();
      }
    }
  } catch (const bertprep::FormatError&) {
    records.is_refused = true;
  }
  return records;
}

inline bertprep::TextInput text_of(const std::string& bytes, std::size_t block_bytes = 100) {
  return {"x", std::make_unique<bertprep::test::MemoryStream>(bytes, block_bytes)};
}

// What readers share, with a limit of articles, so that some are skipped as too long.
class LimitedReading {
 public:
  explicit LimitedReading(std::uint64_t max_bytes)
      : reading_{std::make_shared<bertprep::Rejects>(false, [](const auto&, const auto&, auto) {}), {}} {
    reading_.limit = bertprep::ArticleLimit(max_bytes, *reading_.rejects);
  }
  operator const bertprep::CorpusReading&() const { return reading_; }

 private:
  bertprep::CorpusReading reading_;
};
