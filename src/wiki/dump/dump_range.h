// DumpRangeReader: the pages that begin in a range of bytes of a dump, as reading all of it gives them.
//
// The file is XML as it is, or bzip2; of the latter a page begins where the block begins that holds its <page>. The
// wiki is read from the head of the dump; reading begins some way before the range, until it is sure what its first
// page takes over from those before it, and ends with its last page.
#pragma once

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
  // How far before `begin` reading starts, and four times as far when that is too near; a block or two of bzip2.
  std::uint64_t look_back_bytes = std::uint64_t{512} << 10U;
};

// The head of a dump, and the page that is given out first.
struct DumpHead {
  WikiSite site;
  std::string revision_time;      // of that page
  bool is_sound = false;          // there is a page and a root: reading may begin behind the first page of all
  std::uint64_t first_page = 0;   // where that one begins (DumpLines::place)
  std::uint64_t first_given = 0;  // where the page that is given out first begins
};
DumpHead read_dump_head(const std::filesystem::path& file);

class DumpRangeReader final : public DumpPages {
 public:
  // `clock` is that of WikiOptions. `rejects` must outlive the object. Throws IoError.
  DumpRangeReader(DumpRange range, std::string clock, Rejects& rejects, const TaskRunner& runner);

  // Throws the FormatError of a dump that is not sound behind the last page of the range that it is in.
  bool next(DumpPage& page) override;
  const std::shared_ptr<const WikiSite>& site() const override { return site_; }
  // Of a range nothing is told before its end.
  std::uint64_t input_bytes_read() const override { return 0; }
  std::uint64_t redirects() const override { return scanner_->redirects(); }

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
};

}  // namespace bertprep
