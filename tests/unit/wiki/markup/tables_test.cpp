#include <gtest/gtest.h>

#include <string>

#include "wiki/markup/edits.h"
#include "wiki/markup/elements.h"

namespace bertprep {
namespace {

TEST(Edits, CopyWhatLiesBetween) {
  std::string out = "old";
  Edits edits("abcdef", out);
  edits.erase(0, 1);
  edits.replace(2, 4, "XYZ");
  EXPECT_TRUE(edits.finish());
  EXPECT_EQ(out, "bXYZef");
}

TEST(Edits, WithoutAnyLeaveTheOutputAlone) {
  std::string out = "old";
  EXPECT_FALSE(Edits("abcdef", out).finish());
  EXPECT_EQ(out, "old");
}

TEST(TagNames, AreToldApart) {
  std::size_t place = 0;
  for (const std::string_view name : kDroppedElements) EXPECT_EQ(tag_class(name).dropped, ++place) << name;
  for (const std::string_view name : kSelfClosingTags) EXPECT_TRUE(tag_class(name).is_self_closing) << name;
  for (const std::string_view name : kIgnoredTags) EXPECT_TRUE(tag_class(name).is_ignored) << name;
  EXPECT_EQ(tag_class("References"), (TagClass{24 + 1, true, false}));
  EXPECT_EQ(tag_class("BR"), (TagClass{0, true, false}));
  for (const char* name : {"", "x", "reference", "referencess", "math", "aa"})
    EXPECT_EQ(tag_class(name), TagClass()) << name;
}

}  // namespace
}  // namespace bertprep
