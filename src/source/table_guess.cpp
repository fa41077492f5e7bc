#include "source/table_guess.h"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

namespace bertprep {
namespace {

constexpr std::size_t kMostRecords = 100;
constexpr std::size_t kMostNameBytes = 40;
constexpr std::size_t kShownNames = 6;

using Record = std::vector<std::string>;

// Records as RFC 4180 has them: a field in quotes may hold separators, line feeds and quotes, which are doubled.
class Records {
 public:
  Records(std::string_view text, char separator) : text_(text), separator_(separator) {}

  // False at the end, and for a record that the end of the text cuts.
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

// The number of fields that all records have; 0 where they differ or are fewer than two. Blank lines don't count.
std::size_t fields_of_all(std::string_view text, char separator) {
  Records records(text, separator);
  std::size_t fields = 0;
  std::size_t count = 0;
  for (Record record; count < kMostRecords && records.next(record);) {
    if (record.size() == 1 && record[0].empty()) continue;
    if (count++ != 0 && record.size() != fields) return 0;
    fields = record.size();
  }
  return count < 2 ? 0 : fields;
}

bool is_name(std::string_view field) {
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.' || c == ' ' || (static_cast<unsigned char>(c) & 0x80U) != 0;
  };
  return field.size() <= kMostNameBytes && !field.starts_with(' ') && !field.ends_with('.') &&
         std::all_of(field.begin(), field.end(), is_part);
}

// Names, each once. The column of row numbers has none in what pandas writes.
bool are_names(const Record& header) {
  const std::set<std::string> different(header.begin(), header.end());
  const bool has_gap = std::any_of(header.begin() + 1, header.end(), [](const auto& name) { return name.empty(); });
  return header.size() > 1 && !has_gap && different.size() == header.size() &&
         std::all_of(header.begin(), header.end(), [](const std::string& name) { return is_name(name); });
}

std::string shown(const Record& header) {
  std::string names;
  for (std::size_t i = 0; i < std::min(header.size(), kShownNames); ++i) {
    names += (names.empty() ? "" : ", ") + header[i];
  }
  return header.size() > kShownNames ? names + " …" : names;
}

}  // namespace

std::optional<TableGuess> guess_table(std::string_view sample, bool is_cut) {
  std::string text(sample);
  if (!is_cut && !text.ends_with('\n')) text += '\n';
  for (const char separator : {'\t', ',', ';'}) {
    const std::size_t fields = fields_of_all(text, separator);
    if (fields < 2) continue;
    Record header;
    Records(text, separator).next(header);
    const bool has_names = are_names(header);
    if (separator != '\t' && !has_names) continue;
    return TableGuess{separator == '\t' ? "TSV" : "CSV", has_names ? shown(header) : ""};
  }
  return std::nullopt;
}

}  // namespace bertprep
