#include "source/format_guess.h"

#include <algorithm>
#include <array>
#include <set>

#include "source/books/gutenberg.h"
#include "source/columns/arrow_stream.h"
#include "source/formats/cirrus_source.h"
#include "source/formats/jsonl_source.h"
#include "source/formats/text_source.h"
#include "source/formats/wikiextractor_source.h"
#include "source/line_pairs.h"
#include "unicode/ascii.h"
#include "unicode/code_points.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

constexpr std::size_t kMaxLines = 100;

// The formats of texts with such names; kMediawiki stands for all formats of XML.
constexpr std::pair<std::string_view, InputFormat> kEndings[] = {
    {".jsonl", InputFormat::kJsonl},     {".ndjson", InputFormat::kJsonl},    {".json", InputFormat::kJsonl},
    {".csv", InputFormat::kCsv},         {".tsv", InputFormat::kTsv},         {".xml", InputFormat::kMediawiki},
    {".html", InputFormat::kMediawiki},  {".xhtml", InputFormat::kMediawiki}, {".htm", InputFormat::kMediawiki},
    {".parquet", InputFormat::kParquet}, {".arrow", InputFormat::kArrow},     {".sqlite", InputFormat::kSqlite},
    {".sqlite3", InputFormat::kSqlite}};

// What else a text of the first format by its name may be.
constexpr std::array<std::pair<InputFormat, InputFormat>, 4> kAlsoNamedSo = {
    {{InputFormat::kJsonl, InputFormat::kCirrus},
     {InputFormat::kCsv, InputFormat::kTsv},
     {InputFormat::kMediawiki, InputFormat::kWikiextractor},
     {InputFormat::kMediawiki, InputFormat::kPubmed}}};

// After a bracket that opens an array.
std::string_view first_sign_of(std::string_view line) {
  line = strip(line);
  if (line.starts_with('[')) line = strip(line.substr(1));
  return line;
}

// "{'text': 'a'}", as Python prints it.
bool is_python_dict(std::string_view line) {
  line = first_sign_of(line);
  return line.starts_with('{') && strip(line.substr(1)).starts_with('\'');
}

bool is_json_object(std::string_view line) {
  line = first_sign_of(line);
  return line.starts_with('{') && strip(line.substr(1)).starts_with('"');
}

// A line of an object that spans several.
bool is_spread_json(std::string_view line) {
  line = strip(line);
  if (line.ends_with(',')) line.remove_suffix(1);
  return line == "{" || line == "}" || line == "[" || line == "]" ||
         (line.starts_with('"') && line.find("\":") != std::string_view::npos);
}

struct Fault {
  const char* what;
  const char* hint;
};

Fault fault_of(std::string_view line) {
  constexpr const char* kOneObject = "write one object per line, such as {\"text\": \"It rains.\"}";
  if (is_python_dict(line)) {
    return {"this is a Python dict, not JSON",
            "write JSON: python3 -c 'import ast, json, sys; [print(json.dumps(ast.literal_eval(line))) for line in "
            "sys.stdin]' < FILE > FILE.jsonl"};
  }
  for (const std::string_view comment : {"//", "#", "/*"}) {
    if (line.starts_with(comment)) return {"this is a comment, which JSON lacks", "remove it"};
  }
  if (line.starts_with('"')) {
    return {"this is a JSON string, not an object", "write one object per line: jq -c '{text: .}' FILE > FILE.jsonl"};
  }
  if (line.starts_with('[')) return {"this is a JSON array, not an object", kOneObject};
  return {"this is not a JSON object",
          "correct it, or give `format` jsonl to reject such lines; if it is text, rename the file"};
}

// Throws FormatError if a text with this name can't be in the format that its content shows.
void require_agreement(InputFormat named, InputFormat content, const std::string& name) {
  if (named == InputFormat::kAuto || named == content) return;
  if (std::ranges::find(kAlsoNamedSo, std::pair(named, content)) != kAlsoNamedSo.end()) return;
  const std::string format(name_of(content));
  throw FormatError("its content looks like " + format + ", its name does not", name,
                    "rename it, or give `format` " + format);
}

