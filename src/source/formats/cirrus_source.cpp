#include "source/formats/cirrus_source.h"

#include <simdjson.h>

#include <algorithm>
#include <new>

#include "stream/line_reader.h"
#include "unicode/ascii.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

namespace dom = simdjson::dom;

// A number in digits.
std::string member_text(simdjson::simdjson_result<dom::element> value) {
  std::int64_t number = 0;
  if (value.get(number) == simdjson::SUCCESS) return std::to_string(number);
  std::string_view text;
  return value.get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}

// A line of the index with a page: its text, title, revision and time. Pages outside of the namespace of articles, and
// those without text, are left out.
class PageWorker final : public RecordWorker {
  std::optional<std::string> read(const std::string& line, SourceDocument& document) override {
    if (auto fault = fault_of_utf8(line, document)) return fault;
    dom::element page;
    const auto error = parser_.parse(line).get(page);
    if (error == simdjson::MEMALLOC) throw std::bad_alloc();
    if (error) return std::string("broken JSON: ") + simdjson::error_message(error);
    if (!page.is_object()) return "not a JSON object";
    const std::string space = member_text(page["namespace"]);
    std::string_view text;
    if (space != "0") {
      document.left_out = space.empty() ? "page without a namespace" : "page outside of namespace 0";
    } else if (page["text"].get(text) != simdjson::SUCCESS) {
      return "no field \"text\"";
    } else if (strip(text).empty()) {
      document.left_out = "page without text";
    }
    document.text = document.left_out.empty() ? text : "";
    document.title = member_text(page["title"]);
    document.origin.revision_id = member_text(page["version"]);
    document.origin.timestamp = member_text(page["timestamp"]);
    return std::nullopt;
  }

  dom::parser parser_;
};

// Of {"index":{"_type":"_doc","_id":"12"}}.
std::optional<std::string> id_in(std::string_view line) {
  dom::parser parser;
  dom::element action;
  dom::element index;
  if (parser.parse(line.data(), line.size()).get(action) != simdjson::SUCCESS) return std::nullopt;
  if (action["index"].get(index) != simdjson::SUCCESS || !index.is_object()) return std::nullopt;
  std::string id = member_text(index["_id"]);
  return id.empty() ? std::nullopt : std::optional(std::move(id));
}

class CirrusSource final : public DeferredSource {
 public:
  CirrusSource(TextInput input, std::shared_ptr<const DeferredWork> deferred, const CorpusReading& reading)
      : deferred_(std::move(deferred)),
        reading_(reading),
        lines_(std::move(input.name), std::move(input.bytes), input.first_line, input.first_byte) {
    lines_.set_limit(reading.limit.bytes());
  }

  // After a broken line, resumes at the next one that names a page.
  bool read(SourceDocument& document) override {
    for (std::string_view line; lines_.next(line);) {
      if (is_ascii_blank(line)) continue;
      if (!id_) {
        id_ = id_in(line);
        if (!id_)
          reading_.rejects->add(place(), "this line does not name a page, as {\"index\":{\"_id\":\"12\"}} does", line);
        continue;
      }
      document.origin.page_id = *std::exchange(id_, std::nullopt);
      if (lines_.is_truncated()) {
        reading_.limit.reject(place(), lines_.line_bytes(), line);
        continue;
      }
      document.text = line;
      document.origin.line = lines_.line_number();
      document.origin.byte = lines_.line_offset();
      document.deferred = deferred_;
      return true;
    }
    if (id_) throw FormatError("the page that the last line names is missing", lines_.name(), "get the file again");
    return false;
  }

 private:
  std::string place() const { return lines_.name() + ":" + std::to_string(lines_.line_number()); }

  std::shared_ptr<const DeferredWork> deferred_;
  CorpusReading reading_;
  LineReader lines_;
  std::optional<std::string> id_;  // of the page that comes next
};

}  // namespace

bool begins_as_cirrus(std::string_view text) {
  for (const std::string_view sign : {"{", "\"index\"", ":", "{", "\"_"}) {
    text.remove_prefix(std::min(text.find_first_not_of(kAsciiBlanks), text.size()));
    if (!text.starts_with(sign)) return false;
    text.remove_prefix(sign.size());
  }
  return true;
}

OpenText cirrus_reader(const CorpusReading& reading) {
  return [reading, deferred = deferred_to<PageWorker>()](TextInput input) {
    return std::make_unique<CirrusSource>(std::move(input), deferred, reading);
  };
}

}  // namespace bertprep
