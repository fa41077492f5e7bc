// A page of a wiki, and its text as in the dump.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace bertprep {

inline constexpr std::string_view kArticleSpace = "0";           // the namespace of articles
inline constexpr std::string_view kRedirectReason = "redirect";  // why a page is not an article
inline constexpr std::string_view kOtherSpaceReason = "page of another namespace";

struct WikiPage {
  std::string id;
  std::string revision_id;
  std::string timestamp;
  std::string title;
  std::string text;
};

struct WikiSite {
  std::string url_base;                           // "https://en.wikipedia.org/wiki"
  std::map<std::string, std::string> namespaces;  // name -> digits of its key; "" for a negative or missing key
  std::string template_namespace = "Template";
  std::string module_namespace = "Module";
  std::string content_language;  // xml:lang of the root
  std::string database;          // "enwiki"
  std::string dump;              // name of the dump
  std::string clock;             // "YYYY-MM-DDTHH:MM:SS", for CURRENTYEAR and the like; empty: unknown
};

// PageText: the text of the current page, up to a maximum length.
class PageText {
 public:
  // MediaWiki saves no page above 2 MB; escaped as XML it may be six times as long.
  static constexpr std::size_t kMaxBytes = std::size_t{16} << 20U;

  void append(std::string_view bytes) {
    if (is_too_long_) return;
    if (text_.size() + bytes.size() > kMaxBytes) return give_up();
    text_ += bytes;
  }
  // Drops the text and all later parts until clear().
  void give_up() {
    is_too_long_ = true;
    text_ = {};
  }
  void clear() {
    is_too_long_ = false;
    text_.clear();
  }
  bool is_too_long() const { return is_too_long_; }
  // Swaps the text with an empty one, whose memory is reused.
  void swap(std::string& text) {
    text_.swap(text);
    text_.clear();
  }

 private:
  std::string text_;
  bool is_too_long_ = false;
};

}  // namespace bertprep
