#include "wiki/dump/multistream_index.h"

#include <algorithm>

#include "base/nearest_name.h"
#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "stream/line_reader.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxNear = 5;

std::string title_of_page(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> kEscapes[] = {
      {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#039;", "'"}, {"&amp;", "&"}};
  std::string title(text);
  for (const auto& [escape, character] : kEscapes) replace_all(title, escape, character);
  std::replace(title.begin(), title.end(), '_', ' ');
  if (!title.empty() && title[0] >= 'a' && title[0] <= 'z') title[0] = static_cast<char>(title[0] - 'a' + 'A');
  return title;
}

struct IndexLine {
  std::uint64_t offset = 0;
  std::string_view id;
  std::string_view title;
};

bool parse(std::string_view line, IndexLine& out) {
  const std::size_t first = line.find(':');
  const std::size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
  if (second == std::string_view::npos) return false;
  const auto offset = number_in<std::uint64_t>(line.substr(0, first));
  out = {offset.value_or(0), line.substr(first + 1, second - first - 1), line.substr(second + 1)};
  return offset.has_value();
}

void replace(std::string& text, std::string_view from, std::string_view to) {
  if (const std::size_t at = text.rfind(from); at != std::string::npos) text.replace(at, from.size(), to);
}

// The state of a search, updated with each line of an index.
class IndexSearch {
 public:
  IndexSearch(const fs::path& index, WantedPage& wanted) : index_(index), wanted_(wanted) {}

  // False: all is found.
  bool take(std::string_view line) {
    ++line_number_;
    if (line.empty()) return true;
    IndexLine entry;
    if (!parse(line, entry) || entry.offset < offset_) {
      throw FormatError("is not a line OFFSET:ID:TITLE of an index",
                        index_.native() + ":" + std::to_string(line_number_), "give the index of a multistream dump");
    }
    if (streams_ == 0 || entry.offset != offset_) begin_stream(entry.offset);
    if (is_found_ || !wanted_.is(entry.id, entry.title)) return !is_complete();
    is_found_ = true;
    page_.stream.begin = offset_;
    page_.id = entry.id;
    return true;
  }
  std::optional<IndexedPage> result() const { return is_found_ ? std::optional(page_) : std::nullopt; }

 private:
  bool is_complete() const { return is_found_ && page_.stream.end != 0 && page_.head.end != 0; }
  void begin_stream(std::uint64_t offset) {
    if (is_found_ && page_.stream.end == 0) page_.stream.end = offset;
    if (++streams_ == 2) page_.head.end = offset;
    offset_ = offset;
  }

  const fs::path& index_;
  WantedPage& wanted_;
  IndexedPage page_;
  std::uint64_t line_number_ = 0;
  std::uint64_t streams_ = 0;
  std::uint64_t offset_ = 0;
  bool is_found_ = false;
};

}  // namespace

WantedPage::WantedPage(std::string_view title_or_id) : wanted_(title_or_id), title_(title_of_page(title_or_id)) {}

bool WantedPage::is(std::string_view id, std::string_view title) {
  if (id == wanted_ || title == wanted_) return true;
  const std::string other = title_of_page(title);
  if (other == title_) return true;
  if (near_.size() < kMaxNear && !nearest_name(title_, {{other}}).empty()) near_.push_back(other);
  return false;
}

std::string WantedPage::advice() const {
  if (near_.empty()) return "check the title or id";
  std::string text = "near titles are";
  for (const std::string& title : near_) text.append(&title == near_.data() ? " '" : ", '").append(title).append("'");
  return text;
}

std::optional<IndexedPage> find_in_index(const fs::path& index, WantedPage& wanted) {
  IndexSearch search(index, wanted);
  LineReader lines(index, open_stream(index));
  for (std::string_view line; lines.next(line) && search.take(line);) {
  }
  return search.result();
}

fs::path index_beside(const fs::path& dump) {
  std::string name = dump.filename();
  if (name.find("-multistream") == std::string::npos) return {};
  replace(name, "-multistream", "-multistream-index");
  replace(name, ".xml", ".txt");
  for (const std::string& candidate : {name, name.ends_with(".bz2") ? name.substr(0, name.size() - 4) : name}) {
    if (fs::exists(dump.parent_path() / candidate)) return dump.parent_path() / candidate;
  }
  return {};
}

}  // namespace bertprep
