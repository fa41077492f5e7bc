// Sentence splitting, as bytes of article text per second. One thread.
//
//   punkt/A, punkt/B        Punkt with NLTK's English parameters on WikiText-2 with blanks around punctuation, and on
//                           the same text in normal spelling; from the shared golden data ($BERTPREP_SHARED), else
//                           skipped
//   punkt/own               Punkt with a handful of parameters on articles that the benchmark makes
//   icu/A, icu/B, icu/own   ICU's rules on the same texts
//   lines/own               the floor: finding line ends and stripping
#include <benchmark/benchmark.h>

#include <numeric>
#include <random>

#include "bertprep/text/sentences.h"
#include "support/golden_data.h"
#include "support/small_punkt.h"

namespace {

using bertprep::SentenceOptions;
using Articles = std::vector<std::string>;

Articles made_articles() {
  constexpr std::string_view kEnds[] = {". ", ". ", ". ", "? ", "! ", ".\" ", ", ", "; ", " e.g. ", " Dr. "};
  std::mt19937 random(1);
  Articles articles(100);
  for (std::string& article : articles) {
    while (article.size() < 20'000) {
      for (auto words = 1 + random() % 20; words > 0; --words) {
        for (auto letters = 1 + random() % 9; letters > 0; --letters) {
          article += static_cast<char>('a' + random() % 26);
        }
        if (words > 1) article += ' ';
      }
      article += kEnds[random() % std::size(kEnds)];
      article += static_cast<char>('A' + random() % 26);
    }
  }
  return articles;
}

void split_all(benchmark::State& state, const SentenceOptions& options, const Articles& articles) {
  const auto splitter = bertprep::make_sentence_splitter(options);
  std::vector<std::string_view> sentences;
  std::size_t count = 0;
  for (auto _ : state) {
    for (const std::string& article : articles) {
      splitter->split(article, sentences);
      count += sentences.size();
    }
  }
  const auto bytes = std::accumulate(articles.begin(), articles.end(), std::size_t{0},
                                     [](std::size_t sum, const std::string& article) { return sum + article.size(); });
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
  state.SetItemsProcessed(static_cast<std::int64_t>(count));
}

void add(const std::string& name, const SentenceOptions& options, const Articles& articles) {
  benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) { split_all(state, options, articles); });
}

void add_shared(const std::string& name, const std::filesystem::path& file) {
  const auto shared = bertprep::test::shared_folder();
  const Articles articles = bertprep::test::read_lines(shared / "goldens" / "pipeline" / file);
  const std::string english = (shared / "models" / "punkt_tab" / "english").string();
  add("punkt/" + name, {.rules = bertprep::SentenceRules::kPunkt, .punkt = english}, articles);
  add("icu/" + name, {.rules = bertprep::SentenceRules::kIcu}, articles);
}

}  // namespace

int main(int argc, char** argv) {
  const bertprep::test::SmallPunkt punkt;
  const Articles made = made_articles();
  add("punkt/own", {.rules = bertprep::SentenceRules::kPunkt, .punkt = punkt.folder().string()}, made);
  add("icu/own", {.rules = bertprep::SentenceRules::kIcu}, made);
  add("lines/own", {.rules = bertprep::SentenceRules::kLines}, made);
  if (!bertprep::test::shared_folder().empty()) {
    add_shared("A", "A_wikitext2/wikitext-2_one_article_per_line.txt");
    add_shared("B", "B_detok/detok.txt");
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