// Whether most of the first lines look like JSON objects or Python dicts.
bool has_json_lines(std::span<const std::string_view> lines) {
  std::size_t seen = 0;
  std::size_t like_json = 0;
  for (const std::string_view line : lines) {
    if (seen == kMaxLines) break;
    if (strip(line).empty()) continue;
    ++seen;
    like_json += is_json_object(line) || is_python_dict(line) || is_spread_json(line) ? 1 : 0;
  }
  return like_json * 2 >= seen && like_json > 0;
}

// For JSON that does not begin as an object: says what its first line is.
[[noreturn]] void refuse_first_line(std::span<const std::string_view> lines, const std::string& name) {
  const auto is_text = [](std::string_view line) { return !strip(line).empty(); };
  const auto first = std::find_if(lines.begin(), lines.end(), is_text);
  const Fault fault = fault_of(first == lines.end() ? "" : strip(*first));
  throw FormatError(fault.what, name + ":" + std::to_string(first - lines.begin() + 1), fault.hint);
}

// Tables as text: CSV and TSV.
struct TableGuess {
  InputFormat format;  // kCsv or kTsv
  bool has_names;      // the first record has the names of the columns
};

constexpr std::size_t kMaxRecords = 100;
constexpr std::size_t kMaxNameBytes = 40;

using Record = std::vector<std::string>;

// Records as RFC 4180 has them: a quoted field may contain separators, line feeds and quotes, which are doubled.
class Records {
 public:
  Records(std::string_view text, char separator) : text_(text), separator_(separator) {}

  // False at the end, and for a record truncated by the end of the text.
  bool next(Record& record) {
    record.assign(1, "");
    bool is_quoted = false;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (is_quoted && text_.substr(at_).starts_with("\"\"")) {
        record.back() += text_[at_++];
      } else if (c == '"' && (is_quoted || record.back().empty())) {
        is_quoted = !is_quoted;
      } else if (!is_quoted && c == separator_) {
        record.emplace_back();
      } else if (!is_quoted && c == '\n') {
        ++at_;
        return true;
      } else if (c != '\r') {
        record.back() += c;
      }
    }
    return false;
  }

 private:
  std::string_view text_;
  char separator_;
  std::size_t at_ = 0;
};

// The number of fields of the first record, if nine in ten of the others have as many; 0 if they don't, or there are no
// others. Blank lines don't count.
std::size_t fields_of_most(std::string_view text, char separator) {
  Records records(text, separator);
  std::size_t fields = 0;
  std::size_t others = 0;
  std::size_t good = 0;
  for (Record record; others < kMaxRecords && records.next(record);) {
    if (record.size() == 1 && record[0].empty()) continue;
    if (fields == 0) {
      fields = record.size();
    } else {
      ++others;
      good += record.size() == fields ? 1 : 0;
    }
  }
  return others == 0 || good * 10 < others * 9 ? 0 : fields;
}

bool is_name(std::string_view field) {
  const auto is_part = [](char c) {
    return is_ascii_alphanumeric(c) || c == '_' || c == '-' || c == '.' || c == ' ' ||
           (static_cast<unsigned char>(c) & 0x80U) != 0;
  };
  return field.size() <= kMaxNameBytes && !field.starts_with(' ') && !field.ends_with('.') &&
         std::all_of(field.begin(), field.end(), is_part);
}

// Distinct names. In pandas' output, the column of row numbers has no name.
bool are_names(const Record& header) {
  const std::set<std::string> different(header.begin(), header.end());
  const bool has_gap = std::any_of(header.begin() + 1, header.end(), [](const auto& name) { return name.empty(); });
  return header.size() > 1 && !has_gap && different.size() == header.size() &&
         std::all_of(header.begin(), header.end(), [](const std::string& name) { return is_name(name); });
}

