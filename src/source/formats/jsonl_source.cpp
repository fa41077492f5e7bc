#include "source/formats/jsonl_source.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "bertprep/base/error.h"
#include "io/json.h"
#include "source/formats/text_fields.h"
#include "stream/byte_stream.h"
#include "unicode/ascii.h"
#include "unicode/code_points.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

namespace dom = simdjson::dom;

// The word that the text begins with, if it ends there.
std::string_view word_of(std::string_view text) {
  constexpr std::array<std::string_view, 3> kWords = {"NaN", "Infinity", "-Infinity"};
  const auto word = std::find_if(kWords.begin(), kWords.end(), [&](auto one) { return text.starts_with(one); });
  if (word == kWords.end()) return {};
  const std::string_view after = text.substr(word->size());
  const bool is_over = after.empty() || after.front() == ',' || after.front() == ']' || after.front() == '}' ||
                       is_ascii_blank(after.front());
  return is_over ? *word : std::string_view{};
}

// After the string whose opening quote is at `at`.
std::size_t end_of_string(std::string_view json, std::size_t at) {
  for (++at; at < json.size() && json[at] != '"'; ++at) {
    if (json[at] == '\\') ++at;
  }
  return at + 1;
}

// Replaces each of these words in place of a value by an empty array of the same width; strings and keys stay as they
// are. False if there is none.
bool replace_python_numbers(std::string& json) {
  bool has_word = false;
  char before = ':';  // the last byte outside of strings other than blanks
  for (std::size_t at = 0; at < json.size();) {
    const char c = json[at];
    const bool may_begin = before == ':' || before == ',' || before == '[';
    const std::string_view word = may_begin ? word_of(std::string_view(json).substr(at)) : std::string_view{};
    if (!is_ascii_blank(c)) before = c;
    if (c == '"') {
      at = end_of_string(json, at);
    } else if (word.empty()) {
      ++at;
    } else {
      const std::size_t size = word.size();
      json.replace(at, size, "[]" + std::string(size - 2, ' '));
      at += size;
      before = ']';
      has_word = true;
    }
  }
  return has_word;
}

// simdjson's tree and ours under the same names. Of equal keys the last counts, as in Python's json.
std::optional<dom::element> member(dom::element node, std::string_view key) {
  dom::object object;
  std::optional<dom::element> found;
  if (node.get(object) != simdjson::SUCCESS) return found;
  for (const auto field : object) {
    if (field.key == key) found = field.value;
  }
  return found;
}

std::optional<std::string_view> string_of(dom::element node) {
  std::string_view text;
  if (node.get(text) != simdjson::SUCCESS) return std::nullopt;
  return text;
}

bool is_object(dom::element node) {
  return node.is_object();
}

bool is_null(dom::element node) {
  return node.is_null();
}

std::vector<std::string_view> keys_of(dom::element node) {
  std::vector<std::string_view> keys;
  dom::object object;
  if (node.get(object) != simdjson::SUCCESS) return keys;
  for (const auto field : object) keys.push_back(field.key);
  return keys;
}

// A pointer to a Json is the counterpart of simdjson's element, which is also a pointer internally.
using Node = const Json*;

std::optional<Node> member(Node node, std::string_view key) {
  const Json* found = node->kind() == Json::Kind::Object ? node->find(key) : nullptr;
  return found == nullptr ? std::nullopt : std::optional<Node>(found);
}

std::optional<std::string_view> string_of(Node node) {
  if (node->kind() != Json::Kind::String) return std::nullopt;
  return node->text();
}

bool is_object(Node node) {
  return node->kind() == Json::Kind::Object;
}

bool is_null(Node node) {
  return node->kind() == Json::Kind::Null;
}

std::vector<std::string_view> keys_of(Node node) {
  std::vector<std::string_view> keys;
  if (!is_object(node)) return keys;
  for (const auto& [key, value] : node->members()) keys.push_back(key);
  return keys;
}

template <class Tree>
std::optional<Tree> find_path(Tree node, std::string_view path) {
  if (const auto found = member(node, path)) return found;
  const std::size_t dot = path.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const auto child = member(node, path.substr(0, dot));
  return child ? find_path(*child, path.substr(dot + 1)) : std::nullopt;
}

// An id may be a JSON number.
std::string id_of(dom::element node) {
  std::int64_t number = 0;
  if (node.get(number) == simdjson::SUCCESS) return std::to_string(number);
  return std::string(string_of(node).value_or(""));
}

