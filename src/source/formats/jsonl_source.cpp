#include "source/formats/jsonl_source.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <new>

#include "io/json.h"
#include "source/formats/text_fields.h"
#include "stream/line_reader.h"
#include "unicode/ascii.h"
#include "unicode/code_points.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

namespace dom = simdjson::dom;

std::string_view from_first_sign(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kAsciiBlanks), text.size()));
}

// JsonScan: finds the end of a JSON value by its brackets and quotes, without parsing it.
class JsonScan {
 public:
  // Takes bytes of one value, from its first on, and returns how many of them belong to it: all of them unless the
  // value is complete or broken. Numbers and words end before the byte that terminates them.
  std::size_t take(std::string_view bytes) {
    std::size_t at = 0;
    while (at < bytes.size() && !is_over_ && !is_broken_) {
      if (is_in_string_) {
        at = take_string(bytes, at);
        continue;
      }
      const char c = bytes[at];
      const bool is_word = open_.empty() && before_ != 0;
      if (is_word && (is_ascii_blank(c) || c == ',' || c == ']' || c == '}')) {
        is_over_ = true;
        break;
      }
      if (c == '"') is_in_string_ = true;
      if (c == '{' || c == '[') open(c);
      if (c == '}' || c == ']') close(c);
      if (!is_ascii_blank(c)) before_ = c;
      if (!is_broken_) ++at;
    }
    return at;
  }

  bool is_over() const { return is_over_; }
  // Whether this can't be JSON: a line feed within a string, mismatched brackets, or an object or array in place of a
  // key. The parser finds other faults.
  bool is_broken() const { return is_broken_; }

 private:
  std::size_t take_string(std::string_view bytes, std::size_t at) {
    for (; at < bytes.size(); ++at) {
      const char c = bytes[at];
      if (is_escaped_) {
        is_escaped_ = false;
      } else if (c == '\\') {
        is_escaped_ = true;
      } else if (c == '"') {
        is_in_string_ = false;
        is_over_ = open_.empty();
        return at + 1;
      } else if (c == '\n') {
        is_broken_ = true;
        return at;
      }
    }
    return at;
  }

  void open(char bracket) {
    is_broken_ = !open_.empty() && open_.back() == '{' && before_ != ':';
    open_ += bracket;
  }

  void close(char bracket) {
    is_broken_ = open_.empty() || open_.back() != (bracket == '}' ? '{' : '[');
    if (is_broken_) return;
    open_.pop_back();
    is_over_ = open_.empty();
  }

  std::string open_;  // the open brackets
  char before_ = 0;   // the last byte outside of strings other than blanks
  bool is_in_string_ = false;
  bool is_escaped_ = false;
  bool is_over_ = false;
  bool is_broken_ = false;
};

// Whether the object continues where the line ends, and the next line does not begin another one.
bool is_spread(std::string_view object) {
  const std::size_t end = object.find('\n');
  if (end == std::string_view::npos) return false;
  JsonScan scan;
  scan.take(object.substr(0, end));
  if (scan.is_over() || scan.is_broken()) return false;
  const std::string_view next = from_first_sign(object.substr(end));
  return !next.empty() && next.front() != '{';
}

// JsonElements: the elements of a JSON array.
//
// An element with unbalanced quotes or brackets extends to the next line with the indentation of earlier elements, so
// one bad element does not affect others. If elements don't begin lines, it ends the reading. A missing comma between
// elements that begin lines does no harm.
class JsonElements final : public RecordCutter {
 public:
  JsonElements(std::string name, std::unique_ptr<ByteStream> bytes, std::uint64_t max_bytes)
      : RecordCutter(std::move(name), max_bytes), bytes_(std::move(bytes)) {}

  bool next(std::string& element) override {
    if (stage_ == Stage::kOver) return false;
    if (stage_ == Stage::kStart) enter();
    const bool is_first = stage_ != Stage::kElements;
    if (is_at_end_bracket()) {
      finish();
      return false;
    }
    if (!is_first) {
      drop(1);
      if (is_at_end_bracket()) fail("an element is missing after a comma", "fix it there");
    }
    if (is_at_line_start_ && line_ > 1) element_indent_ = indent_;
    stage_ = Stage::kElements;
    take_element(element);
    return true;
  }

 private:
  enum class Stage { kStart, kFirst, kElements, kOver };

  bool fill() {
    if (block_.empty()) block_ = bytes_->next_block();
    return !block_.empty();
  }

  // Continues after `count` bytes of the block.
  void drop(std::size_t count) {
    const std::string_view gone = block_.substr(0, count);
    block_.remove_prefix(count);
    byte_ += count;
    line_ += static_cast<std::uint64_t>(std::count(gone.begin(), gone.end(), '\n'));
    const std::size_t feed = gone.rfind('\n');
    if (feed != std::string_view::npos) {
      is_at_line_start_ = true;
      indent_.clear();
    }
    const std::string_view on_line = feed == std::string_view::npos ? gone : gone.substr(feed + 1);
    is_at_line_start_ = is_at_line_start_ && on_line.find_first_not_of(kAsciiBlanks) == std::string_view::npos;
    if (is_at_line_start_) indent_ += on_line;
  }