// Judges a text by its first bytes. It is a table if the first record has names of columns, or tabs separate the
// fields, and nine in ten of the other records have as many fields. Prose with commas is not a table: blanks follow
// them.
std::optional<TableGuess> guess_table(std::string_view sample, bool is_truncated) {
  std::string text(sample);
  if (!is_truncated && !text.ends_with('\n')) text += '\n';
  for (const char separator : {'\t', ',', ';'}) {
    const std::size_t fields = fields_of_most(text, separator);
    if (fields < 2) continue;
    Record header;
    Records(text, separator).next(header);
    const bool has_names = are_names(header);
    if (separator != '\t' && !has_names) continue;
    return TableGuess{separator == '\t' ? InputFormat::kTsv : InputFormat::kCsv, has_names};
  }
  return std::nullopt;
}

constexpr std::size_t kSampleBytes = std::size_t{1} << 20;
constexpr std::size_t kLaterSampleBytes = std::size_t{1} << 18;
constexpr std::size_t kArticleLineBytes = 2000;
constexpr std::size_t kSentenceLineBytes = 500;
constexpr std::size_t kMinGroups = 2;
constexpr std::size_t kMinLines = 6;
constexpr const char* kHint = "name the format with `format`, or leave it out with `exclude`";
constexpr const char* kConvert =
    "convert it: iconv -f ENCODING -t UTF-8 FILE > FILE.utf8, or, if each file is a book, give --format books";

struct LineCounts {
  std::size_t lines = 0;  // other than blank ones
  std::size_t bytes = 0;
  std::size_t groups = 0;  // of lines between blank lines
  std::size_t texts = 0;
  LinePairs pairs{};  // of lines that follow each other

  LineCounts& operator+=(const LineCounts& other) {
    lines += other.lines;
    bytes += other.bytes;
    groups += other.groups;
    texts += other.texts;
    pairs += other.pairs;
    return *this;
  }

  bool are_articles() const { return bytes > kArticleLineBytes * lines; }
  // Lines that end sentences: those of a document are paragraphs, or broken to fit a width.
  bool are_text_shards() const {
    return are_sentences() && groups >= kMinGroups * texts && lines >= kMinLines * texts && pairs.end_sentences();
  }
  bool are_sentences() const { return groups > 1 && lines >= 2 * groups && bytes <= kSentenceLineBytes * lines; }
};

bool is_blank(std::string_view line) {
  return strip(line).empty();
}

LineCounts count_kinds_of_lines(std::span<const std::string_view> lines) {
  LineCounts counts;
  bool after_blank = true;
  for (const std::string_view line : lines) {
    const bool blank = is_blank(line);
    if (!blank) {
      ++counts.lines;
      counts.bytes += line.size();
      if (after_blank) ++counts.groups;
    }
    after_blank = blank;
  }
  return counts;
}

bool has_wikitext_title(std::span<const std::string_view> lines) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool starts = i == 0 || is_blank(lines[i - 1]);
    const bool ends = i + 1 == lines.size() || is_blank(lines[i + 1]);
    if (starts && ends && looks_like_wikitext_title(lines[i])) return true;
  }
  return false;
}

// The reference, which ends lines at LF only, would find no title and make one article of it.
void refuse_wikitext_with_carriage_returns(std::vector<std::string_view> lines, const std::string& name) {
  for (std::string_view& line : lines) {
    if (line.ends_with('\r')) line.remove_suffix(1);
  }
  if (has_wikitext_title(lines)) {
    throw FormatError("this is WikiText whose lines end in CR LF", name, "make them end in LF: tr -d '\\r' < FILE");
  }
}

// A sample may end within a character.
bool is_utf8(std::string_view sample, bool is_truncated) {
  const auto fault = find_invalid_utf8(sample);
  return !fault || (is_truncated && *fault + 4 > sample.size());
}

// Later damage is reported by the reader.
std::string first_bytes(ByteStream& stream, std::size_t limit) {
  std::string bytes;
  try {
    while (bytes.size() < limit) {
      const std::string_view block = stream.next_block();
      if (block.empty()) break;
      // The text may begin after more blank lines than the sample holds.
      if (is_blank(bytes)) bytes.clear();
      bytes += block.substr(0, limit - bytes.size());
    }
  } catch (const FormatError&) {
    if (bytes.empty()) throw;
  }
  return bytes;
}

