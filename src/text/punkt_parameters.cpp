#include "text/punkt_parameters.h"

#include <algorithm>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/input_file.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

constexpr const char* kHint = "fetch the Punkt parameters again, they are damaged";

// The lines of one parameter file, each with its position.
class ParameterFile {
 public:
  ParameterFile(const std::filesystem::path& folder, const char* name, Sha256& digest)
      : path_((folder / name).string()), bytes_(read_file(path_)) {
    require_valid_utf8(bytes_, path_);
    digest.update(std::string(name) + ' ' + std::to_string(bytes_.size()) + '\n');
    digest.update(bytes_);
  }

  // The next line; false at the end. Valid lines are never empty.
  bool next(std::string_view& line) {
    if (begin_ == bytes_.size()) return false;
    const std::size_t end = std::min(bytes_.find('\n', begin_), bytes_.size());
    ++line_number_;
    line = std::string_view(bytes_).substr(begin_, end - begin_);
    if (line.empty()) fail("empty line");
    if (line.back() == '\r') fail("line ends in CR LF, not in LF");
    begin_ = std::min(end + 1, bytes_.size());
    return true;
  }

  bool next_word(std::string_view& word) {
    if (!next(word)) return false;
    if (word.find('\t') != std::string_view::npos) fail("a tab where one word is expected");
    return true;
  }

  bool next_pair(std::string_view& first, std::string_view& second) {
    std::string_view line;
    if (!next(line)) return false;
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos) fail("no tab between two columns");
    first = line.substr(0, tab);
    second = line.substr(tab + 1);
    if (second.find('\t') != std::string_view::npos) fail("more than two columns");
    return true;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw FormatError(what, path_ + ':' + std::to_string(line_number_), kHint);
  }

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::string bytes_;
  std::size_t begin_ = 0;
  std::size_t line_number_ = 0;
};

std::uint8_t parse_context(const ParameterFile& file, std::string_view text) {
  const auto bits = number_in<std::uint8_t>(text);
  if (!bits) file.fail(std::string(text) + " is not an orthographic context, which is a number from 0 to 255");
  return *bits;
}

void require_folder(const std::filesystem::path& folder) {
  std::error_code ignored;
  if (std::filesystem::is_directory(folder, ignored)) return;
  throw IoError("no such folder of Punkt parameters", folder.string(),
                "give `punkt` a folder with abbrev_types.txt, collocations.tab, ortho_context.tab and "
                "sent_starters.txt, or use `sentences` icu");
}

}  // namespace

PunktParameters PunktParameters::load(const std::filesystem::path& folder) {
  require_folder(folder);
  PunktParameters parameters;
  Sha256 digest;
  std::string_view word, second;

  ParameterFile abbreviations(folder, "abbrev_types.txt", digest);
  while (abbreviations.next_word(word)) parameters.abbreviations_.emplace(word);

  ParameterFile collocations(folder, "collocations.tab", digest);
  while (collocations.next_pair(word, second)) parameters.collocations_[std::string(word)].emplace(second);

  ParameterFile contexts(folder, "ortho_context.tab", digest);
  while (contexts.next_pair(word, second)) {
    parameters.orthographic_contexts_[std::string(word)] = parse_context(contexts, second);
  }
  if (parameters.orthographic_contexts_.empty()) throw FormatError("file is empty", contexts.path(), kHint);

  ParameterFile starters(folder, "sent_starters.txt", digest);
  while (starters.next_word(word)) parameters.sentence_starters_.emplace(word);

  parameters.sha256_ = digest.finish();
  return parameters;
}

bool PunktParameters::is_collocation(std::string_view first, std::string_view second) const {
  const auto found = collocations_.find(first);
  return found != collocations_.end() && found->second.contains(second);
}

std::uint8_t PunktParameters::orthographic_context(std::string_view word) const {
  const auto found = orthographic_contexts_.find(word);
  return found == orthographic_contexts_.end() ? std::uint8_t{0} : found->second;
}

}  // namespace bertprep
