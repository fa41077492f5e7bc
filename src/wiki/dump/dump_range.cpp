#include "wiki/dump/dump_range.h"

#include <algorithm>
#include <utility>

#include "bertprep/base/error.h"
#include "stream/byte_stream.h"
#include "stream/bzip2_stream.h"
#include "stream/open_stream.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kGrowth = 4;

bool is_bzip2(const fs::path& file) {
  FileStream stream(file, 0, kCompressionProbeBytes);
  return compression_of(stream.next_block()) == Compression::kBzip2;
}

RejectSink ignore() {
  return [](const auto&, const auto&, auto) {};
}

std::unique_ptr<PageScanner> scan_from_the_start(const fs::path& file, bool reads_elements) {
  const StreamOptions streams{{}, [](const auto&, const auto&) {}};
  auto scanner = std::make_unique<PageScanner>(file, open_stream(file, streams), ignore());
  if (reads_elements) scanner->read_elements();
  return scanner;
}

}  // namespace

DumpHead read_dump_head(const fs::path& file, bool reads_elements) {
  const auto scanner = scan_from_the_start(file, reads_elements);
  try {
    DumpPage page;
    if (!scanner->next(page)) return {};
    return {scanner->site(), page.page.timestamp, scanner->has_root() && scanner->first_page_place(),
            scanner->first_page_place().value_or(0), page.byte};
  } catch (const FormatError&) {
    return {};
  }
}

DumpRangeReader::DumpRangeReader(DumpRange range, std::string clock, Rejects& rejects, const TaskRunner& runner)
    : range_(std::move(range)), clock_(std::move(clock)), rejects_(rejects) {
  streams_.runner = runner;
  streams_.damage = [this](const std::string& where, const std::string& reason) {
    if (!scanner_->is_owning()) return;
    seams_.add(where, reason);
    rejects_.add(where, reason, {});
  };
  head_ = read_dump_head(range_.file, range_.reads_elements);
  open();
}

void DumpRangeReader::open() {
  const std::uint64_t far = range_.begin - std::min(range_.begin, range_.look_back_bytes);
  const bool is_after_head = head_.is_complete && far > head_.first_page;
  const std::uint64_t from = is_after_head ? far : 0;
  PageRange pages{range_.begin, range_.end, is_after_head, from, {}};
  if (is_after_head) pages.has_root_end_before = [this] { return has_root_end_before(); };
  std::unique_ptr<ByteStream> bytes;
  if (is_bzip2(range_.file)) {
    pages.first_byte = 0;
    bytes = open_bzip2(range_.file, streams_, {from, 0, is_after_head, range_.end});
  } else {
    bytes = std::make_unique<FileStream>(range_.file, from);
  }
  const auto reject = [this](const std::string& where, const std::string& reason, std::string_view record) {
    rejects_.add(where, reason, record);
  };
  scanner_ = std::make_unique<PageScanner>(range_.file, std::move(bytes), reject, std::move(pages));
  if (range_.reads_elements) scanner_->read_elements();
}

bool DumpRangeReader::next(DumpPage& page) {
  for (;;) {
    if (scanner_->next(page)) {
      reached_ = page.byte;
      if (site_ == nullptr) {
        site_ = make_site(head_.site, range_.file, clock_, head_.revision_time);
        if (range_.reads_elements) check_language(*site_);
      }
      return true;
    }
    if (!scanner_->needs_look_back()) {
      seams_.check();
      return false;
    }
    seams_ = {};
    range_.look_back_bytes = std::max<std::uint64_t>(range_.look_back_bytes, 1) * kGrowth;
    open();
  }
}

// Called only if the dump seems to be truncated.
bool DumpRangeReader::has_root_end_before() {
  const auto scanner = scan_from_the_start(range_.file, range_.reads_elements);
  try {
    for (DumpPage page; !scanner->has_root_end() && scanner->next(page);) {
    }
  } catch (const FormatError&) {
    // The caller reports the state of the dump.
  }
  return scanner->has_root_end();
}

}  // namespace bertprep
