#include "wiki/dump/page_scanner.h"

#include <algorithm>

#include "base/number_text.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

constexpr std::size_t kMaxReported = 5;

std::string place_between(const DumpDamage& damage) {
  if (damage.before.empty() && damage.after.empty()) return {};
  if (damage.before.empty()) return ", before " + damage.after;
  if (damage.after.empty()) return ", after " + damage.before;
  return ", between " + damage.before + " and " + damage.after;
}

std::string sentence(const DumpDamage& damage) {
  if (!damage.fault.empty()) return damage.fault;
  std::string text =
      "bytes " + std::to_string(damage.bytes.begin) + " to " + std::to_string(damage.bytes.end) + " are damaged: ";
  if (damage.pages == 0) return text + "no page is known to be lost" + place_between(damage);
  text += "at least " + counted(damage.pages, "page", "is", "are") + " lost";
  if (damage.likely_pages > damage.pages) {
    text += ", some " + grouped(damage.likely_pages) + " by the size of those before";
  }
  return text + place_between(damage);
}

constexpr std::string_view kPageEnd = "</page>";
// The size of a bzip2 block with only the end of a dump.
constexpr std::uint64_t kMaxEndBytes = 100;
// The reference's output for a missing id.
constexpr std::string_view kNoId = "None";
constexpr std::string_view kWikitext = "wikitext";

// The value of the first <title> in a line, for reports.
std::string_view title_in(std::string_view line) {
  constexpr std::string_view kTitle = "<title>";
  const std::size_t at = line.find(kTitle);
  if (at == std::string_view::npos) return {};
  line.remove_prefix(at + kTitle.size());
  return line.substr(0, line.find('<'));
}

// <text ... />
bool is_empty_text(std::string_view line, const DumpTag& tag) {
  return !tag.is_closed && line[tag.close - 1] == '/';
}

std::string without_line_feed(std::string_view value) {
  return std::string(value.substr(0, value.find('\n')));
}

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

FormatError damage_error(const std::string& dump, std::span<const DumpDamage> damage, const std::string& more) {
  std::string text = joined(damage.first(std::min(damage.size(), kMaxReported)), "; ", sentence);
  if (damage.size() > kMaxReported) text += "; and there are " + grouped(damage.size() - kMaxReported) + " more";
  if (!more.empty()) text += "; " + more;
  return FormatError(text, dump, "get the file again");
}

PageScanner::PageScanner(std::string name, std::unique_ptr<ByteStream> bytes, RejectSink rejects, PageRange range)
    : name_(std::move(name)),
      bytes_(std::move(bytes)),
      lines_(*bytes_, range.is_after_head ? std::optional(range.first_byte) : std::nullopt),
      rejects_(std::move(rejects)),
      site_(unknown_site()),
      range_(std::move(range)),
      is_owning_(range_.begin == 0) {
  if (!range_.is_after_head) return;
  knowledge_.emplace();
  stage_ = Stage::kPages;
  has_root_ = true;
  is_after_damage_ = true;
}

bool PageScanner::next(DumpPage& page) {
  if (stage_ == Stage::kDone) return false;
  try {
    if (read(page)) return true;
  } catch (const FormatError& error) {
    stage_ = Stage::kDone;
    if (is_owning_ && is_in_page_) reject("the page is cut: the dump can't be read any further");
    check_damage(is_owning_ ? error.what() : "");
    if (is_owning_) throw;
    check_beginning();
    return false;
  }
  const bool is_at_end = std::exchange(stage_, Stage::kDone) != Stage::kDone;
  try {
    if (is_at_end && is_owning_) check_end();
  } catch (const FormatError& error) {
    check_damage(damage_.empty() || damage_.back().is_open ? "" : error.what());
    throw;
  }
  check_damage({});
  check_beginning();
  return false;
}

