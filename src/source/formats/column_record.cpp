#include "source/formats/column_record.h"

#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

constexpr std::uint64_t kNull = ~std::uint64_t{0};

std::optional<std::string> fault_of(std::string_view value, std::string_view name) {
  const auto fault = find_invalid_utf8(value);
  if (!fault) return std::nullopt;
  return "invalid UTF-8 at byte " + std::to_string(*fault) + " of field " + quoted_key(name);
}

class ColumnsWorker final : public DeferredWork::Worker {
 public:
  explicit ColumnsWorker(const RecordFields& fields) : names_(text_fields_of(fields.text_field)), html_(fields.html) {}

  std::optional<Rejection> finish(SourceDocument& document) override {
    document.deferred.reset();
    record_.swap(document.text);
    split();
    const auto reason = read(document);
    if (!reason) return std::nullopt;
    return Rejection{place_of(document.origin), *reason, joined()};
  }

 private:
  void split() {
    fields_.clear();
    for (std::string_view rest = record_; !rest.empty();) {
      std::uint64_t length = 0;
      std::memcpy(&length, rest.data(), sizeof length);
      rest.remove_prefix(sizeof length);
      fields_.emplace_back();
      if (length == kNull) continue;
      fields_.back() = rest.substr(0, length);
      rest.remove_prefix(length);
    }
  }

  std::span<const std::string> names() const {
    const std::span<const std::string> all(names_);
    return all.size() > 1 && fields_.size() == all.size() - 1 ? all.subspan(1) : all.first(1);
  }

  std::optional<std::string> read(SourceDocument& document) {
    JoinedText text(document, html_);
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      if (!fields_[i]) continue;
      if (auto fault = fault_of(*fields_[i], names()[i])) return fault;
      if (auto rejection = text.add(*fields_[i])) return rejection;
    }
    if (text.is_empty()) return why_empty();
    const Origin& origin = document.origin;
    if (auto fault = fault_of(document.title, "title")) return fault;
    if (auto fault = fault_of(origin.page_id, "id")) return fault;
    if (auto fault = fault_of(origin.url, "url")) return fault;
    return fault_of(origin.timestamp, "timestamp");
  }

  std::string why_empty() const {
    if (fields_.size() == 1)
      return "field " + quoted_key(names().front()) + (fields_.front() ? " is empty" : " is null");
    const std::vector<std::string_view> views(names().begin(), names().end());
    return "none of the fields " + listed_keys(views) + " has text";
  }

  std::string joined() const {
    std::string all;
    for (const auto& field : fields_) all += (all.empty() ? "" : "\n\n") + std::string(field.value_or(""));
    return all;
  }

  std::vector<std::string> names_;
  HtmlFields html_;
  std::string record_;
  std::vector<std::optional<std::string_view>> fields_;
};

class DeferredColumns final : public DeferredWork {
 public:
  explicit DeferredColumns(RecordFields fields) : fields_(std::move(fields)) {}

  std::unique_ptr<Worker> make_worker() const override { return std::make_unique<ColumnsWorker>(fields_); }

 private:
  RecordFields fields_;
};

}  // namespace

void append_field(std::string& record, std::optional<std::string_view> field) {
  const std::uint64_t length = field ? field->size() : kNull;
  record.append(reinterpret_cast<const char*>(&length), sizeof length);
  if (field) record += *field;
}

std::shared_ptr<const DeferredWork> make_deferred_columns(RecordFields fields) {
  return std::make_shared<DeferredColumns>(std::move(fields));
}

}  // namespace bertprep
