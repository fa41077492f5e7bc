#include "source/jsonl_finisher.h"

#include <string_view>
#include <utility>

#include "bertprep/io/utf8.h"
#include "source/byte_order_mark.h"
#include "source/jsonl_record.h"

namespace bertprep {
namespace {

class JsonlWorker final : public DocumentFinisher::Worker {
 public:
  explicit JsonlWorker(const std::string& text_field) : record_(text_field) {}

  std::optional<Rejection> finish(Document& document) override {
    document.finisher.reset();
    line_.swap(document.text);
    const auto reason = read(document);
    if (!reason) return std::nullopt;
    return Rejection{document.origin.source + ":" + std::to_string(document.origin.line), *reason, line_};
  }

 private:
  std::optional<std::string> read(Document& document) {
    if (const auto fault = find_invalid_utf8(line_)) {
      return "invalid UTF-8 at byte " + std::to_string(document.origin.byte + *fault);
    }
    return record_.read(document.origin.line == 1 ? without_byte_order_mark(line_) : line_, document);
  }

  JsonlRecord record_;
  std::string line_;
};

class JsonlFinisher final : public DocumentFinisher {
 public:
  explicit JsonlFinisher(std::string text_field) : text_field_(std::move(text_field)) {}

  std::unique_ptr<Worker> make_worker() const override { return std::make_unique<JsonlWorker>(text_field_); }

 private:
  std::string text_field_;
};

}  // namespace

std::shared_ptr<const DocumentFinisher> make_jsonl_finisher(std::string text_field) {
  return std::make_shared<JsonlFinisher>(std::move(text_field));
}

}  // namespace bertprep
