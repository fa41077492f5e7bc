#include "source/columns/column_reader.h"

#include <algorithm>

namespace bertprep {
namespace {

constexpr std::size_t kWindowBytes = std::size_t{1} << 14;
constexpr std::size_t kMaxHeader = std::size_t{1} << 24;  // statistics may hold whole texts

constexpr std::uint64_t kMaxBytesAhead = std::uint64_t{32} << 20;
constexpr std::uint64_t kRle = 3;

// While rows are taken, each worker has a page to decompress and one waiting.
std::size_t pages_at_once(std::size_t width) {
  return width <= 1 ? 1 : 2 * width;
}

}  // namespace

void PageReader::begin(const ColumnChunk& chunk) {
  position_ = chunk.begin;
  end_ = chunk.end;
  window_.clear();
  used_ = 0;
  file_.seek(position_);
}

// At least `wanted` bytes, fewer only at the end of the column.
std::string_view PageReader::peek(std::size_t wanted) {
  const std::uint64_t left = end_ - position_;
  wanted = static_cast<std::size_t>(std::min<std::uint64_t>(wanted, left));
  if (window_.size() - used_ < wanted) {
    window_.erase(0, used_);
    used_ = 0;
    const std::size_t have = window_.size();
    window_.resize(wanted);
    window_.resize(have + file_.read(std::span(window_).subspan(have)));
  }
  return std::string_view(window_).substr(used_);
}

void PageReader::read(std::span<char> out) {
  const std::size_t here = std::min(out.size(), window_.size() - used_);
  std::copy_n(window_.begin() + static_cast<std::ptrdiff_t>(used_), here, out.begin());
  used_ += here;
  position_ += out.size();
  out = out.subspan(here);
  if (file_.read(out) != out.size()) throw FormatError("the file became shorter while it was read");
}

PageHeader PageReader::next_header() {
  std::optional<PageHeader> header;
  std::size_t used = 0;
  for (std::size_t wanted = kWindowBytes; !header; wanted *= 4) {
    const std::string_view bytes = peek(wanted);
    header = parse_page_header(bytes, used);
    if (!header && (bytes.size() < wanted || wanted >= kMaxHeader)) throw FormatError("its pages end early");
  }
  used_ += used;
  position_ += used;
  if (header->stored_bytes > end_ - position_) {
    throw FormatError("a page is said to have " + std::to_string(header->stored_bytes) + " bytes, the column has " +
                      std::to_string(end_ - position_) + " more");
  }
  return *header;
}

struct ColumnReader::Page {
  std::size_t chunk = 0;
  PageHeader header{};
  PageBuffer stored{};
  PageBuffer bytes{};
  std::shared_ptr<const ColumnDictionary> dictionary{};
  std::exception_ptr fault{};

