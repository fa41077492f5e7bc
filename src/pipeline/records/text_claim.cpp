#include "pipeline/records/text_claim.h"

#include <algorithm>
#include <vector>

#include "bertprep/base/error.h"
#include "io/input_file.h"
#include "io/process.h"
#include "pipeline/records/recipe.h"
#include "pipeline/records/run_description.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEnding = ".inputs.json";
constexpr const char* kStandardInput = "/dev/stdin";

std::string note_on(const std::vector<std::string>& inputs) {
  Json list = Json::array();
  for (const std::string& input : inputs) list.push(Json::string(input));
  return seal(Json::object().add("inputs", std::move(list)));
}

// Nothing without a note, or with a damaged one.
std::optional<std::vector<std::string>> noted_inputs(const fs::path& note) try {
  const auto bytes = read_file_if_any(note);
  if (!bytes) return std::nullopt;
  const Json json = parse_sealed(*bytes, note.string());
  std::vector<std::string> inputs;
  for (const Json& input : json.at("inputs").items()) inputs.push_back(input.text());
  return inputs;
} catch (const Error&) {
  return std::nullopt;
}

bool is_of_others(const std::optional<std::vector<std::string>>& noted, const std::vector<std::string>& mine,
                  const std::optional<CompletionRecord>& record, const std::string& digest) {
  if (!record) return noted && *noted != mine;
  if (recipe_key(record->recipe, digest) == record->key) return false;
  const bool is_stream = std::ranges::count(mine, kStandardInput) != 0;
  return noted != mine || is_stream;
}

}  // namespace

TextClaim::TextClaim(const OutputFolder& folder, const fs::path& file, std::span<const CorpusPart> parts,
                     const std::optional<CompletionRecord>& record, const std::string& digest, bool force,
                     const Progress& progress)
    : folder_(folder), note_(file.filename().string() + kEnding) {
  const std::vector<std::string> mine = recorded_inputs(parts);
  // Of runs that start at once, the first continues.
  const FolderLock lock(folder.state_folder(), progress);
  const auto noted = noted_inputs(folder.state_folder() / note_);
  if (!force && is_of_others(noted, mine, record, digest)) {
    const bool is_named = noted && !noted->empty() && *noted != mine;
    throw FormatError("is the text of another input" + (is_named ? ", " + noted->front() : std::string()), file,
                      "give this run another `name` or `work`; `force` replaces that text");
  }
  if (noted == mine) return;
  is_new_ = !noted;
  folder.publish_state(note_, note_on(mine));
}

void TextClaim::withdraw() const {
  if (is_new_) folder_.remove_state(note_);
}

}  // namespace bertprep
