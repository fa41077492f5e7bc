// PageScanner's reading by elements, and what it says of pages that the reference reads otherwise.
#include <algorithm>

#include "bertprep/base/error.h"
#include "unicode/ascii.h"
#include "wiki/dump/page_scanner.h"

namespace bertprep {
namespace {

void check_declaration(const XmlTag& tag, const std::string& name) {
  if (tag.raw.find("<!ENTITY") != std::string_view::npos) {
    throw FormatError("the dump declares entities of its own, which are not read", name,
                      "replace them: xmllint --noent");
  }
  const std::string encoding = ascii_lower(attribute_of(tag, "encoding"));
  if (encoding.empty() || encoding.starts_with("utf-") || encoding == "utf8" || encoding == "us-ascii") return;
  throw FormatError("the dump is in " + encoding + ", not UTF-8", name,
                    "convert it: iconv -f " + encoding + " -t UTF-8");
}

}  // namespace

void PageScanner::read_elements() {
  lines_.read_tags();
  elements_.emplace(site_, page_);
}

bool PageScanner::take_element(const XmlTag& tag, DumpPage& page) {
  if (tag.kind == XmlKind::kDeclaration) check_declaration(tag, name_);
  if (lines_.is_truncated()) elements_->give_up_text();
  const bool is_in_root = !page_.is_in_text || tag.kind == XmlKind::kClosing;
  if (is_in_root && tag.name == "mediawiki") {
    has_root_ = has_named_root_ = true;
    has_root_end_ = has_root_end_ || tag.kind != XmlKind::kOpening;
    if (tag.kind == XmlKind::kOpening) site_.content_language = attribute_of(tag, "lang");
    return false;
  }
  if (tag.is_opening("page")) return begin_element_page(tag);
  if (stage_ == Stage::kHead) {
    elements_->take(tag);
    if (tag.is_closing("siteinfo")) stage_ = Stage::kPages;
    return false;
  }
  if (is_after_damage_) return false;
  // An end of the page within its text shows that the text has none.
  if (!tag.is_closing("page")) {
    elements_->take(tag);
    if (tag.is_closing("title") && !page_.is_in_text) end_damage();
    return false;
  }
  elements_->end_page();
  if (knowledge_) knowledge_->end_page(page_.is_redirect, page_.id == last_id_);
  return end_page(page);
}

// False, as no page ends here.
bool PageScanner::begin_element_page(const XmlTag& tag) {
  if (knowledge_) knowledge_->take_gap();  // a page inherits nothing but the id before it
  if (!enter_page({})) return false;
  stage_ = Stage::kPages;
  page_byte_ = lines_.place(0);
  is_after_damage_ = false;
  is_in_page_ = true;
  elements_->take(tag);
  return false;
}

// The reference reads only the first tag of a line.
void PageScanner::watch_line(std::string_view line, const DumpTag& tag) {
  if (has_unread_tag_ || tag.name == "page") return;
  std::string_view rest = line.substr(tag.close + 1 + tag.value.size());
  if (rest.starts_with("</")) rest.remove_prefix(std::min(rest.find('>'), rest.size() - 1) + 1);
  if (rest.find('<') == std::string_view::npos) return;
  has_unread_tag_ = true;
  const bool is_head = stage_ == Stage::kHead;
  if (!is_owning_) return;
  const std::string where = is_head ? place(lines_.place(tag.begin)) : name_ + ": page " + page_name();
  rejects_(where, "several tags on one line, of which only the first is read, as by the reference; `clean` reads all",
           line);
}

// What of an article is not read, or, as the reference does, too much of it.
void PageScanner::note_parts() {
  if (elements_) {
    left_out_.add("older revision", elements_->older_revisions());
    left_out_.add("slot other than the main one", elements_->other_slots());
    return;
  }
  const auto remark = [&](const char* text) { remarks_.push_back({name_ + ": page " + page_name(), text}); };
  if (revisions_ > 1) remark("all its revisions are joined, as by the reference; `clean` takes the newest");
  if (has_slots_) remark("its slots are joined, as by the reference; `clean` takes the main one");
  if (is_other_model_) remark("it is not wikitext, and read as such, as by the reference; `clean` leaves it out");
}

}  // namespace bertprep
