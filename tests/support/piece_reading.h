// The complete result of reading a corpus, at once and in pieces.
#pragma once

#include <cstdint>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "pipeline/stages/corpus_pieces.h"
#include "source/input/deferred_work.h"

namespace bertprep::test {

// Documents, origins, notes and rejections, each as text, in order.
struct PieceReading {
  std::vector<std::string> documents;
  std::vector<std::string> rejections;
  std::string error;  // the first; a FormatError
  std::uint64_t count = 0;
  bool operator==(const PieceReading&) const = default;
};

inline std::ostream& operator<<(std::ostream& out, const PieceReading& reading) {
  out << reading.count << " documents, error '" << reading.error << "'\n";
  for (const std::string& one : reading.documents) out << "  document " << one.substr(0, 300) << '\n';
  for (const std::string& one : reading.rejections) out << "  rejected " << one.substr(0, 300) << '\n';
  return out;
}

inline RejectSink sink_of(PieceReading& reading) {
  return [&reading](const std::string& where, const std::string& reason, std::string_view record) {
    reading.rejections.push_back(where + "|" + reason + "|" + std::string(record));
  };
}

inline void take(SourceDocument& document, PieceReading& reading, bool finish) {
  const RejectSink reject = sink_of(reading);
  ++reading.count;
  if (finish && document.deferred != nullptr) {
    if (const auto bad = document.deferred->make_worker()->finish(document)) {
      reject(bad->where, bad->reason, bad->record);
      return;
    }
  }
  const Origin& origin = document.origin;
  reading.documents.push_back(document.title + "|" + origin.source + "|" + origin.page_id + "|" + origin.revision_id +
                              "|" + origin.timestamp + "|" + origin.url + "|" + std::to_string(origin.line) + "|" +
                              std::to_string(origin.byte) + "|" + document.note + "|" + document.text);
}

inline void take_all(DeferredSource& source, PieceReading& reading, bool finish) {
  try {
    for (SourceDocument document; source.read(document);) take(document, reading, finish);
  } catch (const FormatError& error) {
    if (reading.error.empty()) reading.error = error.what();
  }
}

inline PieceReading read_corpus(std::span<const CorpusPart> parts, bool finish = true) {
  PieceReading reading;
  take_all(*open_corpus(parts, sink_of(reading), {}), reading, finish);
  return reading;
}

inline PieceReading read_pieces(std::span<const CorpusPart> parts, std::span<const CorpusPiece> pieces,
                                bool finish = true) {
  PieceReading reading;
  for (const CorpusPiece& piece : pieces)
    take_all(*open_corpus_piece(parts, piece, sink_of(reading), {}), reading, finish);
  return reading;
}

inline std::vector<std::uint64_t> count_documents(std::span<const CorpusPart> parts,
                                                  std::span<const CorpusPiece> pieces) {
  std::vector<std::uint64_t> counts;
  for (const CorpusPiece& piece : pieces) counts.push_back(read_pieces(parts, {&piece, 1}).count);
  return counts;
}

}  // namespace bertprep::test
