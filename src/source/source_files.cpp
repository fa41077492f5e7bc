#include "source/source_files.h"

#include "source/wikiextractor_source.h"

namespace bertprep {

NameChoice choice_of(const std::string& format, const SourceOptions& options) {
  return {.ending = format == "books" ? ".txt" : "", .include = options.include, .exclude = options.exclude};
}

std::vector<Input> list_source(std::span<const std::filesystem::path> inputs, const std::string& format,
                               const SourceOptions& options) {
  std::vector<Input> files = list_inputs(inputs, choice_of(format, options));
  if (format == "wikiextractor" && options.include.empty()) keep_extracted_files(files);
  return files;
}

}  // namespace bertprep
