// The pages of dumps: DumpReader reads several dumps in order, each with its wiki; DumpRangeReader the pages that begin
// in a range of bytes of a dump, the same as when reading all of it.
#pragma once

#include <algorithm>
#include <functional>

#include "source/input/article_limit.h"
#include "source/input/input_texts.h"
#include "wiki/dump/page_scanner.h"

namespace bertprep {

// Pages of one or more dumps, in order.
class DumpPages {
 public:
  virtual ~DumpPages() = default;

  // Overwrites `page` with the next page, of any namespace, that is not a redirect; false at the end.
  virtual bool next(DumpPage& page) = 0;
  // The wiki of the last page.
  virtual const std::shared_ptr<const WikiSite>& site() const = 0;
  // The number of its file among all that are read.
  virtual std::size_t file() const = 0;
  // Whether next() will throw after the last page.
  virtual bool has_fault() const = 0;
  // DocumentSource::input_bytes_read()
  virtual std::uint64_t input_bytes_read() const = 0;
  // Articles that are redirects, of the pages read so far.
  virtual std::uint64_t redirects() const = 0;
  // PageScanner::take_left_out(), take_remarks()
  virtual ReasonCounts take_left_out() = 0;
  virtual std::vector<RecordRemark> take_remarks() = 0;
};

// Damage of a bzip2 file that costs no page: headers, end marks and checksums of its streams.
class DumpSeams {
 public:
  void add(const std::string& where, const std::string& reason);
  // Throws FormatError if there was damage since the last call.
  void check();
  bool is_empty() const { return reason_.empty(); }

 private:
  std::string where_;
  std::string reason_;
  std::uint64_t more_ = 0;
};

class DumpReader final : public DumpPages {
 public:
  // `clock` is as in WikiOptions. `rejects` must outlive the object. Throws as list_inputs does.
  DumpReader(std::span<const std::filesystem::path> inputs, std::string clock, Rejects& rejects, TaskRunner runner);

  // As SourceOptions::max_expansion.
  void set_max_expansion(std::uint64_t times) { streams_.max_expansion = times; }

  // Reads dumps by their elements (PageScanner::read_elements). A dump that doesn't tell the language of its wiki is
  // then an error.
  void read_elements() { reads_elements_ = true; }

  // Also receives the bytes of the dumps; must outlive the object.
  void set_observer(ReadObserver* observer) { meter_.set_observer(observer); }

  // A fault of a whole dump does not prevent reading the others: its FormatError is thrown after the last page of all
  // dumps.
  bool next(DumpPage& page) override;

  const std::shared_ptr<const WikiSite>& site() const override { return site_; }
  std::size_t file() const override { return file_ - 1; }
  bool has_fault() const override {
    return error_ != nullptr || !seams_.is_empty() || is_utf16_ || (scanner_ != nullptr && scanner_->has_damage());
  }
  std::uint64_t input_bytes_read() const override { return meter_.bytes(); }
  std::uint64_t redirects() const override { return redirects_ + (scanner_ == nullptr ? 0 : scanner_->redirects()); }
  ReasonCounts take_left_out() override;
  std::vector<RecordRemark> take_remarks() override;

 private:
  bool open_next();
  bool next_text(TextInput& text);
  void open(TextInput text);
  void finish_dump();
  void set_error(std::exception_ptr error);

