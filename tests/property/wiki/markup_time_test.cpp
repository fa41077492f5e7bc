// Time on adversarial pages: a page twice as long takes at most a few times as long, whatever its content.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "support/sanitized.h"
#include "wiki/article_extractor.h"

namespace bertprep {
namespace {

struct Hostile {
  const char* part;         // repeated
  const char* behind = "";  // after all of them
};

constexpr std::size_t kBytes = 250'000;
// Compares the best of several runs; retries failures. With a sanitizer, one run is compared, and retried as often as
// there are otherwise runs.
constexpr int kRuns = test::kSanitized ? 1 : 3, kAttempts = test::kSanitized ? 12 : 4;
constexpr double kMaxSeconds = test::kSanitized ? 1 : 0.125;

constexpr Hostile kPages[] = {{"[["},
                              {"[[a|"},
                              {"[[a]]"},
                              {"[[", " x ]]"},
                              {"]]"},
                              {"[[a|[[b|c]]"},
                              {"''"},
                              {"'''''"},
                              {"'''"},
                              {"''''a"},
                              {"''\n"},
                              {"'' x "},
                              {"''\"a"},
                              {"\"\"a"},
                              {"'' ''\"''"},
                              {"{{"},
                              {"{|"},
                              {"{| x"},
                              {"{|", "|}"},
                              {"{| |} |}"},
                              {"{{a|"},
                              {"}}"},
                              {"{{{"},
                              {"|}"},
                              {"[http://"},
                              {"[http://a "},
                              {"[//a [[b]]"},
                              {"[//a [[b"},
                              {"[http://a b]"},
                              {"[//a\n\n"},
                              {"["},
                              {"__"},
                              {"_"},
                              {"__TOC"},
                              {"__NOTOC__"},
                              {"&amp;"},
                              {"&amp;amp;"},
                              {"&"},
                              {"&#"},
                              {"&#1"},
                              {"&#x"},
                              {"&#0000000000"},
                              {"&amp"},
                              {"&#38;amp;"},
                              {"&lt;syntaxhighlight "},
                              {"&lt;syntaxhighlight &gt;"},
                              {"&lt;syntaxhighlight a&gt;b&lt;/syntaxhighlight&gt;"},
                              {"&lt;"},
                              {"&lt;ref"},
                              {"&lt;ref &gt;"},
                              {"&lt;ref/&gt;"},
                              {"&lt;ref&gt;&lt;/ref&gt;"},
                              {"&lt;/ref&gt;"},
                              {"&lt;ref ", "&gt;"},
                              {"&lt;br "},
                              {"&lt;br ", "/&gt;"},
                              {"&lt;br      ", "&gt;"},
                              {"&lt;!--"},
                              {"&lt;!-- --&gt;"},
                              {"&lt;b"},
                              {"&lt;b&gt;&lt;/b&gt;"},
                              {"&lt; \n"},
                              {"&lt;/ "},
                              {"&lt;div&gt;"},
                              {"&lt;div&gt;", "&lt;/div&gt;"},
                              {"&lt;sub&gt;&lt;sub&gt;&lt;/sub&gt;"},
                              {"&lt;table&gt;&lt;tr&gt;&lt;td&gt;&lt;/td&gt;&lt;/tr&gt;"},
                              {"&lt;math&gt;"},
                              {"&lt;math&gt;", "&lt;/math&gt;"},
                              {"&lt;math&gt;&lt;/math&gt;"},
                              {"&lt;math "},
                              {"&lt;/math&gt;"},
                              {"&lt;math&gt;&lt;math&gt;a&lt;/math&gt;"},
                              {"&lt;code&gt;&lt;math&gt;&lt;/math&gt;"},
                              {"&lt;&lt;"},
                              {"&gt;&gt;"},
                              {"  "},
                              {"\t "},
                              {"...."},
                              {",,"},
                              {",."},
                              {" ,:.)]"},
                              {"[("},
                              {"\n"},
                              {"\n\n-"},
                              {"\n-"},
                              {"-"},
                              {"\n=="},
                              {"\n*"},
                              {"\n++"},
                              {"("},
                              {"\n(\n)"},
                              {" \n"},
                              {"\xC2\xA0"},
                              {"a"},
                              {"ab "}};

class MarkupTime : public testing::TestWithParam<bool> {};

// CPU time, to exclude other work on the machine.
double seconds_of(ArticleExtractor& extractor, const Hostile& hostile, std::size_t bytes) {
  WikiPage page;
  while (page.text.size() < bytes) page.text += hostile.part;
  page.text += hostile.behind;
  double best = 1e9;
  std::string lines;
  for (int i = 0; i < kRuns; ++i) {
    const std::clock_t start = std::clock();
    extractor.extract(page, lines);
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

// 50 ms per megabyte on a quiet machine may be ten times as long on a busy one, and accidental failures are retried:
// quadratic time fails every time.
bool grows_with_length(ArticleExtractor& extractor, const Hostile& hostile) {
  constexpr double kNoise = 0.005, kMaxRatio = 3;
  const double once = seconds_of(extractor, hostile, kBytes), twice = seconds_of(extractor, hostile, 2 * kBytes);
  return once < kMaxSeconds && twice < kMaxRatio * once + kNoise;
}

TEST_P(MarkupTime, GrowsWithLengthOnly) {
  WikiOptions options;
  options.no_templates = GetParam();
  ArticleExtractor extractor(options, std::make_shared<const WikiSite>(), nullptr);
  for (const Hostile& hostile : kPages) {
    bool is_fine = false;
    for (int attempt = 0; attempt < kAttempts && !is_fine; ++attempt) is_fine = grows_with_length(extractor, hostile);
    EXPECT_TRUE(is_fine) << hostile.part << " ... " << hostile.behind;
  }
}

INSTANTIATE_TEST_SUITE_P(Templates, MarkupTime, testing::Bool());

}  // namespace
}  // namespace bertprep