  PageContent content(unsigned levels) const {
    PageContent content{
        .values = header.values, .encoding = header.encoding, .bytes = bytes.bytes(), .dictionary = dictionary};
    if (header.kind == PageKind::kDataV2) {
      take_bytes(content.bytes, header.repetition_bytes);
      content.levels = take_bytes(content.bytes, header.definition_bytes);
    } else if (levels != 0) {
      if (header.level_encoding != kRle) throw FormatError("its levels are packed in a way that is not read");
      content.levels = take_bytes(content.bytes, number_in(take_bytes(content.bytes, 4)));
    }
    return content;
  }
};

ColumnReader::ColumnReader(ColumnFile file, SchemaNode column, std::span<const RowGroup> groups,
                           std::size_t first_group)
    : file_(std::move(file)),
      column_(std::move(column)),
      first_group_(first_group),
      pages_(file_.path),
      unpackers_(file_.runner.width + 2),
      max_ahead_(pages_at_once(file_.runner.width)),
      queue_(file_.runner.make_queue()) {
  for (const RowGroup& group : groups) {
    chunks_.push_back(group.columns[column_.column]);
    if (chunks_.back().values != group.rows) {
      fail(chunks_.size() - 1, FormatError("it has " + std::to_string(chunks_.back().values) + " values for " +
                                           std::to_string(group.rows) + " rows"));
    }
  }
}

ColumnReader::~ColumnReader() = default;

void ColumnReader::fail(std::size_t chunk, const FormatError& error) const {
  if (!error.where().empty()) throw FormatError(error);
  throw FormatError("column \"" + column_.name + "\" of row group " + std::to_string(first_group_ + chunk) +
                        " can't be read: " + error.what(),
                    file_.path, "get the file again, or write it with another program");
}

ColumnValue ColumnReader::next() {
  while (values_.left() == 0) begin_next_page();
  try {
    return values_.next();
  } catch (const FormatError& error) {
    fail(page_->chunk, error);
  }
}

void ColumnReader::begin_next_page() {
  if (page_ != nullptr) free_.push_back(std::move(page_));
  read_ahead();
  if (ahead_.empty()) fail(chunks_.size(), FormatError("its values end early"));
  page_ = std::move(ahead_.front());
  ahead_.pop_front();
  try {
    if (page_->fault) std::rethrow_exception(page_->fault);
    queue_->finish_oldest();
    bytes_ahead_ -= page_->header.bytes;
    values_ = PageValues(page_->content(column_.levels), column_);
  } catch (const FormatError& error) {
    fail(page_->chunk, error);
  }
}

std::unique_ptr<ColumnReader::Page> ColumnReader::take_page() {
  if (free_.empty()) return std::make_unique<Page>();
  auto page = std::move(free_.back());
  free_.pop_back();
  return page;
}

// A fault waits until the values before it were taken.
void ColumnReader::read_ahead() {
  while (!is_read_ && ahead_.size() < max_ahead_ && (ahead_.empty() || bytes_ahead_ < kMaxBytesAhead)) {
    Page* const page = ahead_.emplace_back(take_page()).get();
    try {
      read_page(*page);
      bytes_ahead_ += page->header.bytes;
      queue_->add([this, page](std::size_t worker) { unpack(*page, worker); });
    } catch (...) {
      page->fault = std::current_exception();
      is_read_ = true;
    }
  }
}

void ColumnReader::read_page(Page& page) {
  while (unread_ == 0) {
    if (is_in_chunk_) ++chunk_;
    page.chunk = chunk_;
    if (chunk_ == chunks_.size()) throw FormatError("its values end early");
    pages_.begin(chunks_[chunk_]);
    unread_ = chunks_[chunk_].values;
    is_in_chunk_ = true;
    dictionary_.reset();
  }
  page.chunk = chunk_;
  for (;;) {
    page.header = pages_.next_header();
    require_size("a page", page.header.bytes, file_.max_page_bytes);
    if (file_.expansion != nullptr) file_.expansion->add(page.header.bytes);
    pages_.read(page.stored.make(page.header.stored_bytes));
    if (page.header.kind == PageKind::kDictionary) {
      read_dictionary(page);
    } else if (page.header.kind != PageKind::kIndex) {
      break;
    }
  }
  if (page.header.values > unread_) throw FormatError("its pages have more values than the row group");
  unread_ -= page.header.values;
  page.dictionary = dictionary_;
}

void ColumnReader::read_dictionary(Page& page) {
  unpack(page, unpackers_.size() - 1);
  SchemaNode column = column_;
  column.levels = 0;
  PageValues values({.values = page.header.values, .bytes = page.bytes.bytes()}, column);
  auto dictionary = std::make_shared<ColumnDictionary>();
  while (values.left() > 0) dictionary->add(values.next(), file_.max_page_bytes);
  dictionary_ = std::move(dictionary);
}

void ColumnReader::unpack(Page& page, std::size_t worker) {
  const PageHeader& header = page.header;
  const std::string_view stored = page.stored.bytes();
  if (header.checksum && *header.checksum != crc32_of(stored)) throw FormatError("a page does not have its checksum");
  const PageCodec codec = header.is_compressed ? chunks_[page.chunk].codec : PageCodec::kNone;
  if (codec == PageCodec::kNone && header.bytes == stored.size()) return std::swap(page.stored, page.bytes);
  const std::uint64_t levels = header.levels();
  const std::span<char> out = page.bytes.make(header.bytes);
  std::copy_n(stored.begin(), levels, out.begin());
  if (out.size() == levels && stored.size() == levels) return;
  if (!unpackers_[worker].unpack(codec, stored.substr(levels), out.subspan(levels))) {
    throw FormatError("a page can't be decompressed");
  }
}

}  // namespace bertprep
