#include "pipeline/explain/explain.h"

#include <algorithm>
#include <optional>

#include "base/fields.h"
#include "base/stage_errors.h"
#include "bertprep/base/error.h"
#include "bertprep/instance/instance_set.h"
#include "bertprep/shard/manifest.h"
#include "bertprep/shard/shard_reader.h"
#include "bertprep/token/tokenizer.h"
#include "instance/row_trace.h"
#include "io/digest.h"
#include "io/input_file.h"
#include "pipeline/text_shards/tokenize_shard.h"
#include "pipeline/work/workers.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

template <class Options>
void take_options(const Manifest& manifest, Options& options) {
  for (const Field<Options>& field : fields_of<Options>()) {
    if (const auto value = manifest.recipe_value(std::string(field.name))) set_field(options, field, *value);
  }
}

Manifest manifest_beside(const fs::path& shard) {
  const fs::path file = fs::absolute(shard).parent_path() / Manifest::kFileName;
  if (!fs::exists(file)) {
    throw FormatError("no manifest.json beside the shard says what made it", shard,
                      "finish its folder with the command that made it, or 'bertprep verify --finish'");
  }
  return Manifest::load(file);
}

const ManifestShard& entry_of(const fs::path& shard, const Manifest& manifest) {
  const ManifestShard* entry = manifest.shard(shard.filename().string());
  if (entry == nullptr) {
    throw FormatError("is not in the manifest beside it", shard, "run 'bertprep verify' on its folder");
  }
  return *entry;
}

void refuse_unknown_origin(const fs::path& shard, const Manifest& manifest, const ManifestShard& entry) {
  if (manifest.recipe_value("stage").value_or("") == "reshard" || entry.text_sha256.empty()) {
    throw FormatError("its rows were redistributed by 'bertprep reshard', which reads no text", shard,
                      "explain the row in the dataset that reshard read, which has it, too");
  }
  if (manifest.recipe_value("tokenizer")) {
    throw FormatError("its tokens were made by a custom tokenizer, which only the program that made them has", shard);
  }
}

void require_vocab(const fs::path& shard, const Manifest& manifest, const Vocab& vocab) {
  const std::string made_with = manifest.recipe_value("vocab-sha256").value_or("");
  if (made_with == vocab.sha256()) return;
  throw FormatError(
      "was made with the vocabulary with the SHA-256 " + made_with + ", and this one has " + vocab.sha256(), shard,
      "give that vocabulary with `vocab`");
}

bool is_equal(const Batch& left, const Batch& right) {
  return left.input_ids == right.input_ids && left.input_mask == right.input_mask &&
         left.segment_ids == right.segment_ids && left.masked_lm_positions == right.masked_lm_positions &&
         left.masked_lm_ids == right.masked_lm_ids && left.next_sentence_labels == right.next_sentence_labels;
}

NextSentence next_of(const TracedRow& traced) {
  if (traced.whole.is_random_next) return NextSentence::kOtherArticle;
  return traced.whole.b_begin == traced.whole.a_begin + traced.whole.a_length ? NextSentence::kFollowing
                                                                              : NextSentence::kSameArticle;
}

}  // namespace

struct ShardExplainer::State {
  State(const fs::path& file, const Vocab& vocabulary, const TextPlace& place, const Progress& progress)
      : shard(file), vocab(vocabulary), reader(file), shape(reader.shape()) {
    const Manifest manifest = manifest_beside(shard);
    const ManifestShard entry = entry_of(shard, manifest);
    refuse_unknown_origin(shard, manifest, entry);
    require_vocab(shard, manifest, vocab);
    take_options(manifest, options);
    take_options(manifest, tokenizer);
    validate(options);

    text_shard = find_text_shard(shard, manifest, place);
    text.emplace(text_shard);
    std::string sha256;
    for_each_task(3, 0, progress, [&](std::size_t task) {
      if (task == 0) tokenize();
      if (task == 1) sha256 = sha256_of(text->bytes());
      if (task == 2) origins.emplace(text_shard);
    });
    if (sha256 != entry.text_sha256) {
      throw FormatError(
          "is not the text that the shard was made from: its SHA-256 is " + sha256 + ", not " + entry.text_sha256,
          text_shard, text_shard_hint(shard, manifest, place));
    }
    trace.emplace(documents, InstanceVocab{vocab.cls(), vocab.sep(), vocab.mask(), vocab.ids()}, options);
    if (trace->rows() != shape.rows) throw_other_rows();
  }

  void tokenize() {
    Tokenizer tokens(vocab, tokenizer);
    documents = tokenize_with_places(text->bytes(), text_shard, tokens, places);
  }

