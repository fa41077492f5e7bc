#include "source/input/record_source.h"

#include <algorithm>

#include "unicode/utf8_text.h"

namespace bertprep {

void RecordCutter::begin_record(std::uint64_t line, std::uint64_t byte, std::string& record) {
  record.clear();
  record_line_ = line;
  record_byte_ = byte;
  record_bytes_ = 0;
}

void RecordCutter::add_to_record(std::string_view part, std::string& record) {
  const bool was_truncated = is_truncated();
  record_bytes_ += part.size();
  if (!is_truncated()) {
    record += part;
  } else if (!was_truncated) {
    record.resize(std::min(record.size(), kKeptBytes));
    record.shrink_to_fit();
  }
}

bool RecordSource::read(SourceDocument& document) {
  while (records_->next(document.text)) {
    if (records_->is_truncated()) {
      limit_.reject(records_->place(), records_->record_bytes(), document.text);
      continue;
    }
    document.origin.line = records_->line();
    document.origin.byte = records_->byte();
    document.deferred = deferred_;
    return true;
  }
  return false;
}

std::optional<Rejection> RecordWorker::finish(SourceDocument& document) {
  document.deferred.reset();
  record_.swap(document.text);
  document.text.clear();
  auto reason = read(record_, document);
  if (!reason) return std::nullopt;
  return Rejection{place_of(document.origin), std::move(*reason), std::move(record_)};
}

std::optional<std::string> RecordWorker::fault_of_utf8(std::string_view record, const SourceDocument& document) {
  const auto fault = find_invalid_utf8(record);
  if (!fault) return std::nullopt;
  return "invalid UTF-8 at byte " + std::to_string(document.origin.byte + *fault);
}

}  // namespace bertprep
