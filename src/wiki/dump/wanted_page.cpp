#include "wiki/dump/wanted_page.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/nearest_name.h"

namespace bertprep {
namespace {

constexpr std::size_t kMaxNear = 5;

std::string title_of_page(std::string_view text) {
  constexpr auto kEscapes = std::to_array<std::pair<std::string_view, std::string_view>>(
      {{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#039;", "'"}, {"&amp;", "&"}});
  std::string title(text);
  for (const auto& [escape, character] : kEscapes) {
    for (std::size_t at = title.find(escape); at != title.npos; at = title.find(escape, at + 1)) {
      title.replace(at, escape.size(), character);
    }
  }
  std::replace(title.begin(), title.end(), '_', ' ');
  if (!title.empty() && title[0] >= 'a' && title[0] <= 'z') title[0] = static_cast<char>(title[0] - 'a' + 'A');
  return title;
}

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

}  // namespace bertprep
