#include "pipeline/explain/explain.h"

#include <algorithm>
#include <limits>

#include "base/fields.h"
#include "base/forwarding_progress.h"
#include "base/stage_errors.h"
#include "bertprep/shard/shard_reader.h"
#include "bertprep/token/tokenizer.h"
#include "instance/instance_rows.h"
#include "io/digest.h"
#include "pipeline/records/run_description.h"
#include "pipeline/sequences/part_writer.h"
#include "pipeline/sequences/sequence_text.h"
#include "pipeline/text_shards/tokenize_shard.h"
#include "pipeline/work/workers.h"
#include "quality/doctor/set_tokenizer.h"
#include "quality/sequences/stored_sequences.h"
#include "shard/token_set.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// Those of which `value_of`, given a field's name, has the value.
template <class Options, class ValueOf>
void take_options(const ValueOf& value_of, Options& options) {
  for (const Field<Options>& field : fields_of<Options>()) {
    if (const std::optional<std::string> value = value_of(field.name)) set_field(options, field, *value);
  }
}

auto values_in(const Json& recipe) {
  return [&recipe](std::string_view name) {
    const Json* value = recipe.find(name);
    return value == nullptr ? std::nullopt : std::optional(value->text());
  };
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

constexpr TokenId kNoDocument = -1;

[[noreturn]] void refuse(const std::string& what, const fs::path& where) {
  throw FormatError(what, where, "bertprep inspect shows its text");
}

fs::path set_of(const fs::path& path) {
  if (const auto set = set_with(path)) return *set;
  refuse("no manifest of bertprep's says how its sequences were made", path);
}

// Rows [first, last) of the path, from one text shard.
struct Part {
  std::string task;
  CompletionRecord record;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

// The text of a part as ids.
struct PartText {
  std::string task;
  fs::path text_shard;
  TokenizedDocuments articles{};
  std::vector<Origin> lines{};  // of the articles in the text shard
  std::optional<ArticleOrigins> origins{};
};

bool is_below(const fs::path& file, const fs::path& path) {
  const std::string near = file.lexically_relative(path).string();
  return !near.empty() && !near.starts_with("..");
}

std::vector<TokenId> row_of(const SequenceRule& rule, const TokenizedDocuments& articles, std::uint64_t number) {
  SequenceRows rows(rule);
  std::vector<TokenId> found;
  std::uint64_t next = 0;
  const auto take = [&](std::span<const TokenId> row) {
    if (next++ == number) found.assign(row.begin(), row.end());
  };
  rows.add(articles, take);
  rows.finish(take);
  return found;
}

}  // namespace

struct ShardExplainer::State {
  State(const fs::path& file, const Vocab& vocabulary, const TextPlace& place, const Progress& progress)
      : shard(file), vocab(vocabulary), reader(file), shape(reader.shape()) {
    const Manifest manifest = manifest_beside(shard);
    const ManifestShard entry = entry_of(shard, manifest);
    refuse_unknown_origin(shard, manifest, entry);
    require_vocab(shard, manifest, vocab);
    const auto value_of = [&](std::string_view name) { return manifest.recipe_value(std::string(name)); };
    take_options(value_of, options);
    take_options(value_of, tokenizer);
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
    : state_(std::make_shared<State>(shard, vocab, place, progress)) {
} catch (...) {
  rethrow_as_error("explaining " + shard.string());
}

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

class SequenceExplainer::State {
 public:
  State(const fs::path& path, TextPlace place, Progress& progress)
      : path_(fs::absolute(path).lexically_normal()),
        set_(set_of(path)),
        place_(std::move(place)),
        progress_(progress),
        manifest_(read_json(set_ / Manifest::kFileName)) {
    const std::string format = manifest_.at("recipe").at("to").text();
    if (format == "megatron") refuse("is a Megatron set, of which the documents of a row can't be shown", path);
    stored_ = StoredSequences::open(path, format == "mds" ? SetFormat::kMds : SetFormat::kHdf5, progress);
    find_parts();
    open_model();
  }

  ExplainedSequence explain(std::uint64_t row) {
    const auto found = std::ranges::find_if(parts_, [&](const Part& one) { return row < one.last; });
    if (found == parts_.end()) throw ConfigError("there is no row " + std::to_string(row), path_);
    const Part& part = *found;
    if (!text_ || text_->task != part.task) read_text(part);
    require_row(row, row - part.first);
    ExplainedSequence explained{.text_shard = text_->text_shard, .documents = {}};
    const std::vector<TokenId> places = row_of(traced_rule(), traced_, row - part.first);
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (places[i] != kNoDocument) add_token(static_cast<std::uint64_t>(places[i]), i, explained.documents);
    }
    return explained;
  }

 private:
  void find_parts() {
    const auto folder = OutputFolder::find_shared(set_);
    std::uint64_t rows = 0;
    for (const std::string& task : folder ? folder->recorded_tasks() : std::vector<std::string>()) {
      // A task without a number made the index of a split, or the tokenizer.
      auto record = folder->record(task);
      if (!record || record->outputs.empty() || task.find('-') == std::string::npos) continue;
      if (!is_below(set_ / record->outputs.back().name, path_)) continue;
      const std::uint64_t first = rows;
      rows += counts_of(*record).sequences;
      parts_.push_back({task, std::move(*record), first, rows});
    }
    if (parts_.empty() || rows != stored_->rows()) {
      refuse("the records of the run, which tell the text of each row, are missing beside the set", path_);
    }
  }

  // The recipe of the model tells whether it is the one that made the set.
  void open_model() {
    const Json& recipe = parts_.front().record.recipe;
    if (recipe.find("format") != nullptr) {
      throw FormatError("was made from files by bertprep sequences, which records no origins", path_,
                        "make the set with bertprep run; bertprep inspect shows its text");
    }
    if (recipe.find("text") == nullptr) {
      throw FormatError("was made of articles in one line each, not of documents with their text as it is", path_,
                        "make the set with `text` as-is; bertprep inspect shows its text");
    }
    task_.name = manifest_.at("dataset").text();
    take_options(values_in(recipe), task_.options);
    // A recipe has them for all sets, options only where they matter.
    task_.options.level = SequenceLevel::kAuto;
    if (task_.options.blocks != 0) task_.options.max_tokens = 0;
    if (task_.options.blocks != 0) task_.options.long_articles = LongArticles::kAuto;
    take_options(values_in(recipe), task_.encoder);
    PipelineOptions options;
    take_options(values_in(recipe), options.tokenizer);
    if (const Json* sentences = recipe.find("sentences")) {
      const std::string rules = sentences->text().substr(0, sentences->text().find_first_of(" ,"));
      take_options([&](std::string_view name) { return name == "sentences" ? std::optional(rules) : std::nullopt; },
                   options.sentences);
    }
    options.vocabulary = (set_ / TokenSet::kTokenizerFolder).string();
    options.as_is = true;
    model_.emplace(task_, options);
    // The files of byte-level BPE beside the set may have another digest than those given; rows are compared.
    std::string followed = model_->recipe.json().dump_line();
    replace_all(followed, model_->encoder.sha256(), recipe.at("vocab-sha256").text());
    if (followed == recipe.dump_line()) return;
    refuse("its recipe can't be followed again: it is of another version, or of another tokenizer", path_);
  }

  fs::path text_shard_of(const Part& part) const {
    const bool is_training = part.task.starts_with(kTrainSplit);
    const auto number = std::stoull(part.task.substr(part.task.rfind('-') + 1));
    const std::string name =
        (is_training ? training_name(task_.name, number) : test_name(task_.name, number)) + ".jsonl";
    std::error_code error;
    if (!place_.text.empty()) return fs::is_directory(place_.text, error) ? place_.text / name : place_.text;
    ShardingOptions sharding;
    take_options(values_in(manifest_.at("recipe")), sharding);
    const fs::path below = fs::path(sharded_folder_name(sharding) + "_as_is") / task_.name / name;
    const fs::path work = !place_.work.empty()
                              ? place_.work
                              : find_work(set_.parent_path(), find_state_folder(set_).value_or(state_beside(set_)),
                                          [&](const fs::path& folder) { return fs::exists(folder / below, error); });
    return work / below;
  }

  void read_text(const Part& part) {
    text_.reset();
    PartText text{.task = part.task, .text_shard = text_shard_of(part)};
    std::error_code error;
    if (!fs::exists(text.text_shard, error)) {
      throw FormatError("the text that the rows were made from is gone", text.text_shard,
                        "make it again with the command of the run, with `keep` sharded and a new folder as `work`; "
                        "if it is elsewhere, give its folder with `text`");
    }
    DocumentEncoder encoder(model_->encoder, model_->splitter.get());
    EncoderPool encoders([&] { return model_->encoder.clone(); });
    const DocumentRule rule{.source = {.max_article = max_article_within(WorkOptions().memory), .as_is = true},
                            .line_ends = model_->rule.options.line_ends,
                            .encoder = encoder,
                            .pass = {.strict = true},
                            .origins = &text.lines};
    const auto add = [&](const TokenizedDocuments& block) { append(block, text.articles); };
    ForwardingProgress quiet(progress_);
    const SequenceText read =
        tokenize_documents({.inputs = {text.text_shard}, .split = kTrainSplit, .text = UnitText::kDocuments}, rule,
                           encoders, nullptr, quiet, add);
    if (read.sha256 != counts_of(part.record).text_sha256) {
      throw FormatError("is not the text that the rows were made from", text.text_shard,
                        "give the folder of the right one with `text`");
    }
    text.origins.emplace(text.text_shard);
    text_.emplace(std::move(text));
    traced_ = text_->articles;
    for (std::size_t i = 0; i < traced_.ids.size(); ++i) traced_.ids[i] = static_cast<TokenId>(i);
  }

  void append(const TokenizedDocuments& block, TokenizedDocuments& all) const {
    const std::uint64_t tokens = all.tokens();
    const std::size_t sentences = all.sentences();
    if (tokens + block.tokens() > static_cast<std::uint64_t>(std::numeric_limits<TokenId>::max())) {
      refuse("its text has more tokens than can be told apart", path_);
    }
    all.ids.insert(all.ids.end(), block.ids.begin(), block.ids.end());
    for (std::size_t i = 1; i <= block.sentences(); ++i) all.sentence_begin.push_back(tokens + block.sentence_begin[i]);
    for (std::size_t i = 1; i <= block.documents(); ++i) {
      all.document_begin.push_back(sentences + block.document_begin[i]);
    }
  }

  // Cuts the same rows of places instead of ids.
  SequenceRule traced_rule() const {
    SequenceRule rule = model_->rule;
    rule.cls = rule.sep = rule.pad = kNoDocument;
    if (rule.end_of_article) rule.end_of_article = kNoDocument;
    return rule;
  }

  void require_row(std::uint64_t row, std::uint64_t in_part) {
    std::vector<std::int64_t> stored;
    stored_->read(row, stored);
    if (std::ranges::equal(stored, row_of(model_->rule, text_->articles, in_part))) return;
    throw FormatError("its row " + std::to_string(row) + " is not the one that its text makes", path_,
                      "check the set with 'bertprep verify'");
  }

  // `place`: of the token at `position` of the row, in the text of the part.
  void add_token(std::uint64_t place, std::size_t position, std::vector<ExplainedDocument>& documents) {
    const TokenizedDocuments& articles = text_->articles;
    const auto begin_of = [&](std::size_t document) {
      return articles.sentence_begin[articles.document_begin[document]];
    };
    if (!documents.empty() && place < end_ && place >= begin_) {
      documents.back().last_token = place - begin_ + 1;
      return;
    }
    const auto sentence =
        std::ranges::upper_bound(articles.sentence_begin, place) - articles.sentence_begin.begin() - 1;
    const auto document =
        static_cast<std::size_t>(std::ranges::upper_bound(articles.document_begin, static_cast<std::size_t>(sentence)) -
                                 articles.document_begin.begin() - 1);
    begin_ = begin_of(document);
    end_ = begin_of(document + 1);
    const Origin& origin = text_->lines[document];
    documents.push_back({.article = text_->origins->find(origin.byte),
                         .line = origin.line,
                         .begin = position,
                         .first_token = place - begin_,
                         .last_token = place - begin_ + 1,
                         .tokens = end_ - begin_});
  }

  fs::path path_;
  fs::path set_;
  TextPlace place_;
  Progress& progress_;
  Json manifest_;
  std::unique_ptr<StoredSequences> stored_;
  std::vector<Part> parts_;
  SequenceTask task_;
  std::optional<SequenceModel> model_;
  std::optional<PartText> text_;
  TokenizedDocuments traced_;  // the text with the place of every token instead of its id
  std::uint64_t begin_ = 0;    // of the last document of add_token()
  std::uint64_t end_ = 0;
};

SequenceExplainer::SequenceExplainer(const fs::path& path, const TextPlace& place, Progress& progress) try
    : state_(std::make_shared<State>(path, place, progress)) {
} catch (...) {
  rethrow_as_error("explaining " + path.string());
}

ExplainedSequence SequenceExplainer::explain(std::uint64_t row) {
  return state_->explain(row);
}

}  // namespace bertprep