std::string id_of(Node node) {
  const bool is_text = node->kind() == Json::Kind::String || node->kind() == Json::Kind::Number;
  return is_text ? node->text() : "";
}

template <class Tree>
void take_origin(Tree record, SourceDocument& document) {
  const auto title = member(record, "title");
  document.title = title ? string_of(*title).value_or("") : "";
  if (const auto id = member(record, "id")) document.origin.page_id = id_of(*id);
  if (const auto url = member(record, "url")) document.origin.url = string_of(*url).value_or("");
  if (const auto time = member(record, "timestamp")) document.origin.timestamp = string_of(*time).value_or("");
}

// The keys of the object in which the field was not found.
template <class Tree>
std::string keys_beside(Tree node, std::string_view path, const std::string& where = "the record") {
  const std::size_t dot = path.find('.');
  const auto child = dot == std::string_view::npos ? std::nullopt : member(node, path.substr(0, dot));
  if (child && is_object(*child)) return keys_beside(*child, path.substr(dot + 1), quoted_key(path.substr(0, dot)));
  const std::vector<std::string_view> keys = keys_of(node);
  return where + (keys.empty() ? " has no keys" : " has " + listed_keys(keys));
}

template <class Tree>
std::optional<std::string> take_field(Tree record, const std::string& name, JoinedText& text) {
  const auto field = find_path(record, name);
  if (!field) return "no field " + quoted_key(name) + ": " + keys_beside(record, name);
  const auto value = string_of(*field);
  if (!value) return "field \"" + name + "\" is not a string";
  if (strip(*value).empty()) return "field \"" + name + "\" is empty";
  return text.add(*value);
}

// Skips fields that are missing, null or blank.
template <class Tree>
std::optional<std::string> join_fields(Tree record, std::span<const std::string> names, JoinedText& text) {
  for (const std::string& name : names) {
    const auto field = find_path(record, name);
    if (!field || is_null(*field)) continue;
    const auto value = string_of(*field);
    if (!value) return "field \"" + name + "\" is not a string";
    if (auto rejection = text.add(*value)) return rejection;
  }
  if (!text.is_empty()) return std::nullopt;
  const std::vector<std::string_view> views(names.begin(), names.end());
  return "none of the fields " + listed_keys(views) + " has text: " + keys_beside(record, names.front());
}

template <class Tree>
std::optional<std::string> take_text(Tree record, std::span<const std::string> fields, JoinedText text) {
  if (!is_object(record)) return "not a JSON object";
  if (fields.size() > 1 && !find_path(record, fields.front())) return join_fields(record, fields.subspan(1), text);
  return take_field(record, fields.front(), text);
}

template <class Tree>
std::optional<std::string> take_document(Tree record, std::span<const std::string> fields, HtmlFields& html,
                                         SourceDocument& document) {
  auto reason = take_text(record, fields, JoinedText(document, html));
  if (!reason) take_origin(record, document);
  return reason;
}

// Numbers that fit no machine type are rare, but valid JSON.
std::optional<std::string> read_with_any_number(std::string_view line, std::span<const std::string> fields,
                                                HtmlFields& html, SourceDocument& document) {
  try {
    const Json json = Json::parse(line, "");
    return take_document<Node>(&json, fields, html, document);
  } catch (const FormatError& error) {
    return std::string("broken JSON: ") + error.what();
  }
}

constexpr const char* kPythonNumbers = "NaN or Infinity, which JSON lacks, is read as Python's json reads it";

// Newer versions of simdjson tell large numbers from others.
template <typename Code>
bool is_number_error(Code error) {
  if constexpr (requires { Code::BIGINT_ERROR; }) {
    if (error == Code::BIGINT_ERROR) return true;
  }
  return error == Code::NUMBER_ERROR;
}

class JsonlWorker final : public DeferredWork::Worker {
 public:
  JsonlWorker(const RecordFields& fields, JsonPlace place) : record_(fields), place_(place) {}

  std::optional<Rejection> finish(SourceDocument& document) override {
    document.deferred.reset();
    line_.swap(document.text);
    const auto reason = read(document);
    if (!reason) return std::nullopt;
    const std::string byte = ", byte " + std::to_string(document.origin.byte);
    return Rejection{place_of(document.origin) + (place_ == JsonPlace::kByte ? byte : ""), *reason, line_};
  }

 private:
  std::optional<std::string> read(SourceDocument& document) {
    if (const auto fault = find_invalid_utf8(line_)) {
      return "invalid UTF-8 at byte " + std::to_string(document.origin.byte + *fault);
    }
    return record_.read(document.origin.line == 1 ? unicode::without_byte_order_mark(line_) : line_, document);
  }

