#include "source/jsonl_finisher.h"

#include <string_view>
#include <utility>

#include "io/utf8.h"
#include "source/byte_order_mark.h"
#include "source/document_finisher.h"
#include "source/jsonl_record.h"

namespace bertprep {
namespace {

class JsonlWorker final : public DocumentFinisher::Worker {
 public:
  JsonlWorker(const std::string& text_field, JsonPlace place) : record_(text_field), place_(place) {}

  std::optional<Rejection> finish(Document& document) override {
    document.finisher.reset();
    line_.swap(document.text);
    const auto reason = read(document);
    if (!reason) return std::nullopt;
    return Rejection{place_of(document.origin), *reason, line_};
  }

 private:
  std::string place_of(const Origin& origin) const {
    const std::string line = origin.source + ":" + std::to_string(origin.line);
    return place_ == JsonPlace::kLine ? line : line + ", byte " + std::to_string(origin.byte);
  }

  std::optional<std::string> read(Document& document) {
    if (const auto fault = find_invalid_utf8(line_)) {
      return "invalid UTF-8 at byte " + std::to_string(document.origin.byte + *fault);
    }
    return record_.read(document.origin.line == 1 ? without_byte_order_mark(line_) : line_, document);
  }

  JsonlRecord record_;
  JsonPlace place_;
  std::string line_;
};

class JsonlFinisher final : public DocumentFinisher {
 public:
  JsonlFinisher(std::string text_field, JsonPlace place) : text_field_(std::move(text_field)), place_(place) {}

  std::unique_ptr<Worker> make_worker() const override { return std::make_unique<JsonlWorker>(text_field_, place_); }

 private:
  std::string text_field_;
  JsonPlace place_;
};

}  // namespace

std::shared_ptr<const DocumentFinisher> make_jsonl_finisher(std::string text_field, JsonPlace place) {
  return std::make_shared<JsonlFinisher>(std::move(text_field), place);
}

}  // namespace bertprep
