#include "wiki/templates/template_expansion.h"

#include <gtest/gtest.h>

#include <random>

#include "twins/braces.h"

namespace bertprep {
namespace {

WikiSite a_site() {
  WikiSite site;
  site.namespaces = {{"Talk", "1"}, {"Special", ""}};
  site.clock = "2020-07-22T12:34:56";
  return site;
}

std::string expanded_page(const std::string& text, const std::string& title = {}) {
  const WikiSite site = a_site();
  WikiPage page;
  page.title = title;
  TemplateExpander expander(site, nullptr);
  std::string out = "left over";
  EXPECT_TRUE(expander.expand(text, page, out));
  return out;
}

bool is_refused(const std::string& text) {
  const WikiSite site;
  TemplateExpander expander(site, nullptr);
  std::string out = "left over";
  if (expander.expand(text, WikiPage(), out)) return false;
  EXPECT_EQ(out, "");
  return true;
}

TEST(TemplateExpansion, DropsUnknownCalls) {
  EXPECT_EQ(expanded_page("a {{b|c={{d}}|[[e|f]]}} g"), "a  g");
  EXPECT_EQ(expanded_page("a {{b"), "a {{b");
  EXPECT_EQ(expanded_page("{{}}"), "");
  EXPECT_EQ(expanded_page("{{{x}}}"), "");
}

TEST(TemplateExpansion, ExpandsTitles) {
  EXPECT_EQ(expanded_page("{{ {{lc:L}}{{lc:C}}: X }}"), "x");
  EXPECT_EQ(expanded_page("{{SUBST:lc:X}}{{safesubst:!}}"), "x|");
  EXPECT_EQ(expanded_page("{{é:x}}{{a:x}}{{lc :X}}"), "");
}

TEST(TemplateExpansion, KnowsMagicWords) {
  EXPECT_EQ(expanded_page("{{NAMESPACE}},{{NAMESPACENUMBER}},{{PAGENAME}},{{FULLPAGENAME}}", "Talk: A/B/C"),
            "Talk,1, A/B/C,Talk: A/B/C");
  EXPECT_EQ(expanded_page("{{BASEPAGENAME}},{{SUBPAGENAME}},{{ROOTPAGENAME}}", "A/B/C"), "A/B,C,A");
  EXPECT_EQ(expanded_page("{{NAMESPACE}},{{NAMESPACENUMBER}},{{BASEPAGENAME}},{{SUBPAGENAME}},{{ROOTPAGENAME}}", "A"),
            ",0,A,,A");
  EXPECT_EQ(expanded_page("{{NAMESPACE}},{{NAMESPACENUMBER}}", "2001: X"), "2001,0");
  EXPECT_EQ(expanded_page("{{NAMESPACENUMBER}}", "Special:X"), "");
  EXPECT_EQ(expanded_page("{{CURRENTYEAR}} {{CURRENTMONTH}} {{CURRENTDAY}} {{CURRENTHOUR}} {{CURRENTTIME}}"),
            "2020 07 22 12 12:34:56");
}

TEST(TemplateExpansion, IsThePlainOneOnRandomTexts) {
  std::mt19937 random(3);
  const std::string pieces[] = {
      "{{", "{{", "}}", "}}", "|", "!", "lc:", "#if:", "A", " ", "[[", "]]", "{", "}", "subst:"};
  for (int i = 0; i < 50000; ++i) {
    std::string text;
    for (auto count = random() % 30; count > 0; --count) text += pieces[random() % std::size(pieces)];
    ASSERT_EQ(expanded_page(text), test::plain_expansion(text)) << text;
  }
}

TEST(TemplateExpansion, EndsSoonWhateverNests) {
  const std::size_t many = std::size_t{1} << 20;
  EXPECT_EQ(expanded_page(std::string(many, '{')), std::string(many, '{'));
  EXPECT_TRUE(is_refused(std::string(many, '{') + std::string(many, '}')));
  std::string titles, ends;
  for (std::size_t i = 0; i < many / 4; ++i) titles += "{{a", ends += "}}";
  EXPECT_TRUE(is_refused(titles + ends));
  std::string ifs, bars;
  for (std::size_t i = 0; i < many / 8; ++i) ifs += "{{#if:x|", bars += "}}";
  EXPECT_TRUE(is_refused(ifs + bars));
}

}  // namespace
}  // namespace bertprep