bool PageScanner::read(DumpPage& page) {
  for (std::string_view line;;) {
    PageText* const text =
        elements_ ? (is_after_damage_ ? nullptr : elements_->sink()) : (page_.is_in_text ? &page_.text : nullptr);
    switch (lines_.next(line, text)) {
      case DumpLines::Found::kLine:
        if (elements_ ? take_element(read_xml_tag(line), page) : take_line(line, page)) return true;
        if (stage_ == Stage::kDone) return false;
        break;
      case DumpLines::Found::kGap:
        take_gap();
        break;
      case DumpLines::Found::kEnd:
        return false;
    }
  }
}

bool PageScanner::take_line(std::string_view line, DumpPage& page) {
  if (!page_.is_in_text && (!knowledge_ || knowledge_->is_full())) watch_root(line);
  const std::optional<DumpTag> tag = first_tag(line);
  if (!tag) return false;
  if (tag->name == "page" && !enter_page(*tag)) return false;
  if (stage_ == Stage::kUnseen) {
    if (tag->name == "page") ++unseen_;
    return false;
  }
  if (!page_.is_in_text && stage_ != Stage::kUnseen && !is_after_damage_) watch_line(line, *tag);
  if (stage_ == Stage::kHead) {
    take_head(line, *tag);
    if (stage_ != Stage::kPages || tag->name != "page") return false;
  }
  if (is_after_damage_ && tag->name != "page") {
    note_tag_behind_damage(*tag);
    return false;
  }
  return take_tag(line, *tag, page);
}

// False: the part ends before this page, or can't begin with it.
bool PageScanner::enter_page(const DumpTag& tag) {
  const std::uint64_t place = lines_.place(tag.begin);
  if (!first_place_) first_place_ = place;
  if (is_in_page_ && is_owning_) {
    note_unclosed("the page " + page_name(), "it is lost, and its id may appear before the next one");
  }
  const bool was_owning = std::exchange(is_owning_, place >= range_.begin && (range_.end == 0 || place < range_.end));
  const bool is_after = !is_owning_ && place >= range_.begin;
  if (is_owning_ && !was_owning && knowledge_) {
    needs_look_back_ = !knowledge_->is_full();
    is_owning_ = !needs_look_back_;
    knowledge_.reset();
  }
  is_after_range_ = is_after && !damage_.empty() && damage_.back().is_open;
  if ((is_after && !is_after_range_) || needs_look_back_) stage_ = Stage::kDone;
  return stage_ != Stage::kDone;
}

// Reading may have begun within the first line of a page.
void PageScanner::check_beginning() {
  if (knowledge_ && lines_.skipped_place() >= range_.begin) needs_look_back_ = true;
}

void PageScanner::learn(std::string_view line, const DumpTag& tag) {
  if (tag.name == "page") {
    knowledge_->begin_page();
  } else if (tag.name == "/page") {
    knowledge_->end_page(page_.is_redirect, page_.id == last_id_);
  } else if (tag.name == "ns") {
    knowledge_->take_name_space();
  } else if (tag.name == "/text" || (tag.name == "text" && !is_empty_text(line, tag))) {
    knowledge_->take_text();
  }
}

// In the schema, <siteinfo> is optional. The reference requires it and keeps searching for it; so do we, unless
// something else shows that this is an export of MediaWiki.
void PageScanner::take_head(std::string_view line, const DumpTag& tag) {
  if (tag.name == "/siteinfo") {
    stage_ = Stage::kPages;
  } else if (tag.name == "page") {
    stage_ = has_root_ && !has_named_root_ ? Stage::kUnseen : Stage::kPages;
    if (stage_ == Stage::kUnseen) ++unseen_;
  } else {
    add_siteinfo(line, tag, site_);
  }
}

