// DumpReader: the pages of several dumps, in order, each with its wiki.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/task_runner.h"
#include "bertprep/source/open_source.h"
#include "source/input/article_limit.h"
#include "source/input/input_list.h"
#include "source/input/input_texts.h"
#include "stream/open_stream.h"
#include "wiki/dump/page_scanner.h"

namespace bertprep {

// The dumps in `inputs`: in folders, files named like an index of a multistream dump are skipped. Throws ConfigError
// and IoError as list_inputs does.
std::vector<Input> list_dumps(std::span<const std::filesystem::path> inputs);

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
  // `clock` is as in WikiOptions. `rejects` must outlive the object. Throws as list_dumps does.
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
  const std::string& dump_name() const { return dump_name_; }  // as reported
  std::uint64_t pages() const { return pages_; }               // of all namespaces, without redirects
  std::uint64_t redirects() const override { return redirects_ + (scanner_ == nullptr ? 0 : scanner_->redirects()); }
  ReasonCounts take_left_out() override;
  std::vector<RecordRemark> take_remarks() override;

 private:
  bool open_next();
  bool next_text(TextInput& text);
  bool is_dump(TextInput& text);
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
  std::exception_ptr error_;  // of the first damaged dump
  DumpSeams seams_;           // of the current dump
  std::uint64_t pages_ = 0;
  std::uint64_t redirects_ = 0;  // of the dumps before the current one
  ReasonCounts left_out_;        // likewise
  std::vector<RecordRemark> remarks_;
};

// The wiki of a dump whose first page has `revision_time`; `clock` is as in WikiOptions.
std::shared_ptr<const WikiSite> make_site(const WikiSite& head, const std::string& dump_name, const std::string& clock,
                                          const std::string& revision_time);

// Throws FormatError if the wiki's language is not known: its numbers and units would be shown in another one.
void check_language(const WikiSite& site);

// Where a page can be read in the wiki: "https://en.wikipedia.org/wiki?curid=12".
std::string url_of(const WikiSite& site, std::string_view page_id);

}  // namespace bertprep