bool is_document_name(std::string_view name) {
  constexpr std::array<std::string_view, 5> kOfDocuments = {".txt", ".text", ".md", ".markdown", ".rst"};
  const std::string_view bare = without_compression_ending(name);
  return std::ranges::any_of(kOfDocuments, [&](auto ending) { return ends_in_any_case(bare, ending); });
}

// Rule 8: it is named like a document, and is one of several. `is_in_list`: all inputs are files with such names.
bool may_be_book(const Input& input, bool is_in_list, const std::filesystem::path& file, const std::string& name) {
  if (name != file) return ends_in_any_case(without_compression_ending(name), ".txt");
  return (input.is_folder || is_in_list) && is_document_name(name);
}

// "*** START OF THE PROJECT GUTENBERG EBOOK X ***", or its end.
bool has_gutenberg_mark(std::span<const std::string_view> lines) {
  return std::any_of(lines.begin(), lines.end(), [](std::string_view line) {
    const GutenbergLine kind = line.starts_with('*') ? gutenberg_line(line) : GutenbergLine::kText;
    return kind == GutenbergLine::kStart || kind == GutenbergLine::kEnd;
  });
}

bool is_json(std::string_view text, const std::string& name) {
  if (begins_as_json_strings(text)) {
    throw FormatError("this is a JSON array of strings", name,
                      "write one object per line: jq -c '.[] | {text: .}' FILE > FILE.jsonl");
  }
  if (!begins_as_json_objects(text)) return false;
  if (json_layout_of(text) != JsonLayout::kSpread) return true;
  throw FormatError("this is JSON, an object that spans several lines", name, kSpreadJsonHint);
}

std::optional<InputFormat> table_format(std::string_view text, bool is_truncated, const std::string& name) {
  const auto table = guess_table(text, is_truncated);
  if (!table) return std::nullopt;
  if (table->has_names) return table->format;
  throw FormatError("this is TSV whose columns have no names", name,
                    "put a line with their names in front, or `format` articles if a line is one");
}

// Its first record names the columns, however odd; the reader refuses it if none of them has the text.
InputFormat named_table_format(InputFormat named, std::string_view text, bool is_truncated, const std::string& name) {
  const auto format = table_format(text, is_truncated, name);
  return named == InputFormat::kTsv ? InputFormat::kTsv : format.value_or(InputFormat::kCsv);
}

// Nothing if only the lengths of its lines can tell: kArticles, kSentences, kBooks.
std::optional<InputFormat> structured_format_of(std::string_view sample, bool is_truncated, bool may_be_book,
                                                const std::string& name) {
  const InputFormat named = format_by_name(name);
  const auto content = [&](InputFormat format) {
    require_agreement(named, format, name);
    return format;
  };
  if (begins_as_parquet(sample)) return content(InputFormat::kParquet);
  if (begins_as_arrow(sample)) return content(InputFormat::kArrow);
  if (begins_as_sqlite(sample)) return content(InputFormat::kSqlite);
  if (const auto foreign = foreign_format_of(sample)) throw foreign_error(*foreign, name);
  if (named == InputFormat::kParquet || named == InputFormat::kArrow || named == InputFormat::kSqlite) {
    const bool is_arrow = named == InputFormat::kArrow;
    const std::string format = named == InputFormat::kParquet ? "Parquet" : is_arrow ? "Arrow" : "SQLite";
    throw FormatError("its name is that of " + format + ", its content is not", name, kHint);
  }
  if (const auto wide = wide_text_of(sample)) {
    if (may_be_book) return std::nullopt;
    throw foreign_error(*wide, name);
  }
  if (sample.find('\0') != std::string_view::npos) throw FormatError("this is not text", name, kHint);
  const std::string_view text = strip(unicode::without_byte_order_mark(sample));
  if (const auto xml = xml_head_of(text)) return content(input_format(xml->format));
  if (begins_as_cirrus(text)) return content(InputFormat::kCirrus);
  if (is_json(text, name)) return content(InputFormat::kJsonl);
  const auto lines = lines_of(unicode::without_byte_order_mark(sample));
  if (named == InputFormat::kJsonl || has_json_lines(lines)) refuse_first_line(lines, name);
  if (const auto markup = markup_of(text)) throw foreign_error(*markup, name);
  if (named == InputFormat::kMediawiki) {
    throw FormatError("its name is that of XML or HTML, its content is not", name, kHint);
  }
  if (!may_be_book && !is_utf8(sample, is_truncated)) throw FormatError("this is not UTF-8", name, kConvert);
  if (named != InputFormat::kAuto) return named_table_format(named, text, is_truncated, name);
  if (has_wikitext_title(lines)) return InputFormat::kWikitext;
  refuse_wikitext_with_carriage_returns(lines, name);
  if (may_be_book) return std::nullopt;
  return has_gutenberg_mark(lines) ? InputFormat::kBooks : table_format(text, is_truncated, name);
}

