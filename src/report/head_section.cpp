// The head of a set's report: name, size, main figures.
#include <algorithm>

#include "base/number_text.h"
#include "io/json.h"
#include "quality/data_counts.h"
#include "report/html.h"
#include "report/report_sections.h"

namespace bertprep {
namespace {

std::string tile(const std::string& name, const std::string& value) {
  return "<div><dt>" + escaped(name) + "</dt><dd>" + escaped(value) + "</dd></div>";
}

// The manifest's figures of the text, if any.
std::string text_tiles(const SetReport& set) {
  if (!set.manifest || set.manifest->data.empty()) return {};
  const Json data = Json::parse(set.manifest->data, "the section of data");
  std::string tiles;
  if (const Json* share = data.find("unknown_share")) tiles += tile("[UNK]", percent(std::stod(share->text())));
  if (const Json* repeated = data.find("duplicate_sentences")) {
    tiles += tile("repeated sentences", percent(std::stod(repeated->at("share").text())));
  }
  return tiles;
}

std::string size_text(const SetReport& set) {
  std::uint64_t bytes = 0;
  for (const FileFigures& file : set.figures.files()) bytes += file.bytes;
  return rounded(static_cast<double>(bytes) / 1e6, bytes < 100'000'000 ? 1 : 0) + " MB";
}

}  // namespace

std::string set_title(const SetReport& set) {
  if (set.manifest) return set.manifest->dataset + ", rows of " + std::to_string(set.figures.row_length()) + " tokens";
  const auto path = std::filesystem::absolute(set.diagnosis.path).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

std::string head_section(const SetReport& set) {
  const RowFigures& figures = set.figures;
  const std::uint64_t tests = set.diagnosis.files - std::min(set.diagnosis.training_files, set.diagnosis.files);
  std::string tiles = tile("rows", grouped(figures.rows())) +
                      tile("tokens per row", rounded(share_of(figures.tokens(), figures.rows()), 0)) +
                      tile("padding", percent(1 - share_of(figures.tokens(), figures.places())));
  if (figures.max_predictions() > 0) {
    tiles += tile("to predict per row", rounded(share_of(figures.predictions(), figures.rows()), 1));
  }
  if (figures.labelled() > 0) {
    tiles += tile("random next", percent(share_of(figures.random_next(), figures.labelled())));
  }
  tiles += text_tiles(set);
  const bool is_sequences = set.diagnosis.format != SetFormat::kHdf5;  // of any length
  std::string summary = counted(figures.rows(), "row") + " of " + (is_sequences ? "up to " : "") +
                        grouped(figures.row_length()) + " tokens";
  if (figures.max_predictions() > 0) summary += " with up to " + grouped(figures.max_predictions()) + " to predict";
  summary += "; " + counted(set.diagnosis.training_files, "training file");
  if (tests > 0) summary += ", " + grouped(tests) + " other" + (tests == 1 ? "" : "s");
  summary += ", " + size_text(set);
  return element("h1", "", escaped(set_title(set))) + element("div", "soft", escaped(summary)) +
         element("div", "path", escaped(set.diagnosis.path.string())) + element("dl", "tiles", tiles) + "\n";
}

}  // namespace bertprep
