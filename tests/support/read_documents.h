// All documents of a DocumentSource, and its rejected records.
#pragma once

#include <cstdint>
#include <filesystem>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "bertprep/source/open_source.h"
#include "source/input/input_texts.h"
#include "stream/open_stream.h"

namespace bertprep::test {

struct Article {
  std::string title;
  std::string text;
  bool operator==(const Article&) const = default;
};

inline std::ostream& operator<<(std::ostream& out, const Article& article) {
  return out << '"' << article.title << "\": \"" << article.text << '"';
}

struct Rejected {
  std::string where;
  std::string reason;
  std::string record;
};

// A file as input of a source.
inline TextInput file_input(const std::filesystem::path& path) {
  return {path, open_stream(path)};
}

using Articles = std::vector<Article>;

struct Reading {
  std::vector<Article> articles;
  std::vector<Rejected> rejected;
};

inline std::vector<Article> drain(DocumentSource& source) {
  std::vector<Article> articles;
  // Data left in the document must not appear in the next one.
  for (Document document{"stale", "stale"}; source.next(document);) {
    articles.push_back({document.title, document.text});
  }
  Document after;
  if (source.next(after)) articles.push_back({"an article after the end", after.text});
  return articles;
}

// Where articles begin: line and byte.
using Place = std::pair<std::uint64_t, std::uint64_t>;

inline std::vector<Place> places(DocumentSource& source) {
  std::vector<Place> places;
  for (Document document; source.next(document);) places.emplace_back(document.origin.line, document.origin.byte);
  return places;
}

inline Reading read_documents(const std::vector<std::filesystem::path>& inputs, const SourceOptions& options) {
  Reading reading;
  const RejectSink sink = [&](const auto& where, const auto& reason, auto record) {
    reading.rejected.push_back({where, reason, std::string(record)});
  };
  const auto source = open_source(inputs, options, sink);
  reading.articles = drain(*source);
  return reading;
}

// The articles as lines of a formatted file.
inline std::string as_lines(const std::vector<Article>& articles) {
  std::string lines;
  for (const auto& article : articles) lines += article.text + '\n';
  return lines;
}

}  // namespace bertprep::test
