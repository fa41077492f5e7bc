#include "pipeline/stages/unfinished_format.h"

#include <array>

#include "bertprep/base/error.h"
#include "io/folder.h"
#include "io/input_file.h"
#include "io/json.h"
#include "io/pending_file.h"
#include "pipeline/records/completion_record.h"
#include "pipeline/work/workers.h"
#include "stream/open_stream.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFormat = "bertprep-unfinished";
constexpr std::uint64_t kVersion = 1;
constexpr const char* kLock = "lock";

constexpr auto kParts =
    std::to_array<std::pair<const char*, WrittenPart FormatCheckpoint::*>>({{"text", &FormatCheckpoint::text},
                                                                            {"origins", &FormatCheckpoint::origins},
                                                                            {"sentences", &FormatCheckpoint::index},
                                                                            {"rejects", &FormatCheckpoint::rejects}});

constexpr auto kPlaceNumbers = std::to_array<std::pair<const char*, std::uint64_t ReadPlace::*>>(
    {{"part", &ReadPlace::part},
     {"input", &ReadPlace::input},
     {"file", &ReadPlace::file},
     {"documents", &ReadPlace::documents},
     {"byte", &ReadPlace::byte},
     {"line", &ReadPlace::line},
     {"documents_from_byte", &ReadPlace::documents_from_byte}});

Json json_of(const ReadPlace& place) {
  Json json = Json::object();
  for (const auto& [name, number] : kPlaceNumbers) json.add(name, Json::number(place.*number));
  return json;
}

ReadPlace place_in(const Json& json) {
  ReadPlace place;
  for (const auto& [name, number] : kPlaceNumbers) place.*number = json.at(name).as_unsigned();
  return place;
}

Json json_of(const FormatCheckpoint& checkpoint) {
  Json json = Json::object();
  json.add("format", Json::string(kFormat))
      .add("version", Json::number(kVersion))
      .add("recipe", checkpoint.identity.record.recipe)
      .add("made", checkpoint.identity.record.counts)
      .add("inputs", Json::string(checkpoint.identity.inputs))
      .add("index", Json::string(checkpoint.identity.index))
      .add("place", json_of(checkpoint.place))
      .add("counts", json_of(checkpoint.counts))
      .add(kRejectedByReason, json_of(checkpoint.rejected));
  for (const auto& [name, member] : kParts) {
    const WrittenPart& part = checkpoint.*member;
    json.add(name, Json::object().add("bytes", Json::number(part.bytes)).add("digest", Json::string(part.digest)));
  }
  return json;
}

FormatCheckpoint checkpoint_in(const Json& json) {
  if (json.at("format").text() != kFormat || json.at("version").as_unsigned() != kVersion) {
    throw FormatError("is not a checkpoint of this program");
  }
  FormatCheckpoint checkpoint;
  checkpoint.identity.record.recipe = json.at("recipe");
  checkpoint.identity.record.counts = json.at("made");
  checkpoint.identity.inputs = json.at("inputs").text();
  checkpoint.identity.index = json.at("index").text();
  checkpoint.place = place_in(json.at("place"));
  checkpoint.counts = format_counts_in(json.at("counts"));
  checkpoint.rejected = reasons_in(json, kRejectedByReason);
  for (const auto& [name, member] : kParts) {
    const Json& part = json.at(name);
    checkpoint.*member = {part.at("bytes").as_unsigned(), part.at("digest").text()};
  }
  return checkpoint;
}

std::unique_ptr<ByteStream> stream_of_first(const fs::path& file, std::uint64_t bytes) {
  return std::make_unique<FileStream>(file, 0, bytes);
}

template <class Hash>
void update(Hash& hash, ByteStream& stream, const Progress& progress) {
  for (std::string_view block = stream.next_block(); !block.empty(); block = stream.next_block()) {
    stop_if_cancelled(progress);
    hash.update(block);
  }
}

// Whether the file begins as `part` says; what was hashed is then in `hash`.
bool holds(const fs::path& file, const WrittenPart& part, Xxh3& hash, const Progress& progress) {
  if (part.bytes != 0) update(hash, *stream_of_first(file, part.bytes), progress);
  return hash.finish() == part.digest;
}

bool holds_text(const fs::path& file, const FormatCheckpoint& checkpoint, bool has_frames, FormatState& state,
                const Progress& progress) {
  const std::uint64_t bytes = checkpoint.text.bytes;
  if (bytes == 0) return checkpoint.counts.text_bytes == 0;
  if (has_frames) {
    update(state.file, *stream_of_first(file, bytes), progress);
    if (state.file.so_far() != checkpoint.text.digest) return false;
    update(state.text, *decompress(file.string(), stream_of_first(file, bytes)), progress);
  } else {
    update(state.text, *stream_of_first(file, bytes), progress);
  }
  return state.text.so_far() == checkpoint.counts.text_sha256;
}

fs::path place_of(const OutputFolder& folder, const std::string& name) {
  return folder.state_folder() / "unfinished" / name;
}

}  // namespace

std::optional<UnfinishedFormat> UnfinishedFormat::claim(const OutputFolder& folder, const std::string& name) {
  const fs::path own = place_of(folder, name);
  std::error_code ignored;
  fs::create_directories(own, ignored);
  auto claim = FileClaim::take(own / kLock);
  if (!claim) return std::nullopt;
  return UnfinishedFormat(own, std::move(*claim));
}

void UnfinishedFormat::remove_leftovers(const OutputFolder& folder, const std::string& name) {
  if (!fs::exists(place_of(folder, name))) return;
  if (const auto unfinished = claim(folder, name)) unfinished->remove();
}

std::optional<FormatStart> UnfinishedFormat::find(const std::function<bool(const FormatIdentity&)>& is_wanted,
                                                  bool has_frames, const Progress& progress) const try {
  const auto bytes = read_file_if_any(checkpoint());
  if (!bytes) return std::nullopt;
  FormatStart start{checkpoint_in(parse_sealed(*bytes, {})), {}, {}};
  const FormatCheckpoint& last = start.checkpoint;
  if (!is_wanted(last.identity)) return std::nullopt;
  FormatState& state = start.state;
  if (!holds(origins(), last.origins, state.origins, progress) || !holds(index(), last.index, state.index, progress) ||
      !holds(rejects(), last.rejects, start.rejects, progress) ||
      !holds_text(text(), last, has_frames, state, progress)) {
    return std::nullopt;
  }
  state.counts = last.counts;
  return start;
} catch (const Cancelled&) {
  throw;
} catch (const Error&) {
  return std::nullopt;  // lost or damaged, as after a power failure
}

void UnfinishedFormat::write(const FormatCheckpoint& last) const {
  publish_bytes(checkpoint(), folder_, seal(json_of(last)));
}

void UnfinishedFormat::reset() const {
  for (const auto& entry : list_folder_if_any(folder_)) {
    std::error_code ignored;
    if (entry.path().filename() != kLock) fs::remove(entry.path(), ignored);
  }
}

void UnfinishedFormat::remove() const {
  std::error_code ignored;
  remove_tree(folder_, ignored);
  fs::remove(folder_.parent_path(), ignored);  // unless other files are unfinished
}

}  // namespace bertprep
