#include "source/table_guess.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "unicode/ascii.h"

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

}  // namespace bertprep
