#include "wiki/templates/magic_words.h"

#include <algorithm>

namespace bertprep {
namespace {

std::string_view name_space(std::string_view title) {
  const auto colon = title.find(':');
  return colon == std::string_view::npos ? std::string_view{} : title.substr(0, colon);
}

std::string_view page_name(std::string_view title) {
  return title.substr(title.find(':') + 1);
}

std::string_view before(std::string_view text, std::size_t at) {
  return text.substr(0, at);
}

struct Word {
  std::string_view name;
  std::string_view (*value)(const WikiSite& site, std::string_view title);
};

std::string_view bar(const WikiSite&, std::string_view) {
  return "|";
}
std::string_view name_space_of(const WikiSite&, std::string_view title) {
  return name_space(title);
}
std::string_view name_space_number(const WikiSite& site, std::string_view title) {
  const auto found = site.namespaces.find(std::string(name_space(title)));
  return found == site.namespaces.end() ? std::string_view("0") : std::string_view(found->second);
}
std::string_view page_name_of(const WikiSite&, std::string_view title) {
  return page_name(title);
}
std::string_view full_page_name(const WikiSite&, std::string_view title) {
  return title;
}
std::string_view base_page_name(const WikiSite&, std::string_view title) {
  const auto name = page_name(title);
  return before(name, name.rfind('/'));
}
std::string_view sub_page_name(const WikiSite&, std::string_view title) {
  const auto name = page_name(title);
  const auto slash = name.rfind('/');
  return slash == std::string_view::npos ? std::string_view{} : name.substr(slash + 1);
}
std::string_view root_page_name(const WikiSite&, std::string_view title) {
  const auto name = page_name(title);
  return before(name, name.find('/'));
}

// Places in "YYYY-MM-DDTHH:MM:SS".
std::string_view clock_part(const WikiSite& site, std::size_t begin, std::size_t length) {
  return begin < site.clock.size() ? std::string_view(site.clock).substr(begin, length) : std::string_view{};
}
std::string_view year(const WikiSite& site, std::string_view) {
  return clock_part(site, 0, 4);
}
std::string_view month(const WikiSite& site, std::string_view) {
  return clock_part(site, 5, 2);
}
std::string_view day(const WikiSite& site, std::string_view) {
  return clock_part(site, 8, 2);
}
std::string_view hour(const WikiSite& site, std::string_view) {
  return clock_part(site, 11, 2);
}
std::string_view time_of_day(const WikiSite& site, std::string_view) {
  return clock_part(site, 11, 8);
}

constexpr Word kWords[] = {
    {"!", bar},
    {"NAMESPACE", name_space_of},
    {"NAMESPACENUMBER", name_space_number},
    {"PAGENAME", page_name_of},
    {"FULLPAGENAME", full_page_name},
    {"BASEPAGENAME", base_page_name},
    {"SUBPAGENAME", sub_page_name},
    {"ROOTPAGENAME", root_page_name},
    {"CURRENTYEAR", year},
    {"CURRENTMONTH", month},
    {"CURRENTDAY", day},
    {"CURRENTHOUR", hour},
    {"CURRENTTIME", time_of_day},
};

}  // namespace

bool append_magic_word(std::string_view name, const WikiSite& site, const WikiPage& page, std::string& out) {
  const auto* const word =
      std::find_if(std::begin(kWords), std::end(kWords), [name](const Word& known) { return known.name == name; });
  if (word == std::end(kWords)) return false;
  out += word->value(site, page.title);
  return true;
}

}  // namespace bertprep
