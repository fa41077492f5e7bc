#include "wiki/templates/template_store.h"

#include <gtest/gtest.h>

#include "unicode/properties/properties.h"

namespace bertprep {
namespace {

std::string definition(std::string_view text) {
  static const unicode::WordCharacters kWords;
  return template_definition(text, kWords);
}

TEST(TemplateDefinition, IsUnescapedOnce) {
  EXPECT_EQ(definition("&lt;b&gt; &amp;nbsp; {{{1}}}"), "<b> &nbsp; {{{1}}}");
}

TEST(TemplateDefinition, LosesWhatIsNotIncluded) {
  EXPECT_EQ(definition("a&lt;!-- x\n --&gt;b&lt;noinclude&gt;c\nd&lt;/noinclude&gt;e"), "abe");
  EXPECT_EQ(definition("a&lt;!-- b"), "a<!-- b");
  EXPECT_EQ(definition("a&lt;noinclude/&gt;b"), "ab");
  EXPECT_EQ(definition("a&lt;noinclude &gt;b&lt;/noinclude&gt;c"), "a");
  EXPECT_EQ(definition("a&lt;noinclude x&gt;b"), "a<noinclude x>b");
}

TEST(TemplateDefinition, KeepsOnlyWhatIsIncluded) {
  EXPECT_EQ(definition("a&lt;onlyinclude&gt;b&lt;/onlyinclude&gt;c&lt;onlyinclude&gt;d&lt;/onlyinclude&gt;"), "bd");
  EXPECT_EQ(definition("&lt;includeonly&gt;a&lt;/includeonly&gt;b"), "ab");
}

}  // namespace
}  // namespace bertprep