bool PageScanner::take_tag(std::string_view line, const DumpTag& tag, DumpPage& page) {
  if (knowledge_) learn(line, tag);
  if (tag.name == "page") {
    begin_page(line);
  } else if (tag.name == "id") {
    take_id(tag.value);
  } else if (tag.name == "title") {
    page_.title = tag.value;
    end_damage();
  } else if (tag.name == "ns") {
    page_.namespace_key = tag.value;
  } else if (tag.name == "redirect") {
    page_.is_redirect = true;
  } else if (tag.name == "text") {
    take_text(line, tag);
  } else if (tag.name == "/text") {
    if (lines_.is_truncated()) page_.text.give_up();
    page_.text.append(line.substr(0, tag.begin));
    page_.is_in_text = false;
  } else if (tag.name == "/page") {
    return end_page(page);
  } else if (page_.is_in_text) {
    if (lines_.is_truncated()) page_.text.give_up();
    page_.text.append(line);
  } else if (tag.name == "timestamp" && page_.timestamp.empty()) {
    page_.timestamp = without_line_feed(tag.value);
  } else if (tag.name == "revision") {
    ++revisions_;
  } else if (tag.name == "content") {
    has_slots_ = true;
  } else if (tag.name == "model") {
    is_other_model_ = is_other_model_ || (!has_slots_ && tag.value != kWikitext);
  }
  return false;
}

void PageScanner::begin_page(std::string_view line) {
  is_after_damage_ = false;
  page_.is_redirect = false;
  page_.text.clear();
  page_byte_ = lines_.place(0);
  is_in_page_ = line.find(kPageEnd) == std::string_view::npos;
  if (is_in_page_ || !is_owning_) return;
  rejects_(place(page_byte_),
           "the page '" + std::string(title_in(line)) + "' is on one line, where only its first tag counts", line);
}

void PageScanner::take_id(std::string_view value) {
  if (!page_.id) {
    page_.id = value;
  } else if (!page_.revision_id) {
    page_.revision_id = without_line_feed(value);
  }
}

void PageScanner::take_text(std::string_view line, const DumpTag& tag) {
  if (is_empty_text(line, tag)) return;
  if (lines_.is_truncated()) page_.text.give_up();
  page_.text.append(tag.value);
  page_.is_in_text = !tag.is_closed;
}

bool PageScanner::end_page(DumpPage& page) {
  if (page_.is_in_text && is_owning_)
    note_unclosed("the text of the page " + page_name(), "it runs on into the next page");
  const bool is_repeated = page_.id == last_id_;
  bool is_given = false;
  if (page_.is_redirect) {
    if (is_owning_ && page_.namespace_key == kArticleSpace) ++redirects_;
  } else if (is_repeated) {
    reject("the page has the id of the page before it, and is left out");
  } else {
    last_id_ = page_.id;
    if (!is_owning_) {
      // It belongs to another part.
    } else if (elements_ && page_.namespace_key == kArticleSpace && !elements_->is_wikitext()) {
      left_out_.add("page that is not wikitext");
    } else if (page_.text.is_too_long()) {
      reject("the page has more than " + std::to_string(PageText::kMaxBytes >> 20U) + " MB of text");
    } else {
      page.page.id = page_.id.value_or(std::string(kNoId));
      page.page.revision_id = page_.revision_id.value_or("");
      page.page.timestamp = page_.timestamp;
      page.page.title = page_.title;
      page_.text.swap(page.page.text);
      page.namespace_key = page_.namespace_key;
      page.byte = page_byte_;
      is_given = true;
      if (page_.namespace_key == kArticleSpace) note_parts();
    }
    page_.namespace_key = "0";
  }
  ++ended_pages_;
  ended_title_.swap(page_.title);
  ended_id_ = page_.id;
  forget_page();
  return is_given;
}

void PageScanner::forget_page() {
  is_in_page_ = false;
  page_.clear();
  revisions_ = 0;
  has_slots_ = is_other_model_ = has_unread_tag_ = false;
}

