// The pages of a dump's XML.
#pragma once

#include <utility>

#include "bertprep/base/error.h"
#include "bertprep/source/open_source.h"
#include "wiki/dump/dump_lines.h"
#include "wiki/dump/page_elements.h"

namespace bertprep {

// DumpDamage: a lost part of a dump, described by the pages around it.
struct DumpDamage {
  FileBytes bytes;                 // of the file, unreadable
  std::uint64_t pages = 1;         // minimum number of lost pages
  std::uint64_t likely_pages = 0;  // estimated by the size of the pages before; 0: unknown
  std::string before{};            // the last page before it, and the first one that begins after it; or empty
  std::string after{};
  bool is_open = true;  // no page has begun after it yet
  std::string fault{};  // if no bytes are lost: what is wrong
};

// The error thrown after the last page of a dump. `more` is what else is wrong with it, or empty.
FormatError damage_error(const std::string& dump, std::span<const DumpDamage> damage, const std::string& more);

// ScanKnowledge: what is certain about the state of a PageScanner that began in the middle of a dump.
//
// By the reference's rules, a page inherits data from the previous one: its id, or all data of an unclosed page. After
// a few complete pages, the state is certain.
class ScanKnowledge {
 public:
  // All inherited data are as if the dump had been read from its beginning.
  bool is_full() const { return has_page_ && is_text_sure_ && is_page_sure_ && is_space_sure_ && is_last_id_sure_; }

  void take_gap() { has_page_ = is_text_sure_ = is_page_sure_ = is_space_sure_ = true; }
  void begin_page() { has_page_ = true; }
  void take_name_space() { is_space_sure_ = true; }
  // A tag that opens or closes the text.
  void take_text() { is_text_sure_ = true; }
  // Only after the first begin_page(). A page that repeats the previous id leaves its namespace to the next one, a
  // returned page does not; which case it is can be decided if both ids are certain.
  void end_page(bool is_redirect, bool repeats_id) {
    if (!is_redirect) {
      const bool are_ids_sure = is_page_sure_ && is_last_id_sure_;
      is_space_sure_ = are_ids_sure && (!repeats_id || is_space_sure_);
      is_last_id_sure_ = is_page_sure_;
    }
    // Lines between pages count if a text is still open.
    if (is_text_sure_) is_page_sure_ = true;
  }

 private:
  bool has_page_ = false;         // whether damage came before, and whether the page is a redirect, are known
  bool is_text_sure_ = false;     // whether a text is open is known
  bool is_page_sure_ = false;     // values of the current page
  bool is_space_sure_ = false;    // its namespace
  bool is_last_id_sure_ = false;  // the id of the previously returned page
};

struct DumpPage {
  WikiPage page;
  std::string namespace_key;  // its number
  std::uint64_t byte = 0;     // where it begins: DumpLines::place
};

// A part of a dump whose pages are wanted: those that begin at a place in [begin, end), which is a byte of the dump or
// of the bzip2 block (DumpLines::place). Damage after the beginning of a page belongs to it.
struct PageRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  // 0: the end of the dump
  // For reading that begins after the first page of the dump.
  bool is_after_head = false;
  std::uint64_t first_byte = 0;                 // of the stream, in a dump that is not compressed
  std::function<bool()> has_root_end_before{};  // whether </mediawiki> comes before the part
};

class PageScanner {
 public:
  // `name` is for reports. `rejects` receives pages that can't be returned: damaged, too long (16 MB), or with the id
  // of the previous page. Does not check UTF-8.
  // With a range: returns its pages and reports on them as if the whole dump were read. The stream must begin somewhat
  // before the range.
  PageScanner(std::string name, std::unique_ptr<ByteStream> bytes, RejectSink rejects, PageRange range = {});

  // For a part of a dump: it need not have a head nor an end.
  void allow_part() { is_part_ = true; }
  // For a part after the head.
  void begin_in_pages() { stage_ = Stage::kPages; }

  // Reads elements, wherever their tags stand, instead of the first tag of each line as the reference does: of an
  // article the newest revision, the main slot, and only if it is wikitext. To be called before next().
  void read_elements();

