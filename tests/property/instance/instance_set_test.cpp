// InstanceSet equals its plain twin over random documents and options of all kinds.
#include "bertprep/instance/instance_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "base/fields.h"
#include "twins/instances.h"

namespace bertprep::test {
namespace {

constexpr TokenId kCls = 2;
constexpr TokenId kSep = 3;
constexpr TokenId kMask = 4;

class Cases {
 public:
  explicit Cases(std::uint32_t seed) : engine_(seed) {}

  std::int64_t between(std::int64_t first, std::int64_t last) {
    return std::uniform_int_distribution<std::int64_t>(first, last)(engine_);
  }

  template <class T>
  T one_of(std::initializer_list<T> values) {
    return *(values.begin() + between(0, static_cast<std::int64_t>(values.size()) - 1));
  }

  TokenizedDocuments documents() {
    TokenizedDocuments documents;
    const std::int64_t longest_document = one_of<std::int64_t>({1, 3, 30});
    const std::int64_t longest_sentence = one_of<std::int64_t>({1, 5, 40, 900});
    const TokenId smallest = one_of<TokenId>({5, 5, 2, 0});  // from 2 on with [CLS] and [SEP]
    const TokenId largest = smallest + one_of<TokenId>({1, 4, 995});
    for (std::int64_t d = one_of<std::int64_t>({0, 1, 2, 5, 12}); d > 0; --d) {
      for (std::int64_t s = between(1, longest_document); s > 0; --s) {
        for (std::int64_t t = between(1, longest_sentence); t > 0; --t) {
          documents.ids.push_back(static_cast<TokenId>(between(smallest, largest)));
        }
        documents.sentence_begin.push_back(documents.tokens());
      }
      documents.document_begin.push_back(documents.sentences());
    }
    return documents;
  }

  InstanceOptions options() {
    InstanceOptions options;
    options.seq_len = one_of<std::int64_t>({5, 6, 7, 20, 63, 64, 65, 128, 512, between(5, 700)});
    options.max_predictions = one_of<std::int64_t>({1, 2, 20, 80, between(1, 800)});
    options.masked_lm_prob = one_of<double>({0.0, 0.15, 0.5, 1.0, 0.25});
    options.short_seq_prob = one_of<double>({0.0, 0.1, 0.5, 1.0});
    options.dupe_factor = between(1, 3);
    options.random_seed = std::to_string(between(0, 1'000'000'000'000));
    return options;
  }

 private:
  std::mt19937 engine_;
};

std::string described(const TokenizedDocuments& documents, const InstanceOptions& options) {
  std::string text = std::to_string(documents.documents()) + " documents, " + std::to_string(documents.sentences()) +
                     " sentences, " + std::to_string(documents.tokens()) + " tokens";
  for (const auto& value : recipe_of(options)) text += ", " + value.name + "=" + value.value;
  return text;
}

class InstanceProperty : public testing::TestWithParam<std::uint32_t> {};

TEST_P(InstanceProperty, RowsAreThoseOfThePlainTwin) {
  Cases cases(GetParam());
  std::vector<TokenId> words(1000);
  std::iota(words.begin(), words.end(), 0);
  for (int round = 0; round < 100; ++round) {
    const TokenizedDocuments documents = cases.documents();
    const InstanceOptions options = cases.options();
    const auto count = static_cast<std::size_t>(cases.one_of<std::int64_t>({1, 2, 1000}));
    const InstanceVocab vocab{.cls = kCls, .sep = kSep, .mask = kMask, .random_words = std::span(words).first(count)};
    const InstanceSet set(documents, vocab, options);
    const InstanceRows expected = plain_instances(documents, vocab, options);
    ASSERT_EQ(set.rows(), expected.rows) << described(documents, options);
    const auto rows_at_once = static_cast<std::size_t>(cases.between(1, 40));
    ASSERT_TRUE(copied_rows(set, options, rows_at_once) == expected) << described(documents, options);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, InstanceProperty, testing::Range(1U, 7U));

TEST(InstanceSets, DoNotDependOnEarlierOnes) {
  Cases cases(99);
  std::vector<TokenId> words(50);
  std::iota(words.begin(), words.end(), 0);
  const InstanceVocab vocab{.cls = kCls, .sep = kSep, .mask = kMask, .random_words = words};
  TokenizedDocuments documents;
  while (documents.documents() == 0) documents = cases.documents();
  const TokenizedDocuments other_documents = cases.documents();
  const InstanceOptions options;
  const InstanceRows first = copied_rows(InstanceSet(documents, vocab, options), options, 7);
  ASSERT_GT(first.rows, 0U);
  InstanceSet set(other_documents, vocab, cases.options());
  set = InstanceSet(documents, vocab, options);
  EXPECT_TRUE(copied_rows(set, options, 1000) == first);
}

}  // namespace
}  // namespace bertprep::test