  void skip_blanks() {
    while (fill()) {
      const std::size_t blanks = std::min(block_.find_first_not_of(kAsciiBlanks), block_.size());
      drop(blanks);
      if (!block_.empty()) return;
    }
  }

  void enter() {
    if (fill() && block_.starts_with(unicode::kByteOrderMark)) {
      block_.remove_prefix(unicode::kByteOrderMark.size());
      byte_ += unicode::kByteOrderMark.size();
    }
    skip_blanks();
    if (block_.empty() || block_.front() != '[') fail("it does not begin with [", "check the file");
    drop(1);
  }

  bool is_at_end_bracket() {
    skip_blanks();
    if (block_.empty()) fail("the file ends within it", "get the whole file; the elements before this point were read");
    return block_.front() == ']';
  }

  void take_element(std::string& element) {
    begin_record(line_, byte_, element);
    JsonScan scan;
    while (!scan.is_over() && !scan.is_broken()) {
      if (!fill())
        fail("the file ends within an element", "get the whole file; the elements before this point were read");
      const std::size_t count = scan.take(block_);
      add_to_record(block_.substr(0, count), element);
      drop(count);
    }
    if (!scan.is_broken()) skip_blanks();
    if (scan.is_broken() || (fill() && block_.front() != ',' && block_.front() != ']')) recover(element);
  }

  // Appends the text up to the next element that begins a line.
  void recover(std::string& element) {
    if (!element_indent_) fail("a quote, comma or bracket is missing", "fix it there, or write one object per line");
    if (is_at_line_start_) return_to_line_start();
    for (std::string line = take_line(); !line.empty(); line = take_line()) {
      if (begins_element(line) || ends_array(line)) {
        // The comma between the elements belongs to the bad one.
        return put_back(std::move(line));
      }
      if (element.size() < kKeptBytes) element += line;
      byte_ += line.size();
      line_ += line.back() == '\n' ? 1 : 0;
    }
  }

  void return_to_line_start() {
    byte_ -= indent_.size();
    put_back_ = indent_ + std::string(block_);
    block_ = put_back_;
  }

  // The rest of the line with its line feed; not yet counted. Empty at the end.
  std::string take_line() {
    std::string line;
    while (fill()) {
      const std::size_t feed = block_.find('\n');
      const std::size_t count = feed == std::string_view::npos ? block_.size() : feed + 1;
      line += block_.substr(0, count);
      block_.remove_prefix(count);
      if (line.size() > max_bytes()) fail("a line after a broken element is too long", "fix the element before it");
      if (feed != std::string_view::npos) break;
    }
    return line;
  }

  bool begins_element(std::string_view line) const {
    return line.starts_with(*element_indent_) && line.substr(element_indent_->size()).starts_with('{');
  }

  bool ends_array(std::string_view line) const {
    const std::size_t sign = line.find_first_not_of(kAsciiBlanks);
    return sign != std::string_view::npos && line[sign] == ']' && (sign < element_indent_->size() || sign == 0);
  }

  // An element or the end of the array follows in place of a comma.
  void put_back(std::string line) {
    put_back_ = std::move(line) + std::string(block_);
    block_ = put_back_;
    stage_ = Stage::kFirst;
    is_at_line_start_ = true;
    indent_.clear();
  }

  void finish() {
    drop(1);
    stage_ = Stage::kOver;
    skip_blanks();
    if (!block_.empty()) fail("something follows its end", "keep one array in each file");
  }

  [[noreturn]] void fail(const std::string& reason, const std::string& hint) const {
    throw FormatError("broken JSON array: " + reason + " (byte " + std::to_string(byte_) + ")",
                      name() + ":" + std::to_string(line_), hint);
  }

  std::unique_ptr<ByteStream> bytes_;
  std::string_view block_;  // the rest of the last block
  std::string put_back_;    // holds the bytes of `block_` after put_back()
  Stage stage_ = Stage::kStart;
  std::uint64_t line_ = 1;  // of the next byte
  std::uint64_t byte_ = 0;
  bool is_at_line_start_ = true;               // ignoring blanks
  std::string indent_;                         // the blanks before the next byte on its line
  std::optional<std::string> element_indent_;  // of the last element that begins a line
};

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
  return "none of the fields " + listed_keys(names) + " has text: " + keys_beside(record, names.front());
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

// A record of a JSON file, read by simdjson: its text, its title and, from the keys id, url and timestamp, its origin.
class JsonlWorker final : public RecordWorker {
 public:
  // A key with dots or commas is looked up whole before its parts. `names_byte`: rejected records are named by their
  // first byte, too, as a line has many.
  JsonlWorker(const RecordFields& fields, bool names_byte)
      : fields_(text_fields_of(fields.text_field)), html_(fields.html), names_byte_(names_byte) {}

