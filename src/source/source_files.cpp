#include "source/source_files.h"

#include "source/wikiextractor_source.h"

namespace bertprep {

NameChoice choice_of(InputFormat format, const SourceOptions& options) {
  return {
      .ending = format == InputFormat::kBooks ? ".txt" : "", .include = options.include, .exclude = options.exclude};
}

std::vector<Input> list_source(std::span<const std::filesystem::path> inputs, InputFormat format,
                               const SourceOptions& options) {
  std::vector<Input> files = list_inputs(inputs, choice_of(format, options));
  if (format == InputFormat::kWikiextractor && options.include.empty()) keep_extracted_files(files);
  return files;
}

}  // namespace bertprep
