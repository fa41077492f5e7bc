#include "pipeline/explain/explain_sequences.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "base/fields.h"
#include "base/forwarding_progress.h"
#include "base/stage_errors.h"
#include "bertprep/base/error.h"
#include "bertprep/shard/manifest.h"
#include "io/json.h"
#include "pipeline/records/completion_record.h"
#include "pipeline/records/output_folder.h"
#include "pipeline/records/recipe.h"
#include "pipeline/records/run_description.h"
#include "pipeline/records/run_layout.h"
#include "pipeline/sequences/sequence_model.h"
#include "pipeline/sequences/sequence_rows.h"
#include "pipeline/sequences/sequence_text.h"
#include "quality/sequences/stored_sequences.h"
#include "shard/token_set.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

// SET/SPLIT/PART
constexpr int kLevels = 3;
constexpr TokenId kNoDocument = -1;

[[noreturn]] void refuse(const std::string& what, const fs::path& where) {
  throw FormatError(what, where, "bertprep inspect shows its text");
}

fs::path set_of(const fs::path& path) {
  fs::path folder = fs::absolute(path).lexically_normal();
  for (int level = 0; level < kLevels; ++level, folder = folder.parent_path()) {
    if (is_sequence_set(folder)) return folder;
  }
  refuse("no manifest of bertprep's says how its sequences were made", path);
}

template <class Options>
void take_recipe_options(const Json& recipe, Options& options) {
  for (const Field<Options>& field : fields_of<Options>()) {
    if (const Json* value = recipe.find(field.name)) set_field(options, field, value->text());
  }
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
    take_recipe_options(recipe, task_.options);
    // A recipe has them for all sets, options only where they matter.
    task_.options.level = SequenceLevel::kAuto;
    if (task_.options.blocks != 0) task_.options.max_tokens = 0;
    if (task_.options.blocks != 0) task_.options.long_articles = LongArticles::kAuto;
    take_recipe_options(recipe, task_.encoder);
    PipelineOptions options;
    take_recipe_options(recipe, options.tokenizer);
    if (const Json* sentences = recipe.find("sentences")) {
      const std::string& rules = sentences->text();
      take_recipe_options(Json::object().add("sentences", Json::string(rules.substr(0, rules.find_first_of(" ,")))),
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
    take_recipe_options(manifest_.at("recipe"), sharding);
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
    : state_(std::make_unique<State>(path, place, progress)) {
} catch (...) {
  rethrow_as_error("explaining " + path.string());
}

SequenceExplainer::~SequenceExplainer() = default;

ExplainedSequence SequenceExplainer::explain(std::uint64_t row) {
  return state_->explain(row);
}

}  // namespace bertprep