// Without the head, the wiki's address and namespaces are unknown.
void PageScanner::take_gap() {
  const FileBytes bytes = lines_.gap();
  if (stage_ == Stage::kHead) {
    throw FormatError("the head of the dump is damaged, between the bytes " + std::to_string(bytes.begin) + " and " +
                          std::to_string(bytes.end) + ": its <siteinfo>, which names the wiki, is lost",
                      name_, "get the file again");
  }
  if (knowledge_) knowledge_->take_gap();
  if (is_owning_) {
    DumpDamage damage;
    damage.bytes = bytes;
    damage.pages = is_in_page_ || bytes.end - bytes.begin > kMaxEndBytes ? 1 : 0;
    if (ended_pages_ != 0) damage.before = name_of_page(ended_title_, ended_id_);
    const std::uint64_t intact_bytes = bytes.begin - std::min(bytes.begin, first_place_.value_or(bytes.begin));
    if (intact_bytes != 0) damage.likely_pages = (bytes.end - bytes.begin) * ended_pages_ / intact_bytes;
    damage_.push_back(std::move(damage));
    was_text_damaged_ = page_.is_in_text;
  }
  if (is_in_page_) reject("a part of the page is damaged");
  forget_page();
  page_.is_in_text = false;
  page_.is_redirect = false;
  page_.namespace_key = "0";
  is_after_damage_ = stage_ != Stage::kHead;
}

void PageScanner::note_unclosed(const std::string& what, const std::string& consequence) {
  DumpDamage damage;
  damage.is_open = false;
  damage.fault = what + " has no end, " + at(page_byte_) + ": " + consequence;
  damage_.push_back(std::move(damage));
}

// The damaged text belongs to one page, the head after it to another.
void PageScanner::note_tag_behind_damage(const DumpTag& tag) {
  const bool is_of_head = tag.name == "title" || tag.name == "ns" || tag.name == "text";
  if (is_of_head && was_text_damaged_ && is_owning_ && !damage_.empty()) damage_.back().pages = 2;
}

void PageScanner::end_damage() {
  for (auto damage = damage_.rbegin(); damage != damage_.rend() && damage->is_open; ++damage) {
    damage->is_open = false;
    damage->after = "'" + without_line_feed(page_.title) + "'";
  }
  if (is_after_range_) stage_ = Stage::kDone;
}

void PageScanner::check_damage(const std::string& more) const {
  if (!damage_.empty()) throw damage_error(name_, damage_, more);
}

// The root's tag may span several lines, and its end tag may follow other text.
void PageScanner::watch_root(std::string_view line) {
  constexpr std::string_view kRoot = "<mediawiki";
  constexpr std::string_view kRootEnd = "</mediawiki>";
  if (!has_root_) {
    const std::size_t at = line.find(kRoot);
    if (at == std::string_view::npos) return;
    has_root_ = true;
    has_named_root_ = line.substr(at + kRoot.size(), 1) != ">";
  }
  if (line.find(kRootEnd) != std::string_view::npos) has_root_end_ = true;
}

void PageScanner::check_end() const {
  if (is_part_) return;
  if (is_in_page_) {
    throw FormatError("the dump ends within the page " + page_name() + ", which begins " + at(page_byte_),
                      place(lines_.end_place()), "get the whole dump");
  }
  if (!has_root_) {
    throw FormatError("there is no <mediawiki> in it, so it is not a dump, or only part of one", name_,
                      "check the file; the pages that were found in it are kept");
  }
  if (unseen_ != 0) {
    throw FormatError("the dump has no <siteinfo> and its <mediawiki> names no schema: its " +
                          counted(unseen_, "page", "is", "are") + " not read",
                      name_, "add the head of a dump of the same wiki");
  }
  if (!has_root_end_ && !(range_.has_root_end_before && range_.has_root_end_before())) {
    throw FormatError("the dump ends without </mediawiki>: pages are missing", place(lines_.end_place()),
                      "get the whole dump");
  }
}

void PageScanner::reject(const std::string& reason) {
  if (is_owning_) rejects_(name_ + ": page " + page_name() + " " + at(page_byte_), reason, page_.title);
}

std::string PageScanner::name_of_page(const std::string& title, const std::optional<std::string>& id) {
  return "'" + without_line_feed(title) + "' (id " + without_line_feed(id.value_or(std::string(kNoId))) + ")";
}

std::string PageScanner::place(std::uint64_t byte) const {
  return name_ + " " + at(byte);
}

std::string PageScanner::at(std::uint64_t byte) const {
  return (lines_.has_blocks() ? "in the bzip2 block at byte " : "at byte ") + std::to_string(byte);
}

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