InputFormat plain_format_of(const LineCounts& counts, bool may_be_book) {
  if (counts.are_articles()) return InputFormat::kArticles;
  if (counts.pairs.are_wrapped() || (may_be_book && !counts.are_text_shards())) return InputFormat::kBooks;
  return counts.are_sentences() ? InputFormat::kSentences : InputFormat::kArticles;
}

// Books may be in UTF-16, whose lines are not counted.
LineCounts counts_of(std::string_view sample) {
  if (wide_text_of(sample)) return {};
  const auto lines = lines_of(unicode::without_byte_order_mark(sample));
  LineCounts counts = count_kinds_of_lines(lines);
  counts.texts = 1;
  counts.pairs = line_pairs_of(lines);
  return counts;
}

// The formats of the texts of all inputs.
class FormatsFound {
 public:
  void add(InputFormat format, const std::string& name) { names_.emplace(format, name); }

  void add_plain(const LineCounts& counts, bool may_be_book, const std::string& name) {
    Plain& plain = may_be_book ? books_ : others_;
    if (plain.name.empty()) plain.name = name;
    plain.counts += counts;
  }

  bool is_empty() const { return names_.empty() && books_.name.empty() && others_.name.empty(); }
  bool has(InputFormat format) const { return names_.contains(format); }

  // Nothing if no text was added. Throws FormatError if they differ.
  std::optional<FormatGuess> guess(const std::filesystem::path& input) const {
    auto found = names_;
    if (!books_.name.empty()) found.emplace(plain_format_of(books_.counts, true), books_.name);
    if (!others_.name.empty()) found.emplace(plain_format_of(others_.counts, false), others_.name);
    if (found.empty()) return std::nullopt;
    const auto& [format, name] = *found.begin();
    if (found.size() == 1) return FormatGuess{format, names_.empty()};
    const auto& [other, other_name] = *std::next(found.begin());
    throw FormatError("there are two formats: " + std::string(name_of(format)) + " (" + name + ") and " +
                          std::string(name_of(other)) + " (" + other_name + ")",
                      input, "choose files with `include` or `exclude`, or name the format of all with `format`");
  }

 private:
  // Of such texts, all together decide.
  struct Plain {
    std::string name{};  // of the first
    LineCounts counts{};
  };

  std::map<InputFormat, std::string> names_;  // of the first in each format
  Plain books_;
  Plain others_;
};

// Looking into a file costs a read, and into a member of an archive the decompression of those before it.
constexpr std::size_t kMaxFiles = 256;
constexpr std::size_t kMaxMembers = 32;

class FormatSearch {
 public:
  explicit FormatSearch(std::span<const Input> inputs)
      : is_list_(inputs.size() > 1 && std::all_of(inputs.begin(), inputs.end(), [](const Input& input) {
                   return !input.is_folder && is_document_name(input.given.native());
                 })) {}

  // Beside extracted articles, other files of a folder are not read (keep_extracted_files).
  void look_into(const Input& input) {
    bool has_extracted = false;
    for (const auto& file : input.files) {
      if (!input.is_folder || !is_extracted_file(file)) continue;
      look_into(input, file);
      has_extracted = has_extracted || found_.has(InputFormat::kWikiextractor);
    }
    if (has_extracted && input.choice.include.empty()) return;
    for (const auto& file : input.files) {
      if (!input.is_folder || !is_extracted_file(file)) look_into(input, file);
    }
  }

