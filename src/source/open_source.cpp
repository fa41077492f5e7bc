#include "bertprep/source/open_source.h"

#include <array>
#include <utility>

#include "bertprep/base/error.h"
#include "source/articles_source.h"
#include "source/books_source.h"
#include "source/file_sequence.h"
#include "source/format_guess.h"
#include "source/input_list.h"
#include "source/jsonl_source.h"
#include "source/rejects.h"
#include "source/sentences_source.h"
#include "source/wikitext_source.h"

namespace bertprep {
namespace {

void check(const SourceOptions& options) {
  validate(options);
  if (options.text_field.empty()) throw ConfigError("--text-field is empty", {}, "name the key of the text");
}

template <class Source>
OpenFile plain_reader() {
  return [](const std::filesystem::path& path) { return std::make_unique<Source>(path); };
}

OpenFile reader_of(const std::string& format, const SourceOptions& options, std::shared_ptr<Rejects> rejects) {
  if (format == "wikitext") return plain_reader<WikitextSource>();
  if (format == "articles") return plain_reader<ArticlesSource>();
  if (format == "sentences") return plain_reader<SentencesSource>();
  if (format == "books") {
    return [rejects](const std::filesystem::path& path) { return std::make_unique<BooksSource>(path, *rejects); };
  }
  return [rejects, field = options.text_field](const std::filesystem::path& path) {
    return std::make_unique<JsonlSource>(path, field, *rejects);
  };
}

}  // namespace

std::span<const Field<SourceOptions>> SourceOptions::fields() {
  static const std::array<Field<SourceOptions>, 3> kFields{{
      {.name = "format",
       .member = &SourceOptions::format,
       .unit = "",
       .help = "format of the input; auto goes by its first bytes",
       .choices = "auto|wikitext|articles|sentences|books|jsonl"},
      {.name = "text-field",
       .member = &SourceOptions::text_field,
       .unit = "key",
       .help = "jsonl: key of the text in a record; a.b is key b of the object under a"},
      {.name = "strict",
       .member = &SourceOptions::strict,
       .unit = "",
       .help = "stop at the first bad record instead of setting it aside",
       .in_recipe = false},
  }};
  return kFields;
}

std::string resolve_format(std::span<const std::filesystem::path> inputs, const SourceOptions& options) {
  check(options);
  return options.format == "auto" ? guess_format(list_inputs(inputs)) : options.format;
}

std::unique_ptr<DocumentSource> open_source(std::span<const std::filesystem::path> inputs, const SourceOptions& options,
                                            RejectSink rejects) {
  const std::string format = resolve_format(inputs, options);
  auto files = list_inputs(inputs, format == "books" ? ".txt" : "");
  auto kept = std::make_shared<Rejects>(options.strict, std::move(rejects));
  return std::make_unique<FileSequence>(std::move(files), reader_of(format, options, std::move(kept)));
}

}  // namespace bertprep
