#include "pipeline/array/array_plan.h"

#include "base/fields.h"
#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/file_system.h"
#include "io/input_file.h"
#include "pipeline/records/owned_files.h"
#include "pipeline/records/saved_index.h"
#include "pipeline/stages/template_report.h"
#include "shard/token_set.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFormat = "bertprep-array-plan";
constexpr std::uint64_t kVersion = 1;

template <class Options>
Json json_of(const Options& options) {
  Json json = Json::object();
  for (const auto& field : fields_of<Options>()) {
    const FieldValue value = value_of(options, field);
    if (value.value != field.unrecorded) json.add(value.name, Json::string(value.value));
  }
  return json;
}

template <class Options>
void read_options(const Json& json, Options& options) {
  for (const auto& field : fields_of<Options>()) {
    const Json* value = field.unrecorded ? json.find(field.name) : &json.at(field.name);
    set_field(options, field, value == nullptr ? std::string(*field.unrecorded) : value->text());
  }
}

// As given, because origins of articles include it. Tasks run in another folder have another request.
Json json_of_path(const fs::path& path) {
  const std::string& text = path.native();
  if (find_invalid_utf8(text)) {
    throw ConfigError("the name of this file is not UTF-8", text, "the plan of an array job can't hold it; rename it");
  }
  return Json::string(text);
}

Json json_of_paths(std::span<const fs::path> paths) {
  Json list = Json::array();
  for (const fs::path& path : paths) list.push(json_of_path(path));
  return list;
}

std::vector<fs::path> paths_of(const Json& json) {
  std::vector<fs::path> paths;
  for (const Json& path : json.items()) paths.emplace_back(path.text());
  return paths;
}

Json json_of_piece(const CorpusPiece& piece) {
  return Json::object()
      .add("part", Json::number(piece.part))
      .add("input", Json::number(piece.input.input))
      .add("files", json_of_paths(piece.input.files))
      .add("begin", Json::number(piece.input.begin))
      .add("end", Json::number(piece.input.end))
      .add("first-line", Json::number(piece.input.first_line))
      .add("bytes", Json::number(piece.input.bytes));
}

CorpusPiece piece_of(const Json& json) {
  CorpusPiece piece;
  piece.part = json.at("part").as_unsigned();
  piece.input.input = json.at("input").as_unsigned();
  piece.input.files = paths_of(json.at("files"));
  piece.input.begin = json.at("begin").as_unsigned();
  piece.input.end = json.at("end").as_unsigned();
  piece.input.first_line = json.at("first-line").as_unsigned();
  piece.input.bytes = json.at("bytes").as_unsigned();
  return piece;
}

Json json_of_part(const CorpusPart& part) {
  return Json::object()
      .add("inputs", json_of_paths(part.inputs))
      .add("downloads", json_of_paths(part.downloads))
      .add("sources", json_of(part.sources))
      .add("source", json_of(part.source))
      .add("wiki", json_of(part.wiki));
}

CorpusPart part_of(const Json& json) {
  CorpusPart part;
  part.inputs = paths_of(json.at("inputs"));
  if (const Json* downloads = json.find("downloads")) part.downloads = paths_of(*downloads);
  if (const Json* sources = json.find("sources")) part.sources = sources_in(*sources);
  read_options(json.at("source"), part.source);
  read_options(json.at("wiki"), part.wiki);
  validate(part.source);
  validate(part.wiki);
  return part;
}

// The options that decide the bytes of a run, by their names in the plan.
template <class Run, class Visit>
void visit_options(Run& run, const Visit& visit) {
  visit("corpus", run.corpus);
  visit("vocab", run);
  visit("tokenizer", run.tokenizer);
  visit("sentences", run.sentences);
  visit("sharding", run.sharding);
  visit("instances", run.instances);
  visit("layout", run.layout);
}

template <class Sequences, class Visit>
void visit_sequences(Sequences& sequences, const Visit& visit) {
  visit("sequences", sequences.options);
  visit("encoder", sequences.encoder);
}

Json json_of_run(const PipelineOptions& options) {
  Json json = Json::object();
  const auto add = [&](const char* name, const auto& group) { json.add(name, json_of(group)); };
  visit_options(options, add);
  json.add("keep", Json::string(text_of(options.work.keep)));
  if (options.sequences != nullptr) visit_sequences(*options.sequences, add);
  return json;
}

PipelineOptions options_of(const Json& json) {
  PipelineOptions options;
  const auto read = [&](const char* name, auto& group) { read_options(json.at(name), group); };
  visit_options(options, read);
  options.work.keep = kept_files(json.at("keep").text());
  if (json.find("sequences") != nullptr) {
    SequenceRun run;
    visit_sequences(run, read);
    options.sequences = std::make_shared<const SequenceRun>(std::move(run));
    options.as_is = keeps_text(options);
  }
  options.validate_all();
  return options;
}

// Where the pieces begin and end decides what their files hold.
std::string digest_pieces(std::span<const CorpusPiece> pieces) {
  std::string text;
  for (const CorpusPiece& piece : pieces) {
    text += std::to_string(piece.part) + " " + std::to_string(piece.input.files.size()) + " " +
            std::to_string(piece.input.begin) + " " + std::to_string(piece.input.end) + "\n";
  }
  return sha256_of(text);
}

