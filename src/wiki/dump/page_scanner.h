// The pages of a dump's XML.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/source/open_source.h"
#include "stream/byte_stream.h"
#include "wiki/dump/dump_damage.h"
#include "wiki/dump/dump_lines.h"
#include "wiki/dump/dump_tag.h"
#include "wiki/dump/wiki_page.h"

namespace bertprep {

// ScanKnowledge: what is sure about the state of a PageScanner that has begun in the middle of a dump.
//
// A page hands something on to the next one, by the reference's rules: its id, or all that an unclosed page had. A few
// whole pages make all of it sure.
class ScanKnowledge {
 public:
  // All that a page may find left by those before it is as if the dump had been read from its beginning.
  bool is_full() const { return has_page_ && is_text_sure_ && is_page_sure_ && is_space_sure_ && is_last_id_sure_; }

  void take_gap() { has_page_ = is_text_sure_ = is_page_sure_ = is_space_sure_ = true; }
  void begin_page() { has_page_ = true; }
  void take_name_space() { is_space_sure_ = true; }
  // A tag that opens or closes the text.
  void take_text() { is_text_sure_ = true; }
  // Behind the first begin_page() only. A page that repeats the id before it leaves its namespace to the next one, a
  // page that is given out does not: which of them it is can be told where both ids are sure.
  void end_page(bool is_redirect, bool repeats_id) {
    if (!is_redirect) {
      const bool are_ids_sure = is_page_sure_ && is_last_id_sure_;
      is_space_sure_ = are_ids_sure && (!repeats_id || is_space_sure_);
      is_last_id_sure_ = is_page_sure_;
    }
    // Lines between pages count where a text is still open.
    if (is_text_sure_) is_page_sure_ = true;
  }

 private:
  bool has_page_ = false;         // whether damage came before, and whether the page is a redirect
  bool is_text_sure_ = false;     // whether a text is open
  bool is_page_sure_ = false;     // values of the page under way
  bool is_space_sure_ = false;    // its namespace
  bool is_last_id_sure_ = false;  // the id of the page given out before
};

struct DumpPage {
  WikiPage page;
  std::string name_space;  // its number
  std::uint64_t byte = 0;  // where it begins: DumpLines::place
};

// A part of a dump whose pages are wanted: those that begin at a place in [begin, end), which is a byte of the dump or
// of the bzip2 block (DumpLines::place). What is wrong behind the beginning of a page belongs to it.
struct PageRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  // 0: the end of the dump
  // Of reading that begins behind the first page of the dump.
  bool is_behind_head = false;
  std::uint64_t first_byte = 0;                 // of the stream, in a dump that is not compressed
  std::function<bool()> has_root_end_before{};  // whether </mediawiki> stands in front of what is read
};

class PageScanner {
 public:
  // `name` is for reports. `rejects` is told of pages that can't be given out: damaged, too long (16 MB), of the same
  // id as the page before. What is no UTF-8 is not looked at.
  PageScanner(std::string name, std::unique_ptr<ByteStream> bytes, RejectSink rejects);

  // For a part of a dump: it need not have a head nor an end.
  void allow_part() { is_part_ = true; }
  // For a part behind the head.
  void begin_in_pages() { stage_ = Stage::kPages; }

  // Of a part: its pages, and all that is to be said of them, as if the whole dump was read. The stream begins some way
  // before the part.
  PageScanner(std::string name, std::unique_ptr<ByteStream> bytes, RejectSink rejects, PageRange range);
  // Reading began too near to the part to know what the page before it leaves to its first page: nothing was given.
  bool needs_look_back() const { return needs_look_back_; }
  // The last page that began is one of the part's: only then damage is to be reported.
  bool is_owning() const { return is_owning_; }

  // Overwrites `page` with the next page of any namespace that is no redirect; false at the end. Throws FormatError
  // behind the last whole page when the dump is damaged, cut or none, at once when its head is damaged, and as
  // ByteStream does.
  bool next(DumpPage& page);

  // Known from the first page on.
  const WikiSite& site() const { return site_; }
  std::optional<std::uint64_t> first_page_place() const { return first_place_; }
  bool has_root() const { return has_root_; }
  bool has_root_end() const { return has_root_end_; }
  // Articles that are redirects.
  std::uint64_t redirects() const { return redirects_; }

 private:
  enum class Stage { kHead, kPages, kUnseen, kDone };

  bool read(DumpPage& page);
  bool take_line(std::string_view line, DumpPage& page);
  void take_head(std::string_view line, const DumpTag& tag);
  bool take_tag(std::string_view line, const DumpTag& tag, DumpPage& page);
  bool enter_page(const DumpTag& tag);
  void check_beginning();
  void learn(std::string_view line, const DumpTag& tag);
  void begin_page(std::string_view line);
  void take_id(std::string_view value);
  void take_text(std::string_view line, const DumpTag& tag);
  bool end_page(DumpPage& page);
  void forget_page();
  void take_gap();
  void note_unclosed(const std::string& what, const std::string& consequence);
  void note_tag_behind_damage(const DumpTag& tag);
  void end_damage();
  void check_damage(const std::string& more) const;
  void check_end() const;
  void watch_root(std::string_view line);
  void reject(const std::string& reason);
  std::string page_name() const { return name_of_page(title_, id_); }
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
  std::optional<ScanKnowledge> knowledge_;  // where reading began in the middle, until the part begins
  std::optional<std::uint64_t> first_place_;
  bool is_part_ = false;
  bool has_root_ = false;
  bool has_named_root_ = false;  // the root says of which schema it is
  bool has_root_end_ = false;
  bool is_after_damage_ = false;  // nothing counts before the next page begins
  bool is_behind_range_ = false;  // the page under way only names the end of what is damaged
  std::vector<DumpDamage> damage_;
  bool was_text_damaged_ = false;  // the last gap lay in the text of a page

  // The page under way.
  bool is_in_page_ = false;
  bool is_in_text_ = false;
  bool is_redirect_ = false;
  std::uint64_t page_byte_ = 0;
  std::optional<std::string> id_;
  std::optional<std::string> revision_id_;
  std::string title_;
  std::string name_space_ = "0";
  std::string timestamp_;
  PageText text_;

  std::optional<std::string> last_id_;  // of the page that was given out last
  std::uint64_t ended_pages_ = 0;
  std::string ended_title_;  // of the last whole page of any kind
  std::optional<std::string> ended_id_;
  std::uint64_t redirects_ = 0;
  std::uint64_t unseen_ = 0;
};

}  // namespace bertprep
