#include "wiki/dump/dump_reader.h"

#include <algorithm>

#include "base/number_text.h"
#include "source/input/foreign_format.h"
#include "stream/bzip2_stream.h"
#include "unicode/code_points.h"

namespace bertprep {
namespace {

constexpr std::size_t kHeadBytes = 4096;

// The last part of FILE or ARCHIVE:MEMBER.
std::string last_part(const std::string& name) {
  const std::size_t at = name.find_last_of("/:");
  return at == std::string::npos ? name : name.substr(at + 1);
}

std::vector<std::filesystem::path> dumps_in(std::span<const std::filesystem::path> inputs) {
  std::vector<std::filesystem::path> files;
  for (const Input& input : list_inputs(inputs)) files.insert(files.end(), input.files.begin(), input.files.end());
  return files;
}

constexpr std::uint64_t kGrowth = 4;

bool is_bzip2(const std::filesystem::path& file) {
  FileStream stream(file, 0, kCompressionProbeBytes);
  return compression_of(stream.next_block()) == Compression::kBzip2;
}

RejectSink ignore() {
  return [](const auto&, const auto&, auto) {};
}

std::unique_ptr<PageScanner> scan_from_the_start(const std::filesystem::path& file, bool reads_elements) {
  const StreamOptions streams{{}, [](const auto&, const auto&) {}};
  auto scanner = std::make_unique<PageScanner>(file, open_stream(file, streams), ignore());
  if (reads_elements) scanner->read_elements();
  return scanner;
}

constexpr std::uint32_t kByteOrderMark = 0xFEFF;

bool is_high(std::uint32_t unit) {
  return unit >= 0xD800 && unit < 0xDC00;
}

bool is_low(std::uint32_t unit) {
  return unit >= 0xDC00 && unit < 0xE000;
}

}  // namespace

void DumpSeams::add(const std::string& where, const std::string& reason) {
  if (reason.find(kBzip2Rest) != std::string::npos) return;
  if (reason_.empty()) {
    where_ = where;
    reason_ = reason;
  } else {
    ++more_;
  }
}

void DumpSeams::check() {
  if (reason_.empty()) return;
  const DumpSeams seams = std::exchange(*this, {});
  const std::string more = seams.more_ == 0 ? "" : ", and there are " + grouped(seams.more_) + " more such parts";
  throw FormatError(seams.reason_ + more + "; no page is known to be lost", seams.where_, "get the file again");
}

DumpReader::DumpReader(std::span<const std::filesystem::path> inputs, std::string clock, Rejects& rejects,
                       TaskRunner runner)
    : files_(dumps_in(inputs)), clock_(std::move(clock)), rejects_(rejects) {
  streams_.runner = std::move(runner);
  streams_.meter = &meter_;
  streams_.damage = [this](const std::string& where, const std::string& reason) {
    seams_.add(where, reason);
    rejects_.add(where, reason, {});
  };
}

bool DumpReader::next(DumpPage& page) {
  while (scanner_ != nullptr || open_next()) {
    try {
      if (scanner_->next(page)) {
        if (!std::exchange(is_site_known_, true)) {
          site_ = make_site(scanner_->site(), dump_name_, clock_, page.page.timestamp);
          if (reads_elements_) check_language(*site_);
        }
        return true;
      }
      finish_dump();
    } catch (const FormatError&) {
      set_error(std::current_exception());
    }
    seams_ = {};
    redirects_ += scanner_->redirects();
    left_out_ = take_left_out();
    remarks_ = take_remarks();
    scanner_.reset();
  }
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  return false;
}

// The next dump: a file, or a member of an archive.
bool DumpReader::next_text(TextInput& text) {
  for (;;) {
    try {
      if (texts_ && texts_->next(text)) return true;
      if (file_ == files_.size()) {
        meter_.end();
        return false;
      }
      texts_.emplace(files_[file_++], NameChoice{}, streams_);
    } catch (const FormatError&) {
      texts_.reset();
      set_error(std::current_exception());
    }
  }
}

bool DumpReader::open_next() {
  for (TextInput text; next_text(text);) {
    try {
      open(std::move(text));
      return true;
    } catch (const FormatError&) {
      set_error(std::current_exception());
    }
  }
  return false;
}

// Throws FormatError for what can't be a dump.
void DumpReader::open(TextInput text) {
  auto bytes = std::make_unique<PeekedStream>(std::move(text.bytes));
  const std::string_view head = bytes->peek(kHeadBytes);
  if (head.empty()) throw FormatError("it is empty (0 bytes)", text.name, "get the file again");
  refuse_foreign(head, InputFormat::kMediawiki, text.name);
  dump_name_ = text.name;
  is_site_known_ = false;
  const Utf16 order = utf16_of(head);
  is_utf16_ = order != Utf16::kNone;
  std::unique_ptr<ByteStream> utf8 = std::move(bytes);
  if (is_utf16_) utf8 = std::make_unique<Utf16Stream>(std::move(utf8), order);
  scanner_ = std::make_unique<PageScanner>(dump_name_, std::move(utf8), std::bind_front(&Rejects::add, &rejects_));
  if (reads_elements_) scanner_->read_elements();
}

ReasonCounts DumpReader::take_left_out() {
  if (scanner_ != nullptr) left_out_.add(scanner_->take_left_out());
  return std::exchange(left_out_, {});
}

std::vector<RecordRemark> DumpReader::take_remarks() {
  if (scanner_ != nullptr) {
    for (RecordRemark& remark : scanner_->take_remarks()) remarks_.push_back(std::move(remark));
  }
  return std::exchange(remarks_, {});
}

void DumpReader::finish_dump() {
  seams_.check();
  if (!is_utf16_) return;
  throw FormatError("the dump is UTF-16, where MediaWiki writes UTF-8; its pages were read anyway", dump_name_,
                    "convert it to UTF-8: iconv -f UTF-16 -t UTF-8");
}

// Of several errors, the first is thrown and the others are reported.
void DumpReader::set_error(std::exception_ptr error) {
  if (rejects_.is_strict()) std::rethrow_exception(error);
  if (!error_) {
    error_ = std::move(error);
    return;
  }
  try {
    std::rethrow_exception(error);
  } catch (const FormatError& told) {
    rejects_.add(told.where(), told.what(), {});
  }
}

std::shared_ptr<const WikiSite> make_site(const WikiSite& head, const std::string& dump_name, const std::string& clock,
                                          const std::string& revision_time) {
  auto site = std::make_shared<WikiSite>(head);
  site->dump = last_part(dump_name);
  site->clock = clock_of(clock, site->dump, revision_time);
  return site;
}

void check_language(const WikiSite& site) {
  if (!language_of(site).empty()) return;
  throw FormatError("the dump does not tell the language of its wiki, in which numbers and units are shown", site.dump,
                    "write it into the first tag: <mediawiki xml:lang=\"en\" ...>");
}

std::string url_of(const WikiSite& site, std::string_view page_id) {
  return site.url_base + "?curid=" + std::string(page_id);
}

DumpHead read_dump_head(const std::filesystem::path& file, bool reads_elements) {
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
  scanner_ = std::make_unique<PageScanner>(range_.file, std::move(bytes), std::bind_front(&Rejects::add, &rejects_),
                                           std::move(pages));
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

Utf16 utf16_of(std::string_view first_bytes) {
  const std::string_view two = first_bytes.substr(0, 2);
  if (two == "\xFF\xFE" || two == std::string_view("<\0", 2)) return Utf16::kLittleEndian;
  if (two == "\xFE\xFF" || two == std::string_view("\0<", 2)) return Utf16::kBigEndian;
  return Utf16::kNone;
}

Utf16Stream::Utf16Stream(std::unique_ptr<ByteStream> bytes, Utf16 order) : bytes_(std::move(bytes)), order_(order) {}

std::string_view Utf16Stream::next_block() {
  out_.clear();
  while (out_.empty()) {
    const std::string_view block = bytes_->next_block();
    if (block.empty()) {
      if (std::exchange(has_byte_, false) || std::exchange(high_, 0) != 0)
        unicode::append_utf8(unicode::kReplacement, out_);
      return out_;
    }
    for (const char c : block) {
      const auto byte = static_cast<unsigned char>(c);
      if (!std::exchange(has_byte_, !has_byte_)) {
        byte_ = byte;
      } else {
        const std::uint32_t first = byte_;
        add_unit(order_ == Utf16::kBigEndian ? first << 8U | byte : std::uint32_t{byte} << 8U | first);
      }
    }
  }
  return out_;
}

void Utf16Stream::add_unit(std::uint32_t unit) {
  if (const std::uint32_t high = std::exchange(high_, 0); high != 0) {
    if (is_low(unit)) return unicode::append_utf8(0x10000U + ((high - 0xD800U) << 10U) + (unit - 0xDC00U), out_);
    unicode::append_utf8(unicode::kReplacement, out_);
  }
  if (is_high(unit)) {
    high_ = unit;
  } else if (unit != kByteOrderMark) {
    unicode::append_utf8(is_low(unit) ? unicode::kReplacement : unit, out_);
  }
}

}  // namespace bertprep
