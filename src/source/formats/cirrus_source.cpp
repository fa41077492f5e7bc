#include "source/formats/cirrus_source.h"

#include <simdjson.h>

#include <algorithm>
#include <new>
#include <utility>

#include "bertprep/base/error.h"
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

class PageWorker final : public DeferredWork::Worker {
 public:
  std::optional<Rejection> finish(SourceDocument& document) override {
    document.deferred.reset();
    line_.swap(document.text);
    document.text.clear();
    const auto reason = read(document);
    if (!reason) return std::nullopt;
    return Rejection{place_of(document.origin), *reason, line_};
  }

 private:
  std::optional<std::string> read(SourceDocument& document) {
    if (const auto fault = find_invalid_utf8(line_)) {
      return "invalid UTF-8 at byte " + std::to_string(document.origin.byte + *fault);
    }
    dom::element page;
    const auto error = parser_.parse(line_).get(page);
    if (error == simdjson::MEMALLOC) throw std::bad_alloc();
    if (error) return std::string("broken JSON: ") + simdjson::error_message(error);
    if (!page.is_object()) return "not a JSON object";
    document.left_out.clear();
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
  std::string line_;
};

class DeferredPages final : public DeferredWork {
 public:
  std::unique_ptr<Worker> make_worker() const override { return std::make_unique<PageWorker>(); }
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

}  // namespace

bool begins_as_cirrus(std::string_view text) {
  for (const std::string_view sign : {"{", "\"index\"", ":", "{", "\"_"}) {
    text.remove_prefix(std::min(text.find_first_not_of(kAsciiBlanks), text.size()));
    if (!text.starts_with(sign)) return false;
    text.remove_prefix(sign.size());
  }
  return true;
}

std::shared_ptr<const DeferredWork> make_deferred_pages() {
  return std::make_shared<DeferredPages>();
}

CirrusSource::CirrusSource(TextInput input, std::shared_ptr<const DeferredWork> deferred, Rejects& rejects,
                           const ArticleLimit& limit)
    : name_(input.name),
      deferred_(std::move(deferred)),
      rejects_(rejects),
      limit_(limit),
      lines_(input.name, std::move(input.bytes), input.first_line, input.first_byte) {
  lines_.set_limit(limit_.bytes());
}

std::string CirrusSource::place() const {
  return name_ + ":" + std::to_string(lines_.line_number());
}

// After a broken line, resumes at the next one that names a page.
bool CirrusSource::read(SourceDocument& document) {
  for (std::string_view line; lines_.next(line);) {
    if (is_ascii_blank(line)) continue;
    if (!id_) {
      id_ = id_in(line);
      if (!id_) rejects_.add(place(), "this line does not name a page, as {\"index\":{\"_id\":\"12\"}} does", line);
      continue;
    }
    document.origin.page_id = *std::exchange(id_, std::nullopt);
    if (lines_.is_truncated()) {
      limit_.reject(place(), lines_.line_bytes(), line);
      continue;
    }
    document.text = line;
    document.origin.source = name_;
    document.origin.line = lines_.line_number();
    document.origin.byte = lines_.line_offset();
    document.deferred = deferred_;
    return true;
  }
  if (id_) throw FormatError("the page that the last line names is missing", name_, "get the file again");
  return false;
}

}  // namespace bertprep
