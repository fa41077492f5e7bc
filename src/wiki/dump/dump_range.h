// DumpRangeReader: the pages that begin in a range of bytes of a dump, the same as when reading all of it.
//
// The file is plain XML or bzip2; in bzip2, the begin of a page is that of the block with its <page>. Site information
// is read from the head of the dump. Reading begins somewhat before the range, to determine what its first page
// inherits from earlier ones, and ends with its last page.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "base/task_runner.h"
#include "source/input/article_limit.h"
#include "wiki/dump/dump_reader.h"
#include "wiki/dump/page_scanner.h"

namespace bertprep {

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

}  // namespace bertprep