  std::vector<std::filesystem::path> files_;
  std::size_t file_ = 0;
  std::string clock_;
  Rejects& rejects_;
  ReadMeter meter_;
  StreamOptions streams_;
  std::optional<InputTexts> texts_;  // of the current file
  std::string dump_name_;
  std::unique_ptr<PageScanner> scanner_;
  bool reads_elements_ = false;
  bool is_utf16_ = false;
  std::shared_ptr<const WikiSite> site_;
  bool is_site_known_ = false;
  std::exception_ptr error_;     // of the first damaged dump
  DumpSeams seams_;              // of the current dump
  std::uint64_t redirects_ = 0;  // of the dumps before the current one
  ReasonCounts left_out_;        // likewise
  std::vector<RecordRemark> remarks_;
};

// A range: the file is plain XML or bzip2; in bzip2, the begin of a page is that of the block with its <page>. Site
// information is read from the head of the dump. Reading begins somewhat before the range, to determine what its first
// page inherits from earlier ones, and ends with its last page.

struct DumpRange {
  std::filesystem::path file;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  // 0: the end of the file
  // How far before `begin` reading starts; four times as far if that is not enough. One or two blocks of bzip2.
  std::uint64_t look_back_bytes = std::uint64_t{512} << 10U;
  bool reads_elements = false;  // as DumpReader::read_elements()
};

// The head of a dump, and the first page returned.
struct DumpHead {
  WikiSite site;
  std::string revision_time;      // of that page
  bool is_complete = false;       // it has a page and a root: reading may begin after the first page of the dump
  std::uint64_t first_page = 0;   // where the first page begins (DumpLines::place)
  std::uint64_t first_given = 0;  // where the first page returned begins
};
// `reads_elements`: as DumpReader::read_elements().
DumpHead read_dump_head(const std::filesystem::path& file, bool reads_elements = false);

class DumpRangeReader final : public DumpPages {
 public:
  // `clock` is as in WikiOptions. `rejects` must outlive the object. Throws IoError.
  DumpRangeReader(DumpRange range, std::string clock, Rejects& rejects, const TaskRunner& runner);

  // Throws the FormatError of a damaged dump after the last page of the range with the damage.
  bool next(DumpPage& page) override;
  const std::shared_ptr<const WikiSite>& site() const override { return site_; }
  std::size_t file() const override { return 0; }
  bool has_fault() const override { return !seams_.is_empty() || scanner_->has_damage(); }
  std::uint64_t input_bytes_read() const override { return reached_ - std::min(reached_, range_.begin); }
  std::uint64_t redirects() const override { return scanner_->redirects(); }
  ReasonCounts take_left_out() override { return scanner_->take_left_out(); }
  std::vector<RecordRemark> take_remarks() override { return scanner_->take_remarks(); }

 private:
  void open();
  bool has_root_end_before();

  DumpRange range_;
  std::string clock_;
  Rejects& rejects_;
  StreamOptions streams_;
  DumpSeams seams_;
  DumpHead head_;
  std::unique_ptr<PageScanner> scanner_;
  std::shared_ptr<const WikiSite> site_;
  std::uint64_t reached_ = 0;  // where the last page begins
};

// The wiki of a dump whose first page has `revision_time`; `clock` is as in WikiOptions.
std::shared_ptr<const WikiSite> make_site(const WikiSite& head, const std::string& dump_name, const std::string& clock,
                                          const std::string& revision_time);

// Throws FormatError if the wiki's language is not known: its numbers and units would be shown in another one.
void check_language(const WikiSite& site);

// Where a page can be read in the wiki: "https://en.wikipedia.org/wiki?curid=12".
std::string url_of(const WikiSite& site, std::string_view page_id);

// UTF-16, of dumps saved as such by an editor.

enum class Utf16 { kNone, kLittleEndian, kBigEndian };

// By the byte order mark, or by the zero bytes around a first "<".
Utf16 utf16_of(std::string_view first_bytes);

class Utf16Stream final : public ByteStream {
 public:
  Utf16Stream(std::unique_ptr<ByteStream> bytes, Utf16 order);

  // Half of a surrogate pair becomes U+FFFD.
  std::string_view next_block() override;
  BlockPlace place() const override { return {.gap = bytes_->place().gap}; }

 private:
  void add_unit(std::uint32_t unit);

  std::unique_ptr<ByteStream> bytes_;
  Utf16 order_;
  std::string out_;
  bool has_byte_ = false;
  unsigned char byte_ = 0;  // the first of a unit that continues in the next block
  std::uint32_t high_ = 0;  // a high surrogate waiting for its low one
};

}  // namespace bertprep
