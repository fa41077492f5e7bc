#include "pipeline/stages/doc_taker.h"

#include <string>
#include <vector>

#include "io/json.h"
#include "source/input/deferred_work.h"
#include "wiki/dump/doc_element.h"

namespace bertprep {
namespace {

std::string origin_json(const Document& page) {
  std::string line = Json::object()
                         .add("id", Json::string(page.origin.page_id))
                         .add("title", Json::string(page.title))
                         .add("revision_id", Json::string(page.origin.revision_id))
                         .add("timestamp", Json::string(page.origin.timestamp))
                         .add("url", Json::string(page.origin.url))
                         .add("dump", Json::string(page.origin.source))
                         .dump_line();
  line.pop_back();
  return line;
}

}  // namespace

struct DocTaker::Docs final : Block {
  struct Doc {
    std::string element;
    std::string origin;
  };

  bool add(const SourceDocument& page) override {
    if (!page.left_out.empty()) return false;
    Doc& doc = docs.emplace_back();
    append_doc(page.origin.page_id, page.origin.url, page.title, page.text, doc.element);
    doc.origin = origin_json(page);
    return true;
  }

  std::vector<Doc> docs;
};

std::unique_ptr<DocumentTaker::Block> DocTaker::begin_block() {
  return std::make_unique<Docs>();
}

void DocTaker::take(Block& block) {
  for (const Docs::Doc& doc : static_cast<const Docs&>(block).docs) write_(doc.element, doc.origin);
}

}  // namespace bertprep