  FormatGuess guess(const std::filesystem::path& first) const {
    if (const auto guess = found_.guess(first)) return *guess;
    if (unfit_) throw FormatError(*unfit_);
    std::error_code error;
    if (std::filesystem::is_regular_file(first, error) && std::filesystem::is_empty(first, error)) {
      throw FormatError("it is empty (0 bytes)", first, "get the file again");
    }
    throw FormatError("there is no text in it", first, "check that it is not empty");
  }

 private:
  void look_into(const Input& input, const std::filesystem::path& file) {
    if (!std::filesystem::is_regular_file(file)) {
      throw FormatError("the format can't be detected without using up the input", file, kHint);
    }
    if (!endings_.insert(ascii_lower(file.extension().native())).second && files_ >= kMaxFiles) return;
    ++files_;
    InputTexts texts(file, input.choice, {});
    TextInput text;
    for (std::size_t i = 0; i < kMaxMembers && texts.next(text); ++i) {
      const std::string sample = first_bytes(*text.bytes, found_.is_empty() ? kSampleBytes : kLaterSampleBytes);
      if (!is_blank(unicode::without_byte_order_mark(sample)))
        judge(sample, text, may_be_book(input, is_list_, file, text.name), text.name != file);
    }
  }

  void judge(const std::string& sample, const TextInput& text, bool is_book, bool is_member) {
    const bool is_truncated = sample.size() == (found_.is_empty() ? kSampleBytes : kLaterSampleBytes);
    try {
      const auto format = structured_format_of(sample, is_truncated, is_book, text.name);
      if (format) return found_.add(*format, text.name);
      LineCounts counts = counts_of(sample);
      if (is_member && !is_book) counts.pairs = {};  // no book is read from a member with another name
      found_.add_plain(counts, is_book, text.name);
    } catch (const FormatError& error) {
      // Among books, only this one is rejected.
      if (!is_book) throw;
      if (!unfit_) unfit_ = error;
    }
  }

  bool is_list_;  // of documents
  FormatsFound found_;
  std::optional<FormatError> unfit_;
  std::set<std::string> endings_;  // of the files
  std::size_t files_ = 0;
};

}  // namespace

InputFormat format_by_name(std::string_view name) {
  const std::string_view bare = without_compression_ending(name);
  const auto found =
      std::ranges::find_if(kEndings, [&](const auto& ending) { return ends_in_any_case(bare, ending.first); });
  return found == std::end(kEndings) ? InputFormat::kAuto : found->second;
}

InputFormat guess_format_of(std::string_view sample, bool is_truncated, bool may_be_book, const std::string& name) {
  const auto format = structured_format_of(sample, is_truncated, may_be_book, name);
  return format ? *format : plain_format_of(counts_of(sample), may_be_book);
}

std::optional<ForeignFormat> unformatted_kind(std::string_view sample) {
  constexpr const char* kFormatFirst = "run 'bertprep format' on it first, or give `force` to take its lines as text";
  const std::string_view text = strip(unicode::without_byte_order_mark(sample));
  if (begins_as_json_objects(text) || begins_as_json_strings(text)) return ForeignFormat{"JSON", kFormatFirst};
  if (is_closed_on_first_line(text)) return std::nullopt;
  if (begins_as_parquet(sample)) return ForeignFormat{"Parquet", kFormatFirst};
  if (begins_as_arrow(sample)) return ForeignFormat{"Arrow", kFormatFirst};
  if (begins_as_sqlite(sample)) return ForeignFormat{"an SQLite database", kFormatFirst};
  if (const auto foreign = foreign_format_of(sample)) return foreign;
  if (const auto wide = wide_text_of(sample)) return wide;
  if (const auto xml = xml_head_of(text)) return ForeignFormat{kind_of(*xml), kFormatFirst};
  return std::nullopt;
}

FormatGuess guess_format(std::span<const Input> inputs) {
  FormatSearch search(inputs);
  for (const Input& input : inputs) search.look_into(input);
  return search.guess(inputs.front().given);
}

}  // namespace bertprep
