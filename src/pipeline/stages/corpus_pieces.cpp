#include "pipeline/stages/corpus_pieces.h"

#include <algorithm>
#include <map>
#include <utility>

#include "bertprep/base/error.h"
#include "source/input/input_texts.h"
#include "source/source_pieces.h"
#include "wiki/mediawiki_source.h"

namespace bertprep {
namespace {

bool is_index_of_dump(const std::filesystem::path& file) {
  return file.filename().native().find("-multistream-index") != std::string::npos;
}

std::vector<InputPiece> split_part(const CorpusPart& part, std::uint64_t piece_bytes, const LineMarks& marks,
                                   const TaskRunner& runner) {
  if (is_mediawiki(part)) return split_mediawiki(dump_inputs(part), part.wiki, piece_bytes, runner);
  return split_source(part.inputs, part.source, piece_bytes, marks, runner);
}

}  // namespace

bool is_mediawiki(const CorpusPart& part) {
  return resolve_format(part.inputs, part.source) == InputFormat::kMediawiki;
}

bool is_strict(std::span<const CorpusPart> parts) {
  return std::ranges::any_of(parts, [](const CorpusPart& part) { return part.source.strict; });
}

std::vector<std::filesystem::path> dump_inputs(const CorpusPart& part) {
  if (part.source.include.empty() && part.source.exclude.empty()) return part.inputs;
  std::vector<std::filesystem::path> files;
  for (const Input& input : list_source(part.inputs, InputFormat::kMediawiki, part.source)) {
    for (const auto& file : input.files) {
      if (!input.is_folder || !is_index_of_dump(file)) files.push_back(file);
    }
  }
  return files;
}

std::vector<CorpusPiece> split_into_pieces(std::span<const CorpusPart> parts, std::uint64_t piece_bytes,
                                           const TaskRunner& runner, const LineMarks& marks) {
  if (parts.empty()) throw ConfigError("no input was given");
  std::vector<CorpusPiece> pieces;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (InputPiece& piece : split_part(parts[i], piece_bytes, marks, runner)) pieces.push_back({i, std::move(piece)});
  }
  return pieces;
}

std::unique_ptr<PlacedSource> open_corpus_piece(std::span<const CorpusPart> parts, const CorpusPiece& piece,
                                                RejectSink rejects, const TaskRunner& runner) {
  const CorpusPart& part = parts[piece.part];
  if (is_mediawiki(part)) {
    return open_mediawiki(dump_inputs(part), part.source, part.wiki, std::move(rejects), runner, nullptr, &piece.input);
  }
  return open_source_piece(part.inputs, piece.input, part.source, std::move(rejects), runner);
}

void require_articles(std::span<const CorpusPart> parts, std::span<const CorpusPiece> pieces,
                      std::span<const std::uint64_t> documents) {
  std::map<std::pair<std::size_t, std::size_t>, std::uint64_t> of_input;
  for (std::size_t i = 0; i < pieces.size(); ++i) of_input[{pieces[i].part, pieces[i].input.input}] += documents[i];
  for (const auto& [place, count] : of_input) {
    const CorpusPart& part = parts[place.first];
    if (count == 0 && !is_mediawiki(part)) throw no_article_in(part.inputs[place.second]);
  }
}

}  // namespace bertprep
