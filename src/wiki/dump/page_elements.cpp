#include "wiki/dump/page_elements.h"

#include <algorithm>
#include <utility>

#include "unicode/ascii.h"

namespace bertprep {
namespace {

constexpr std::string_view kMainSlot = "main";

// Old schemas have no <ns>: the title's prefix tells.
std::string namespace_of(std::string_view title, const WikiSite& site) {
  const std::size_t colon = title.find(':');
  if (colon == std::string_view::npos || colon == 0) return std::string(kArticleSpace);
  const auto found = site.namespaces.find(std::string(title.substr(0, colon)));
  return found == site.namespaces.end() ? std::string(kArticleSpace) : found->second;
}

}  // namespace

void PageFields::clear() {
  id.reset();
  revision_id.reset();
  title.clear();
  timestamp.clear();
  text.clear();
}

void PageElements::Revision::clear() {
  id.clear();
  timestamp.clear();
  model.clear();
  text.clear();
}

PageText* PageElements::sink() {
  if (!page_.is_in_text) return &value_;
  return is_main_slot_ ? &revision_.text : nullptr;
}

std::string_view PageElements::value() {
  value_.swap(value_text_);
  return trimmed(value_text_);
}

void PageElements::take(const XmlTag& tag) {
  if (tag.kind == XmlKind::kCdata) {
    if (PageText* const text = sink()) append_escaped(tag.attributes, *text);
  } else if (page_.is_in_text && tag.is_closing("text")) {
    page_.is_in_text = false;
    value_.clear();
  } else if (page_.is_in_text) {
    // Markup of the wiki that was not escaped, unlike a comment of XML.
    if (PageText* const text = sink(); text != nullptr && !tag.raw.starts_with("<!--")) text->append(tag.raw);
  } else if (tag.kind == XmlKind::kClosing) {
    close(tag.name);
    value_.clear();
  } else if (tag.kind == XmlKind::kOpening || tag.kind == XmlKind::kEmpty) {
    value_.clear();
    open(tag);
  }
}

void PageElements::begin_page() {
  page_.clear();
  page_.namespace_key = kArticleSpace;
  page_.is_redirect = false;
  page_.is_in_text = false;
  within_ = Within::kNothing;
  is_in_page_ = is_main_slot_ = true;
  has_namespace_ = false;
  revisions_ = other_slots_ = 0;
  model_.clear();
  newest_.clear();
}

void PageElements::open(const XmlTag& tag) {
  const bool is_empty = tag.kind == XmlKind::kEmpty;
  const bool is_in_revision = within_ == Within::kRevision || within_ == Within::kContent;
  if (tag.name == "page") {
    begin_page();
  } else if (tag.name == "redirect") {
    page_.is_redirect = true;
  } else if (tag.name == "namespace") {
    namespace_attribute_ = attribute_of(tag, "key");
    if (is_empty) close_in_head(tag.name);
  } else if (is_empty || !is_in_page_) {
    return;
  } else if (tag.name == "revision") {
    within_ = Within::kRevision;
    ++revisions_;
    revision_.clear();
  } else if (tag.name == "contributor" && within_ == Within::kRevision) {
    within_ = Within::kContributor;
  } else if (tag.name == "upload") {
    within_ = Within::kUpload;
  } else if (tag.name == "content" && within_ == Within::kRevision) {
    within_ = Within::kContent;
    is_main_slot_ = false;
  } else if (tag.name == "text" && is_in_revision) {
    page_.is_in_text = true;
  }
}

void PageElements::close(std::string_view name) {
  if (!is_in_page_) {
    close_in_head(name);
  } else if (name == "revision") {
    end_revision();
  } else if (within_ == Within::kContributor) {
    if (name == "contributor") within_ = Within::kRevision;
  } else if (within_ == Within::kUpload) {
    if (name == "upload") within_ = Within::kNothing;
  } else if (within_ == Within::kContent) {
    close_in_content(name);
  } else if (within_ == Within::kRevision) {
    close_in_revision(name);
  } else {
    close_in_page(name);
  }
}

void PageElements::close_in_head(std::string_view name) {
  const std::string_view text = value();
  if (name == "base") {
    site_.url_base = text.substr(0, text.rfind('/'));
  } else if (name == "dbname") {
    site_.database = text;
  } else if (name == "namespace") {
    add_namespace(text, namespace_attribute_, site_);
  }
}

void PageElements::close_in_page(std::string_view name) {
  if (name == "title") {
    page_.title = value();
  } else if (name == "id" && !page_.id) {
    page_.id = value();
  } else if (name == "ns") {
    page_.namespace_key = value();
    has_namespace_ = true;
  }
}

void PageElements::close_in_revision(std::string_view name) {
  if (name == "id") {
    revision_.id = value();
  } else if (name == "timestamp") {
    revision_.timestamp = value();
  } else if (name == "model") {
    revision_.model = value();
  }
}

void PageElements::close_in_content(std::string_view name) {
  if (name == "role") {
    is_main_slot_ = value() == kMainSlot;
  } else if (name == "model" && is_main_slot_) {
    revision_.model = value();
  } else if (name == "content") {
    if (!is_main_slot_) ++other_slots_;
    is_main_slot_ = true;
    within_ = Within::kRevision;
  }
}

// The newest revision is that of the latest time; without times, the last one.
void PageElements::end_revision() {
  within_ = Within::kNothing;
  is_main_slot_ = true;
  const bool is_older = !revision_.timestamp.empty() && revision_.timestamp < newest_.timestamp;
  if (revisions_ == 1 || !is_older) std::swap(newest_, revision_);
}

void PageElements::end_page() {
  is_in_page_ = false;
  if (within_ != Within::kNothing && revisions_ != 0) end_revision();  // it has no end of its own
  if (!has_namespace_) page_.namespace_key = namespace_of(page_.title, site_);
  page_.revision_id = newest_.id;
  page_.timestamp = newest_.timestamp;
  model_ = newest_.model;
  std::swap(page_.text, newest_.text);
}

}  // namespace bertprep
