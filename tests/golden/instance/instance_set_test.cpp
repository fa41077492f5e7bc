// InstanceSet against the digests of a Python model of the reference (see README.md).
#include "bertprep/instance/instance_set.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "support/golden_data.h"
#include "twins/instances.h"

namespace bertprep::test {
namespace {

using Vocabulary = std::map<std::string, TokenId>;

std::filesystem::path data_folder() {
  return source_folder() / "tests" / "golden" / "instance" / "data";
}

Vocabulary read_vocabulary() {
  Vocabulary vocabulary;
  for (const std::string& word : read_lines(data_folder() / "vocabulary.txt")) {
    vocabulary.emplace(word, static_cast<TokenId>(vocabulary.size()));
  }
  return vocabulary;
}

TokenizedDocuments read_documents(const std::string& name, const Vocabulary& vocabulary) {
  TokenizedDocuments documents;
  for (const std::string& line : read_lines(data_folder() / (name + ".txt"))) {
    if (line.empty()) {
      documents.document_begin.push_back(documents.sentences());
      continue;
    }
    std::istringstream words(line);
    for (std::string word; words >> word;) documents.ids.push_back(vocabulary.at(word));
    documents.sentence_begin.push_back(documents.tokens());
  }
  return documents;
}

template <class T>
std::string digest(const std::vector<T>& values) {
  const std::span<const std::byte> bytes = std::as_bytes(std::span(values));
  Sha256 sha256;
  sha256.update(bytes);
  return sha256.finish();
}

InstanceOptions options_of(const std::vector<std::string>& cells) {
  InstanceOptions options;
  options.seq_len = std::stoll(cells[1]);
  options.max_predictions = std::stoll(cells[2]);
  options.random_seed = cells[3];
  options.dupe_factor = std::stoll(cells[4]);
  options.masked_lm_prob = std::stod(cells[5]);
  options.short_seq_prob = std::stod(cells[6]);
  return options;
}

void expect_golden(const InstanceRows& rows, const std::vector<std::string>& cells) {
  EXPECT_EQ(std::to_string(rows.rows), cells[7]);
  EXPECT_EQ(std::to_string(rows.random_draws), cells[8]);
  EXPECT_EQ(digest(rows.input_ids), cells[9]);
  EXPECT_EQ(digest(rows.input_mask), cells[10]);
  EXPECT_EQ(digest(rows.segment_ids), cells[11]);
  EXPECT_EQ(digest(rows.masked_lm_positions), cells[12]);
  EXPECT_EQ(digest(rows.masked_lm_ids), cells[13]);
  EXPECT_EQ(digest(rows.next_sentence_labels), cells[14]);
}

TEST(InstanceGolden, RowsAreThoseOfTheReference) {
  const Vocabulary vocabulary = read_vocabulary();
  std::vector<TokenId> words(vocabulary.size());
  std::iota(words.begin(), words.end(), 0);
  const InstanceVocab vocab{.cls = vocabulary.at("[CLS]"),
                            .sep = vocabulary.at("[SEP]"),
                            .mask = vocabulary.at("[MASK]"),
                            .random_words = words};
  std::size_t cases = 0;
  for (const std::string& line : read_lines(data_folder() / "instances.tsv")) {
    if (line.starts_with('#')) continue;
    const std::vector<std::string> cells = split_tabs(line);
    ASSERT_EQ(cells.size(), 15U) << line;
    SCOPED_TRACE(line.substr(0, 60));
    const TokenizedDocuments documents = read_documents(cells[0], vocabulary);
    const InstanceOptions options = options_of(cells);
    ++cases;
    if (options.dupe_factor == 0) {  // the reference makes no rows
      EXPECT_THROW(InstanceSet(documents, vocab, options), ConfigError);
      continue;
    }
    const InstanceSet set(documents, vocab, options);
    expect_golden(copied_rows(set, options, 32), cells);
  }
  EXPECT_EQ(cases, 88U);
}

}  // namespace
}  // namespace bertprep::test