  [[noreturn]] void throw_other_rows() const {
    throw FormatError("its rows are not those that its text produces", shard,
                      "check it with 'bertprep verify'; its run makes a changed shard again");
  }

  // The sentences with the `length` tokens from `begin` on, which are in one document.
  ExplainedSegment segment(std::uint64_t begin, std::uint64_t length, std::uint64_t whole_length) {
    ExplainedSegment found;
    found.cut_tokens = whole_length - length;
    const auto& starts = documents.sentence_begin;
    auto sentence =
        static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), begin) - starts.begin()) - 1;
    add_article(std::min(sentence, documents.sentences() - 1), found);
    for (; sentence < documents.sentences() && starts[sentence] < begin + length; ++sentence) {
      const SentencePlace& place = places[sentence];
      ExplainedSentence explained{std::string(text->bytes().substr(place.begin, place.size)), place.line};
      explained.tokens = starts[sentence + 1] - starts[sentence];
      explained.first_token = std::max(begin, starts[sentence]) - starts[sentence];
      explained.last_token = std::min(begin + length, starts[sentence + 1]) - starts[sentence];
      found.sentences.push_back(std::move(explained));
    }
    return found;
  }

  void add_article(std::size_t sentence, ExplainedSegment& found) {
    const auto& starts = documents.document_begin;
    const auto after = std::upper_bound(starts.begin(), starts.end(), sentence);
    found.first_line = places[*std::prev(after)].line;
    found.last_line = places[*after - 1].line;
    found.article = origins->find(places[sentence].begin);
  }

  std::vector<ExplainedMask> masks(const TracedRow& traced, const Batch& row) const {
    std::vector<ExplainedMask> masks;
    const auto replacements = trace->replacements(traced);
    for (std::size_t k = 0; k < replacements.size(); ++k) {
      const auto position = static_cast<std::size_t>(row.masked_lm_positions[k]);
      const MaskedAs as = replacements[k] == kKeptToken     ? MaskedAs::kSame
                          : replacements[k] == vocab.mask() ? MaskedAs::kMask
                                                            : MaskedAs::kRandom;
      masks.push_back({position, row.masked_lm_ids[k], row.input_ids[position], as});
    }
    return masks;
  }

  ExplainedRow explain(std::size_t number) {
    ExplainedRow row;
    row.row = number;
    row.shape = shape;
    reader.read(number, 1, row.stored);
    Batch drawn;
    trace->copy_row(number, drawn);
    if (!is_equal(row.stored, drawn)) throw_other_rows();
    const TracedRow& traced = trace->row(number);
    row.next = next_of(traced);
    row.pass = static_cast<std::uint64_t>(traced.pass) + 1;
    row.passes = static_cast<std::uint64_t>(options.dupe_factor);
    row.aimed_tokens = traced.aimed_tokens + 3;
    row.segments = {segment(traced.pair.a_begin, traced.pair.a_length, traced.whole.a_length),
                    segment(traced.pair.b_begin, traced.pair.b_length, traced.whole.b_length)};
    row.masks = masks(traced, row.stored);
    return row;
  }

  fs::path shard;
  const Vocab& vocab;
  ShardReader reader;
  ShardShape shape;
  InstanceOptions options;
  TokenizerOptions tokenizer;
  fs::path text_shard;
  std::optional<MappedFile> text;
  std::vector<SentencePlace> places;
  TokenizedDocuments documents;
  std::optional<ArticleOrigins> origins;
  std::optional<RowTrace> trace;
};

void require_explainable(const fs::path& shard) {
  const Manifest manifest = manifest_beside(shard);
  refuse_unknown_origin(shard, manifest, entry_of(shard, manifest));
}

ShardExplainer::ShardExplainer(const fs::path& shard, const Vocab& vocab, const TextPlace& place,
                               const Progress& progress) try
    : state_(std::make_unique<State>(shard, vocab, place, progress)) {
} catch (...) {
  rethrow_as_error("explaining " + shard.string());
}

ShardExplainer::~ShardExplainer() = default;

std::size_t ShardExplainer::rows() const {
  return state_->shape.rows;
}

const fs::path& ShardExplainer::text_shard() const {
  return state_->text_shard;
}

ExplainedRow ShardExplainer::explain(std::size_t row) {
  if (row >= rows()) {
    throw ConfigError(
        "there is no row " + std::to_string(row) + ": rows are numbered from 0 to " + std::to_string(rows() - 1),
        state_->shard);
  }
  return state_->explain(row);
}

}  // namespace bertprep
