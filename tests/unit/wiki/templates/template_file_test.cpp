#include "wiki/templates/template_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

TEST(TemplateFile, IsReadAsItWasWritten) {
  WikiPage page;
  page.id = "280";
  page.title = "Template:A &amp; B";
  page.text = "x &lt;b&gt;\n{{{1}}}";
  std::string file;
  append_template_page(page, "10", file);
  EXPECT_EQ(file,
            "<page>\n   <title>Template:A &amp; B</title>\n   <ns>10</ns>\n   <id>280</id>\n"
            "   <text>x &lt;b&gt;\n{{{1}}}   </text>\n</page>\n");
  TemplateStore store;
  read_template_file(file + file, "f", store);
  ASSERT_NE(store.find(page.title), nullptr);
  EXPECT_EQ(*store.find(page.title), "x <b>\n{{{1}}}");
  EXPECT_EQ(store.find("Template:Other"), nullptr);
}

TEST(TemplateFile, SaysWhereItIsFaulty) {
  TemplateStore store;
  const auto message = [&store](std::string_view bytes) {
    try {
      read_template_file(bytes, "FILE", store);
    } catch (const FormatError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message(""), "");
  EXPECT_THAT(message("<page>\n<title>a</title>\n<id>"), testing::HasSubstr("FILE:3: not a file of templates: <ns>"));
  EXPECT_THAT(message("<mediawiki>"), testing::HasSubstr("FILE:1: not a file of templates: <page> is missing"));
  EXPECT_THAT(message("<page><title>a"), testing::HasSubstr("<title> is never closed"));
}

TEST(TemplateStore, KeepsTheLastDefinitionAndNoEmptyOne) {
  TemplateStore store;
  store.define("Template:A", "1");
  store.define("Template:A", "2");
  store.define("Template:A", "&lt;noinclude&gt;3&lt;/noinclude&gt;");
  store.define("Template:B", "");
  EXPECT_EQ(*store.find("Template:A"), "2");
  EXPECT_EQ(store.find("Template:B"), nullptr);
}

}  // namespace
}  // namespace bertprep
