// DocTaker: pages of dumps -> <doc> elements, as the reference's extractor writes them, each with its origin.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "bertprep/wiki/wiki_options.h"
#include "pipeline/stages/format_pass.h"

namespace bertprep {

class DocTaker final : public DocumentTaker {
 public:
  // Receives the articles in order: the <doc> element, and the origin as a JSON object without its closing brace, as
  // the place of the article is added when known.
  using WriteDoc = std::function<void(std::string_view doc, std::string_view origin)>;

  explicit DocTaker(WriteDoc write) : write_(std::move(write)) {}

  // The options for the source of the pages: their text is the lines of the article.
  static WikiOptions lines_of(WikiOptions wiki) {
    wiki.as_is = !wiki.clean;
    return wiki;
  }

  std::unique_ptr<Block> begin_block() override;
  void take(Block& block) override;

 private:
  struct Docs;

  WriteDoc write_;
};

}  // namespace bertprep