  std::optional<Rejection> finish(SourceDocument& document) override {
    auto rejection = RecordWorker::finish(document);
    if (rejection && names_byte_) rejection->where += ", byte " + std::to_string(document.origin.byte);
    return rejection;
  }

 private:
  std::optional<std::string> read(const std::string& record, SourceDocument& document) override {
    if (auto fault = fault_of_utf8(record, document)) return fault;
    std::string_view line = record;
    if (document.origin.line == 1) line = unicode::without_byte_order_mark(line);
    dom::element json;
    auto error = parser_.parse(line.data(), line.size(), true).get(json);
    if (error && error != simdjson::MEMALLOC) {
      replaced_ = line;
      if (replace_python_numbers(replaced_)) {
        document.note = kPythonNumbers;
        line = replaced_;
        error = parser_.parse(line.data(), line.size(), true).get(json);
      }
    }
    if (is_number_error(error)) return read_with_any_number(line, fields_, html_, document);
    if (error == simdjson::MEMALLOC) throw std::bad_alloc();
    if (error) return std::string("broken JSON: ") + simdjson::error_message(error);
    return take_document(json, fields_, html_, document);
  }

  std::vector<std::string> fields_;
  HtmlFields html_;
  bool names_byte_;
  dom::parser parser_;
  std::string replaced_;
};

// JSON Lines, without blank ones.
class JsonLines final : public RecordCutter {
 public:
  JsonLines(TextInput input, std::uint64_t max_bytes)
      : RecordCutter(input.name, max_bytes),
        lines_(std::move(input.name), std::move(input.bytes), input.first_line, input.first_byte) {
    lines_.set_limit(max_bytes);
  }

  bool next(std::string& record) override {
    for (std::string_view line; lines_.next(line);) {
      const bool is_first = lines_.line_number() == 1;
      if (is_ascii_blank(is_first ? unicode::without_byte_order_mark(line) : line) && !lines_.is_truncated()) continue;
      begin_record(lines_.line_number(), lines_.line_offset(), record);
      set_record_bytes(lines_.line_bytes());
      record = line;
      return true;
    }
    return false;
  }

 private:
  LineReader lines_;
};

constexpr std::size_t kHeadBytes = std::size_t{1} << 16;
// Every line of such a file would be a bad record.
void refuse_spread(std::string_view head, const std::string& name) {
  const std::string_view blanks = head.substr(0, head.find_first_not_of(kAsciiBlanks));
  const auto line = 1 + std::count(blanks.begin(), blanks.end(), '\n');
  throw FormatError("this JSON object spans several lines", name + ":" + std::to_string(line), kSpreadJsonHint);
}

}  // namespace

JsonLayout json_layout_of(std::string_view head) {
  const std::string_view text = from_first_sign(head);
  if (text.starts_with('[')) return JsonLayout::kArray;
  return text.starts_with('{') && is_spread(text) ? JsonLayout::kSpread : JsonLayout::kLines;
}

bool begins_as_json_objects(std::string_view text) {
  if (text.starts_with('[')) text = from_first_sign(text.substr(1));
  if (!text.starts_with('{')) return false;
  text = from_first_sign(text.substr(1));
  return text.starts_with('"') || text.starts_with('}');
}

bool begins_as_json_strings(std::string_view text) {
  if (!text.starts_with('[')) return false;
  text = from_first_sign(text.substr(1));
  JsonScan string;
  if (!text.starts_with('"')) return false;
  text.remove_prefix(string.take(text));
  text = from_first_sign(text);
  return string.is_over() && (text.starts_with(',') || text.starts_with(']'));
}

std::unique_ptr<RecordCutter> json_elements(std::string name, std::unique_ptr<ByteStream> bytes,
                                            std::uint64_t max_bytes) {
  return std::make_unique<JsonElements>(std::move(name), std::move(bytes), max_bytes);
}

OpenText jsonl_reader(const SourceOptions& options, const CorpusReading& reading) {
  const RecordFields fields = record_fields(options);
  return [reading, of_line = deferred_to<JsonlWorker>(fields, false),
          of_element = deferred_to<JsonlWorker>(fields, true)](TextInput input) {
    const std::uint64_t max_bytes = reading.limit.bytes();
    auto bytes = std::make_unique<PeekedStream>(std::move(input.bytes));
    const std::string_view head = unicode::without_byte_order_mark(bytes->peek(kHeadBytes));
    const JsonLayout layout = input.first_line == 1 ? json_layout_of(head) : JsonLayout::kLines;
    if (layout == JsonLayout::kSpread) refuse_spread(head, input.name);
    if (layout == JsonLayout::kArray) {
      return std::make_unique<RecordSource>(json_elements(std::move(input.name), std::move(bytes), max_bytes),
                                            of_element, reading.limit);
    }
    input.bytes = std::move(bytes);
    return std::make_unique<RecordSource>(std::make_unique<JsonLines>(std::move(input), max_bytes), of_line,
                                          reading.limit);
  };
}

}  // namespace bertprep
