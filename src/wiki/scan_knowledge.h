// ScanKnowledge: what is sure about the state of a PageScanner that has begun in the middle of a dump.
//
// A page hands something on to the next one, by the reference's rules: its id, or all that an unclosed page had. A few
// whole pages make all of it sure.
#pragma once

namespace bertprep {

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

}  // namespace bertprep
