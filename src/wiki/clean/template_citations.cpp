// References within a text, by author and year.
#include <array>

#include "wiki/clean/templates.h"

namespace bertprep::clean {
namespace {

constexpr std::size_t kMostNames = 4;

// "Smith", "Smith & Jones", "Smith, Jones & Brown"; of four the first: "Smith et al."
std::string listed_names(TemplateCall& call, std::size_t count, std::string_view last) {
  std::string text = call.at(1);
  if (count == kMostNames) return text.append(" et al.");
  for (std::size_t number = 2; number <= count; ++number) {
    text.append(number == count ? last : std::string_view(", ")).append(call.at(number));
  }
  return text;
}

// ", p. 5, loc"; with `colon` ":5, loc".
std::string place_within(TemplateCall& call, bool colon) {
  std::string text;
  const std::string& page = call.any_of({"p", "page"});
  const std::string& pages = call.any_of({"pp", "pages"});
  const std::string& place = call.any_of({"loc", "at"});
  if (!page.empty()) {
    text.append(colon ? ":" : ", p. ").append(page);
  } else if (!pages.empty()) {
    text.append(colon ? ":" : ", pp. ").append(pages);
  }
  if (!place.empty()) text.append(", ").append(place);
  return text;
}

// {{harvtxt|Smith|Jones|2010|p=3}}: "Smith & Jones (2010, p. 3)". `detail` says where the brackets stand: "(" around
// all, "t" around year and page, "p" around the year, "n" nowhere; a ":" stands before the page. Other wikis write
// these in other ways.
void write_citation_text(TemplateCall& call, std::string_view detail, std::string& out) {
  if (call.count() < 2 || call.count() > kMostNames + 1) return;
  for (std::size_t number = 1; number <= call.count(); ++number) {
    if (call.at(number).empty()) return;
  }
  const std::size_t names = call.count() - 1;
  const bool is_french = call.language() == "fr";
  if (is_french && names > 2) return;
  const char form = detail.front();
  const std::string place = place_within(call, detail.ends_with(':'));
  out.append(form == '(' ? "(" : "").append(listed_names(call, names, is_french ? " et " : " & "));
  out.append(form == 't' || form == 'p' ? " (" : " ").append(call.at(call.count()));
  if (form == 'p') out.push_back(')');
  out.append(place);
  if (form == '(' || form == 't') out.push_back(')');
  out.append(call.any_of({"ps", "postscript"}) == "none" ? std::string() : call.any_of({"ps", "postscript"}));
}

// {{harvs|txt|last=Smith|year=2001}}: "Smith (2001)"; with "nb" "Smith 2001", else "(Smith 2001)".
void write_citation_by_names(TemplateCall& call, std::string_view /*detail*/, std::string& out) {
  const std::string form = call.plain(1);
  const std::string& year = call.named("year");
  std::string names = form == "txt" ? call.named("first") : std::string();
  names.append(names.empty() ? "" : " ").append(call.any_of({"last", "last1"}));
  if (!call.named("last2").empty()) names.append(" & ").append(call.named("last2"));
  const bool is_known = (form.empty() || form == "txt" || form == "nb");
  if (!is_known || call.any_of({"last", "last1"}).empty() || year.empty()) return;
  out.append(form.empty() ? "(" : "").append(names).append(form == "txt" ? " (" : " ").append(year);
  out.append(place_within(call, false)).append(form == "nb" ? "" : ")");
}

constexpr std::array kCitationTemplates = std::to_array<TemplateEntry>({
    {"harv", write_citation_text, "(", "2 3 4", "en ja fr"},
    {"harvard citation", write_citation_text, "(", "2 3 4", "en ja fr"},
    {"harvcol", write_citation_text, "(:", "2 3 4", "en ja fr"},
    {"harvtxt", write_citation_text, "t", "2 3 4", "en ja fr"},
    {"harvard citation text", write_citation_text, "t", "2 3 4", "en ja fr"},
    {"harvcoltxt", write_citation_text, "t:", "2 3 4", "en ja fr"},
    {"harvp", write_citation_text, "p", "2 3 4", "en ja fr"},
    {"harvs", write_citation_by_names, {}, {}, "en"},
    {"harvnb", write_citation_text, "n", "2 3 4", "en ja fr"},
    {"harvard citation no brackets", write_citation_text, "n", "2 3 4", "en ja fr"},
    {"harvcolnb", write_citation_text, "n:", "2 3 4", "en ja fr"},
});

}  // namespace

std::span<const TemplateEntry> citation_templates() {
  return kCitationTemplates;
}

}  // namespace bertprep::clean