  // Reading began too close to the part to know what its first page inherits: nothing was returned.
  bool needs_look_back() const { return needs_look_back_; }
  // The last page that began belongs to the part; only then is damage reported.
  bool is_owning() const { return is_owning_; }
  // next() will throw after the last page.
  bool has_damage() const { return !damage_.empty(); }

  // Overwrites `page` with the next page of any namespace that is not a redirect; false at the end. Throws FormatError:
  // after the last complete page if the dump is damaged, truncated or not a dump; at once if its head is damaged; and
  // as ByteStream does.
  bool next(DumpPage& page);

  // Known from the first page on.
  const WikiSite& site() const { return site_; }
  std::optional<std::uint64_t> first_page_place() const { return first_place_; }
  bool has_root() const { return has_root_; }
  bool has_root_end() const { return has_root_end_; }
  // Articles that are redirects.
  std::uint64_t redirects() const { return redirects_; }
  // What else was left out since the last call, and remarks on articles.
  ReasonCounts take_left_out() { return std::exchange(left_out_, {}); }
  std::vector<RecordRemark> take_remarks() { return std::exchange(remarks_, {}); }

 private:
  enum class Stage { kHead, kPages, kUnseen, kDone };

  bool read(DumpPage& page);
  bool take_line(std::string_view line, DumpPage& page);
  bool take_element(const XmlTag& tag, DumpPage& page);
  bool begin_element_page(const XmlTag& tag);
  void take_head(std::string_view line, const DumpTag& tag);
  bool take_tag(std::string_view line, const DumpTag& tag, DumpPage& page);
  bool enter_page(const DumpTag& tag);
  void check_beginning();
  void learn(std::string_view line, const DumpTag& tag);
  void begin_page(std::string_view line);
  void take_id(std::string_view value);
  void take_text(std::string_view line, const DumpTag& tag);
  bool end_page(DumpPage& page);
  void note_parts();
  void watch_line(std::string_view line, const DumpTag& tag);
  void forget_page();
  void take_gap();
  void note_unclosed(const std::string& what, const std::string& consequence);
  void note_tag_behind_damage(const DumpTag& tag);
  void end_damage();
  void check_damage(const std::string& more) const;
  void check_end() const;
  void watch_root(std::string_view line);
  void reject(const std::string& reason);
  std::string page_name() const { return name_of_page(page_.title, page_.id); }
  static std::string name_of_page(const std::string& title, const std::optional<std::string>& id);
  std::string place(std::uint64_t byte) const;
  std::string at(std::uint64_t byte) const;

  std::string name_;
  std::unique_ptr<ByteStream> bytes_;
  DumpLines lines_;
  RejectSink rejects_;
  WikiSite site_;
  Stage stage_ = Stage::kHead;
  PageRange range_;
  bool is_owning_ = true;
  bool needs_look_back_ = false;
  std::optional<ScanKnowledge> knowledge_;  // if reading began in the middle, until the part begins
  std::optional<std::uint64_t> first_place_;
  bool is_part_ = false;
  bool has_root_ = false;
  bool has_named_root_ = false;  // the root names its schema
  bool has_root_end_ = false;
  bool is_after_damage_ = false;  // everything is ignored until the next page begins
  bool is_after_range_ = false;   // the current page only marks the end of the damage
  std::vector<DumpDamage> damage_;
  bool was_text_damaged_ = false;  // the last gap was in the text of a page

  // The current page.
  PageFields page_;
  std::optional<PageElements> elements_;  // unless it is read as by the reference
  bool is_in_page_ = false;
  std::uint64_t page_byte_ = 0;
  std::uint64_t revisions_ = 0;
  bool has_slots_ = false;
  bool is_other_model_ = false;
  bool has_unread_tag_ = false;

  std::optional<std::string> last_id_;  // of the last returned page
  std::uint64_t ended_pages_ = 0;
  std::string ended_title_;  // of the last complete page of any kind
  std::optional<std::string> ended_id_;
  std::uint64_t redirects_ = 0;
  ReasonCounts left_out_;
  std::vector<RecordRemark> remarks_;
  std::uint64_t unseen_ = 0;
};

}  // namespace bertprep