  JsonlRecord record_;
  JsonPlace place_;
  std::string line_;
};

class DeferredJsonl final : public DeferredWork {
 public:
  DeferredJsonl(RecordFields fields, JsonPlace place) : fields_(std::move(fields)), place_(place) {}

  std::unique_ptr<Worker> make_worker() const override { return std::make_unique<JsonlWorker>(fields_, place_); }

 private:
  RecordFields fields_;
  JsonPlace place_;
};

constexpr std::size_t kHeadBytes = std::size_t{1} << 16;
// Every line of such a file would be a bad record.
void refuse_spread(std::string_view head, const std::string& name) {
  const std::string_view blanks = head.substr(0, head.find_first_not_of(kAsciiBlanks));
  const auto line = 1 + std::count(blanks.begin(), blanks.end(), '\n');
  throw FormatError("this JSON object spans several lines", name + ":" + std::to_string(line), kSpreadJsonHint);
}

}  // namespace

struct JsonlRecord::Parser {
  dom::parser dom;
  std::string replaced{};
};

JsonlRecord::JsonlRecord(const RecordFields& fields)
    : fields_(text_fields_of(fields.text_field)), html_(fields.html), parser_(std::make_unique<Parser>()) {}

JsonlRecord::~JsonlRecord() = default;

std::optional<std::string> JsonlRecord::read(std::string_view line, SourceDocument& document) {
  dom::element record;
  auto error = parser_->dom.parse(line.data(), line.size(), true).get(record);
  if (error && error != simdjson::MEMALLOC) {
    std::string& replaced = parser_->replaced;
    replaced = line;
    if (replace_python_numbers(replaced)) {
      document.note = kPythonNumbers;
      line = replaced;
      error = parser_->dom.parse(line.data(), line.size(), true).get(record);
    }
  }
  if (is_number_error(error)) return read_with_any_number(line, fields_, html_, document);
  if (error == simdjson::MEMALLOC) throw std::bad_alloc();
  if (error) return std::string("broken JSON: ") + simdjson::error_message(error);
  return take_document(record, fields_, html_, document);
}

std::shared_ptr<const DeferredWork> make_deferred_jsonl(RecordFields fields, JsonPlace place) {
  return std::make_shared<DeferredJsonl>(std::move(fields), place);
}

JsonlSource::JsonlSource(TextInput input, DeferredJsonlPair deferred, const ArticleLimit& limit)
    : input_(std::move(input)), deferred_(std::move(deferred)), limit_(limit) {}

void JsonlSource::begin() {
  auto bytes = std::make_unique<PeekedStream>(std::move(input_.bytes));
  if (input_.first_line == 1) {
    const std::string_view head = unicode::without_byte_order_mark(bytes->peek(kHeadBytes));
    const JsonLayout layout = json_layout_of(head);
    if (layout == JsonLayout::kSpread) refuse_spread(head, input_.name);
    if (layout == JsonLayout::kArray) {
      elements_.emplace(input_.name, std::move(bytes), limit_.bytes());
      return;
    }
  }
  lines_.emplace(input_.name, std::move(bytes), input_.first_line, input_.first_byte);
  lines_->set_limit(limit_.bytes());
}

bool JsonlSource::next_line(SourceDocument& document) {
  for (std::string_view line; lines_->next(line);) {
    if (lines_->is_truncated()) {
      limit_.reject(input_.name + ":" + std::to_string(lines_->line_number()), lines_->line_bytes(), line);
      continue;
    }
    if (is_ascii_blank(lines_->line_number() == 1 ? unicode::without_byte_order_mark(line) : line)) continue;
    document.text = line;
    document.origin.line = lines_->line_number();
    document.origin.byte = lines_->line_offset();
    document.deferred = deferred_.line;
    return true;
  }
  return false;
}

bool JsonlSource::next_element(SourceDocument& document) {
  do {
    if (!elements_->next(document.text)) return false;
    if (!elements_->is_truncated()) break;
    limit_.reject(input_.name + ":" + std::to_string(elements_->line()), elements_->record_bytes(), document.text);
  } while (true);
  document.origin.line = elements_->line();
  document.origin.byte = elements_->byte();
  document.deferred = deferred_.element;
  return true;
}

bool JsonlSource::read(SourceDocument& document) {
  if (!lines_ && !elements_) begin();
  document.origin.source = input_.name;
  return elements_ ? next_element(document) : next_line(document);
}

}  // namespace bertprep