void require_consistent(const ArrayPlan& plan) {
  const std::size_t results = result_folders(plan.run.layout).size();
  bool fits = !plan.pieces.empty() && plan.instance_keys.size() == results && results != 0;
  for (const CorpusPiece& piece : plan.pieces) {
    fits = fits && piece.part < plan.run.parts.size() && piece.input.input < plan.run.parts[piece.part].inputs.size();
  }
  if (!fits) throw FormatError("its parts do not match");
}

}  // namespace

std::string array_request(std::span<const std::string> inputs, const SourceOptions& source, const WikiOptions& wiki,
                          const PipelineOptions& options) {
  std::string request;
  for (const std::string& input : inputs) request += "input=" + input + "\n";
  const auto append = [&](const char* /*name*/, const auto& group) {
    for (const FieldValue& field : recipe_of(group)) request += field.name + "=" + field.value + "\n";
  };
  append("source", source);
  append("wiki", wiki);
  visit_options(options, append);
  if (options.sequences != nullptr) visit_sequences(*options.sequences, append);
  return request;
}

std::string ArrayPlan::piece_name(std::size_t piece) {
  return "piece_" + padded_number(piece, 5);
}

Json ArrayPlan::to_json() const {
  Json part_list = Json::array();
  for (const CorpusPart& part : run.parts) part_list.push(json_of_part(part));
  Json piece_list = Json::array();
  for (const CorpusPiece& piece : pieces) piece_list.push(json_of_piece(piece));
  Json key_list = Json::array();
  for (const std::string& key : instance_keys) key_list.push(Json::string(key));
  return Json::object()
      .add("format", Json::string(kFormat))
      .add("version", Json::number(kVersion))
      .add("output", json_of_path(fs::absolute(run.folders.output).lexically_normal()))
      .add("input-digest", Json::string(input_digest))
      .add("input-bytes", Json::number(input_bytes))
      .add("fetched-by-tasks", Json::boolean(is_listed))
      .add("format-key", Json::string(format_key))
      .add("shard-key", Json::string(shard_key))
      .add("instance-keys", std::move(key_list))
      .add("options", json_of_run(run.options))
      .add("parts", std::move(part_list))
      .add("pieces", std::move(piece_list));
}

ArrayPlan ArrayPlan::from_json(const Json& json, const fs::path& work) {
  if (json.at("format").text() != kFormat) throw FormatError("is not the plan of an array job");
  if (json.at("version").as_unsigned() > kVersion) {
    throw FormatError("was written by a newer program", {}, "use that one");
  }
  const PipelineOptions options = options_of(json.at("options"));
  std::vector<CorpusPart> parts;
  for (const Json& part : json.at("parts").items()) {
    parts.push_back(part_of(part));
    keep_documents(options, parts.back());
  }
  ArrayPlan plan(RunPlan::recorded(std::move(parts), {json.at("output").text(), work}, options));
  plan.input_digest = json.at("input-digest").text();
  plan.input_bytes = json.at("input-bytes").as_unsigned();
  if (const Json* is_listed = json.find("fetched-by-tasks")) plan.is_listed = is_listed->as_bool();
  plan.format_key = json.at("format-key").text();
  plan.shard_key = json.at("shard-key").text();
  for (const Json& key : json.at("instance-keys").items()) plan.instance_keys.push_back(key.text());
  for (const Json& piece : json.at("pieces").items()) plan.pieces.push_back(piece_of(piece));
  require_consistent(plan);
  return plan;
}

void ArrayPlan::derive_keys() {
  Recipe made = format_recipe(run.format_task());
  made.add("sentences", identity_of(*run.splitter))
      .add("sentence-index", kSentenceIndexVersion)
      .add("pieces", digest_pieces(pieces));
  if (!template_report_of(run.parts).empty()) made.add("templates", "counted");
  format_key = made.key(input_digest);
  shard_key = shard_recipe(run.options.corpus.name, run.options, *run.splitter).key(format_key);
  instance_keys.clear();
  for (const Recipe& recipe : run.goal->recipes(run.options)) instance_keys.push_back(recipe.key(shard_key));
}

void ArrayPlan::require_keys(const RunPlan& with_models) const {
  ArrayPlan today = *this;
  today.run.splitter = with_models.splitter;
  today.run.goal = with_models.goal;
  today.derive_keys();
  if (today.format_key == format_key && today.instance_keys == instance_keys) return;
  throw FormatError("the vocabulary, the sentence model or this program differs from the one that made the plan",
                    run.folders.output, "run the same command with `stage` fetch again; it makes a new plan");
}

ArrayPlan load_plan(const fs::path& file) {
  if (!exists_now(file)) {
    throw FormatError("there is no plan for these options", file.parent_path(),
                      "run the same command with `stage` fetch first; every stage takes the same options");
  }
  try {
    const fs::path work = file.parent_path().parent_path().parent_path();
    return ArrayPlan::from_json(parse_sealed(read_file(file), {}), work);
  } catch (const IoError&) {
    throw;
  } catch (const Error& error) {
    throw FormatError(std::string("is not a usable plan: ") + error.what(), file,
                      "run the same command with `stage` fetch again");
  }
}

}  // namespace bertprep
