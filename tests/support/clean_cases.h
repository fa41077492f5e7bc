// Wikitext and what readers see of it, case by case.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include "support/clean_text.h"

namespace bertprep::test {

struct CleanCase {
  std::string_view wikitext;
  std::string_view expected;  // without the last line feed
};

inline void expect_all(std::initializer_list<CleanCase> cases, const std::string& language = "en") {
  for (const auto& [wikitext, expected] : cases) {
    EXPECT_EQ(clean_text(wikitext, language), expected.empty() ? "" : std::string(expected) + "\n") << wikitext;
  }
}

}  // namespace bertprep::test
