#include "source/format_guess.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <tuple>
#include <vector>

#include "bertprep/base/error.h"
#include "source/formats/json_elements.h"
#include "source/formats/wikitext_source.h"
#include "source/input/input_texts.h"
#include "unicode/ascii.h"
#include "unicode/code_points.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

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

bool has_column_names(std::string_view text, char separator) {
  Record header;
  return Records(text, separator).next(header) && are_names(header);
}

}  // namespace

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

namespace {

constexpr std::size_t kSampleBytes = std::size_t{1} << 20;
constexpr std::size_t kArticleLineBytes = 2000;
constexpr std::size_t kSentenceLineBytes = 500;
constexpr const char* kHint = "name the format with --format";
constexpr const char* kConvert =
    "convert it: iconv -f ENCODING -t UTF-8 FILE > FILE.utf8, or, if each file is a book, give --format books";

struct LineCounts {
  std::size_t lines = 0;  // other than blank ones
  std::size_t bytes = 0;
  std::size_t groups = 0;  // of lines between blank lines

  bool are_articles() const { return bytes > kArticleLineBytes * lines; }
  bool are_sentences() const { return groups > 1 && lines >= 2 * groups && bytes <= kSentenceLineBytes * lines; }
};

std::vector<std::string_view> lines_of(std::string_view sample) {
  std::vector<std::string_view> lines;
  while (!sample.empty()) {
    const std::size_t end = std::min(sample.find('\n'), sample.size());
    lines.push_back(sample.substr(0, end));
    sample.remove_prefix(std::min(end + 1, sample.size()));
  }
  return lines;
}

bool is_blank(std::string_view line) {
  return strip(line).empty();
}

LineCounts count_lines(std::span<const std::string_view> lines) {
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
std::string first_bytes(ByteStream& stream) {
  std::string bytes;
  try {
    while (bytes.size() < kSampleBytes) {
      const std::string_view block = stream.next_block();
      if (block.empty()) break;
      // The text may begin after more blank lines than the sample holds.
      if (is_blank(bytes)) bytes.clear();
      bytes += block.substr(0, kSampleBytes - bytes.size());
    }
  } catch (const FormatError&) {
    if (bytes.empty()) throw;
  }
  return bytes;
}

// Rule 6: it is in a folder or an archive, and is named *.txt.
bool may_be_book(const Input& input, const std::filesystem::path& file, const std::string& name) {
  return (input.is_folder || name != file) && ends_in_any_case(without_compression_ending(name), ".txt");
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

// "pages.csv", and "pages.csv.gz", whose first line has names: a table, however many bad records it has.
std::optional<InputFormat> table_by_name(std::string_view text, const std::string& name) {
  const std::string lower = ascii_lower(name);
  const auto ends_in = [&](std::string_view ending) {
    const std::size_t at = lower.rfind(ending);
    return at != std::string::npos && (at + ending.size() == lower.size() || lower[at + ending.size()] == '.');
  };
  for (const auto& [ending, format, separators] :
       {std::tuple(".csv", InputFormat::kCsv, ",;"), std::tuple(".tsv", InputFormat::kTsv, "\t")}) {
    if (!ends_in(ending)) continue;
    for (const char separator : std::string_view(separators)) {
      if (has_column_names(text, separator)) return format;
    }
  }
  return std::nullopt;
}

std::optional<InputFormat> table_format(std::string_view text, bool is_truncated, const std::string& name) {
  const auto table = guess_table(text, is_truncated);
  if (!table) return table_by_name(text, name);
  if (table->has_names) return table->format;
  throw FormatError("this is TSV whose columns have no names", name,
                    "put a line with their names in front, or --format articles if a line is one");
}

}  // namespace

InputFormat guess_format_of(std::string_view sample, bool is_truncated, bool may_be_book, const std::string& name) {
  if (const auto foreign = foreign_format_of(sample)) throw foreign_error(*foreign, name);
  if (const auto wide = wide_text_of(sample)) {
    if (may_be_book) return InputFormat::kBooks;
    throw foreign_error(*wide, name);
  }
  if (sample.find('\0') != std::string_view::npos) throw FormatError("this is not text", name, kHint);
  const std::string_view text = strip(unicode::without_byte_order_mark(sample));
  if (const auto xml = xml_head_of(text)) return input_format(xml->format);
  if (is_json(text, name)) return InputFormat::kJsonl;
  if (!may_be_book && !is_utf8(sample, is_truncated)) throw FormatError("this is not UTF-8", name, kConvert);
  const auto lines = lines_of(unicode::without_byte_order_mark(sample));
  if (has_wikitext_title(lines)) return InputFormat::kWikitext;
  refuse_wikitext_with_carriage_returns(lines, name);
  if (!may_be_book) {
    if (const auto table = table_format(text, is_truncated, name)) return *table;
  }
  const LineCounts counts = count_lines(lines);
  if (counts.are_articles()) return InputFormat::kArticles;
  if (may_be_book) return InputFormat::kBooks;
  return counts.are_sentences() ? InputFormat::kSentences : InputFormat::kArticles;
}

std::optional<ForeignFormat> unformatted_kind(std::string_view sample) {
  constexpr const char* kFormatFirst = "run 'bertprep format' on it first, or give --force to take its lines as text";
  const std::string_view text = strip(unicode::without_byte_order_mark(sample));
  if (begins_as_json_objects(text) || begins_as_json_strings(text)) return ForeignFormat{"JSON", kFormatFirst};
  if (is_closed_on_first_line(text)) return std::nullopt;
  if (const auto foreign = foreign_format_of(sample)) return foreign;
  if (const auto wide = wide_text_of(sample)) return wide;
  if (const auto xml = xml_head_of(text)) return ForeignFormat{kind_of(*xml), kFormatFirst};
  return std::nullopt;
}

InputFormat guess_format(std::span<const Input> inputs) {
  std::optional<FormatError> unfit;
  for (const Input& input : inputs) {
    for (const auto& file : input.files) {
      if (!std::filesystem::is_regular_file(file)) {
        throw FormatError("the format can't be detected without using up the input", file, kHint);
      }
      InputTexts texts(file, input.choice, {});
      for (TextInput text; texts.next(text);) {
        const std::string sample = first_bytes(*text.bytes);
        if (is_blank(unicode::without_byte_order_mark(sample))) continue;
        const bool is_book = may_be_book(input, file, text.name);
        try {
          return guess_format_of(sample, sample.size() == kSampleBytes, is_book, text.name);
        } catch (const FormatError& error) {
          // Among books, only this one is rejected.
          if (!is_book) throw;
          if (!unfit) unfit = error;
        }
      }
    }
  }
  if (unfit) throw FormatError(*unfit);
  std::error_code error;
  const auto& first = inputs.front().given;
  if (std::filesystem::is_regular_file(first, error) && std::filesystem::is_empty(first, error)) {
    throw FormatError("it is empty (0 bytes)", first, "get the file again");
  }
  throw FormatError("there is no text in it", inputs.front().given, "check that it is not empty");
}

}  // namespace bertprep
