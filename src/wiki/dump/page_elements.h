// PageElements: the elements of a dump, wherever their tags stand in its lines. Unlike the reference, which looks at
// the first tag of each line, it knows which revision, slot and model a text belongs to.
#pragma once

#include <cstdint>

#include "wiki/dump/dump_tag.h"

namespace bertprep {

// What is known of the page that is being read.
struct PageFields {
  std::optional<std::string> id;
  std::optional<std::string> revision_id;
  std::string title;
  std::string namespace_key{kArticleSpace};
  std::string timestamp;
  bool is_redirect = false;
  bool is_in_text = false;
  PageText text;

  // All but what the next page inherits in the reference's reading: the namespace and the redirect.
  void clear();
};

class PageElements {
 public:
  // Both are kept by reference, and filled.
  PageElements(WikiSite& site, PageFields& page) : site_(site), page_(page) {}

  // Where the characters before the next tag go; null: nowhere.
  PageText* sink();
  void take(const XmlTag& tag);
  // Part of the section or tag is missing.
  void give_up_text() {
    if (PageText* const text = sink()) text->give_up();
  }

  // At the end of a page: its fields are those of its newest revision.
  void end_page();
  bool is_wikitext() const { return model_.empty() || model_ == "wikitext"; }
  std::uint64_t older_revisions() const { return revisions_ - (revisions_ == 0 ? 0 : 1); }
  std::uint64_t other_slots() const { return other_slots_; }

 private:
  enum class Within { kNothing, kRevision, kContributor, kContent, kUpload };
  struct Revision {
    std::string id;
    std::string timestamp;
    std::string model;
    PageText text;

    void clear();
  };

  void begin_page();
  void open(const XmlTag& tag);
  void close(std::string_view name);
  void close_in_page(std::string_view name);
  void close_in_revision(std::string_view name);
  void close_in_content(std::string_view name);
  void close_in_head(std::string_view name);
  void end_revision();
  std::string_view value();

  WikiSite& site_;
  PageFields& page_;
  Within within_ = Within::kNothing;
  bool is_in_page_ = false;
  bool is_main_slot_ = true;
  bool has_namespace_ = false;
  PageText value_;  // of the element that was opened last
  std::string value_text_;
  std::string namespace_attribute_;
  Revision revision_;  // that is being read
  Revision newest_;
  std::string model_;  // of the page's newest revision
  std::uint64_t revisions_ = 0;
  std::uint64_t other_slots_ = 0;
};

}  // namespace bertprep
