// google-research/bert's sample_text.txt, with results of Google's own script: its instances as JSON, by their MD5, and
// the one instance that a user printed in google-research/bert#555.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>

#include "bertprep/shard/shard_reader.h"
#include "bertprep/token/vocab.h"
#include "golden/pipeline/reference_run.h"
#include "io/digest.h"
#include "unicode/code_points.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;

struct Facts {
  std::int64_t seq_len;
  std::int64_t max_predictions;
  std::int64_t dupe_factor;
  std::size_t rows;
  int random_next;
  int tokens;
  std::size_t masked;
  const char* json_md5;
};

const std::array<Facts, 4> kFacts = {{
    {128, 20, 5, 60, 32, 6207, 922, "72cc57082fbe779d262d5f20e619eb74"},
    {128, 20, 10, 118, 64, 12371, 1839, "84d902d3663e7eedcca27d7cd463c2f5"},
    {512, 80, 5, 38, 29, 8520, 1277, "d87198e9c524071ef4629ef03a58871d"},
    {512, 80, 10, 66, 44, 15585, 2336, "80101f9db181ff63f66ff5454c0ad7d5"},
}};

std::string md5_of(const std::string& bytes) {
  return digest_of(DigestKind::kMd5, bytes);
}

// A JSON string in ASCII. The pieces have no control characters.
std::string json_string(std::string_view piece) {
  std::string text = "\"";
  const char* at = piece.data();
  while (at != piece.data() + piece.size()) {
    const char32_t c = unicode::next_code_point(at);
    if (c > 0xFFFF) throw std::runtime_error("a piece that JSON writes as two units");
    std::array<char, 7> escape{};
    std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(c));
    if (c == '"' || c == '\\') text += '\\';
    text += c < 0x80 ? std::string(1, static_cast<char>(c)) : std::string(escape.data());
  }
  return text + '"';
}

template <class T, class Write>
std::string json_list(std::span<const T> values, Write write) {
  std::string text;
  for (const T value : values) text += (text.empty() ? "[" : ", ") + write(value);
  return text + ']';
}

// An instance without its padding.
struct Row {
  std::span<const std::int32_t> ids;
  std::span<const std::int8_t> segments;
  std::span<const std::int32_t> positions;
  std::span<const std::int32_t> labels;
  int is_random_next;
};

class GoogleSample : public ReferenceRun {
 protected:
  void make(const Facts& facts) {
    PipelineOptions options = reference_options();
    options.vocabulary = vectors() / "vocab" / "bert-base-uncased.vocab.txt";
    options.corpus.phase = Phase::kCustom;
    options.instances.seq_len = facts.seq_len;
    options.instances.max_predictions = facts.max_predictions;
    options.instances.dupe_factor = facts.dupe_factor;
    options.work.force = true;
    instances({vectors() / "google-bert" / "sample_text.txt"}, options);
    ShardReader reader(root() / std::to_string(facts.seq_len) / "sample_text.hdf5");
    shape_ = reader.shape();
    reader.read(0, shape_.rows, batch_);
  }

  Row row(std::size_t index) const {
    const std::span mask = std::span(batch_.input_mask).subspan(index * shape_.seq_len, shape_.seq_len);
    const std::span positions =
        std::span(batch_.masked_lm_positions).subspan(index * shape_.max_predictions, shape_.max_predictions);
    const auto tokens = static_cast<std::size_t>(std::accumulate(mask.begin(), mask.end(), 0));
    const auto masked = static_cast<std::size_t>(std::find(positions.begin(), positions.end(), 0) - positions.begin());
    return {std::span(batch_.input_ids).subspan(index * shape_.seq_len, tokens),
            std::span(batch_.segment_ids).subspan(index * shape_.seq_len, tokens), positions.first(masked),
            std::span(batch_.masked_lm_ids).subspan(index * shape_.max_predictions, masked),
            batch_.next_sentence_labels[index]};
  }

  // As Python's json.dumps writes [[tokens, segments, positions, labels, is random], ...].
  std::string json() const {
    const Vocab vocab = Vocab::load(vectors() / "vocab" / "bert-base-uncased.vocab.txt");
    const auto number = [](auto value) { return std::to_string(value); };
    const auto piece = [&](std::int32_t id) { return json_string(vocab.piece(static_cast<TokenId>(id))); };
    std::string text;
    for (std::size_t i = 0; i < shape_.rows; ++i) {
      const Row instance = row(i);
      text += (i == 0 ? "[[" : ", [") + json_list(instance.ids, piece) + ", " + json_list(instance.segments, number) +
              ", " + json_list(instance.positions, number) + ", " + json_list(instance.labels, piece) + ", " +
              number(instance.is_random_next) + ']';
    }
    return text + ']';
  }

  fs::path vectors() const { return shared() / "corpora" / "vectors"; }

  ShardShape shape_;
  Batch batch_;
};

TEST_F(GoogleSample, HasTheInstancesOfGooglesScript) {
  for (const Facts& facts : kFacts) {
    SCOPED_TRACE(facts.json_md5);
    make(facts);
    EXPECT_EQ(shape_.rows, facts.rows);
    EXPECT_EQ(std::accumulate(batch_.next_sentence_labels.begin(), batch_.next_sentence_labels.end(), 0),
              facts.random_next);
    EXPECT_EQ(std::accumulate(batch_.input_mask.begin(), batch_.input_mask.end(), 0), facts.tokens);
    std::size_t masked = 0;
    for (std::size_t i = 0; i < shape_.rows; ++i) masked += row(i).positions.size();
    EXPECT_EQ(masked, facts.masked);
    EXPECT_EQ(md5_of(json()), facts.json_md5);
  }
}

TEST_F(GoogleSample, HasTheInstanceThatWasPrintedInPublic) {
  make(kFacts[0]);
  const std::vector<std::int32_t> positions = {7,  12, 13, 25, 30, 36, 45,  52,  53, 54,
                                               68, 74, 81, 82, 93, 99, 103, 105, 125};
  const std::vector<std::int32_t> labels = {17162, 2220, 4125, 1997,  4542, 29440, 20332, 4233, 1037, 16465,
                                            2030,  2682, 2018, 13763, 5456, 6644,  1011,  8335, 1012};
  const Row printed = row(18);
  EXPECT_EQ(std::vector(printed.positions.begin(), printed.positions.end()), positions);
  EXPECT_EQ(std::vector(printed.labels.begin(), printed.labels.end()), labels);
  EXPECT_EQ(printed.is_random_next, 0);
}

}  // namespace
}  // namespace bertprep::test
