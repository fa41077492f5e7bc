#include "source/columns/page_reader.h"

#include <algorithm>

#include "bertprep/base/error.h"
#include "source/columns/thrift_reader.h"

namespace bertprep {
namespace {

constexpr std::size_t kWindowBytes = std::size_t{1} << 14;
constexpr std::size_t kMaxHeader = std::size_t{1} << 24;  // statistics may hold whole texts

}  // namespace

PageHeader parse_page_header(std::string_view bytes, std::size_t& used) {
  PageHeader header;
  std::uint64_t kind = 0;
  ThriftReader in(bytes);
  in.read_struct({{1, &kind}, {2, &header.bytes}, {3, &header.stored_bytes}}, [&](const ThriftField& field) {
    const bool is_struct = field.type == ThriftType::kStruct;
    if (field.id == 4) {
      header.checksum = static_cast<std::uint32_t>(in.integer(field));
    } else if (is_struct && (field.id == 5 || field.id == 7)) {
      in.read_struct({{1, &header.values}, {2, &header.encoding}, {3, &header.level_encoding}});
    } else if (is_struct && field.id == 8) {
      in.read_struct(
          {{1, &header.values}, {4, &header.encoding}, {5, &header.definition_bytes}, {6, &header.repetition_bytes}},
          [&](const ThriftField& one) {
            if (one.id != 7) return in.skip(one);
            header.is_compressed = in.boolean(one);
          });
    } else {
      in.skip(field);
    }
  });
  if (kind > static_cast<std::uint64_t>(PageKind::kDataV2)) throw FormatError("a page is of no known kind");
  header.kind = static_cast<PageKind>(kind);
  if (header.levels() > std::min(header.bytes, header.stored_bytes)) {
    throw FormatError("a page is shorter than its levels");
  }
  used = in.position();
  return header;
}

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
  for (std::size_t wanted = kWindowBytes;; wanted *= 4) {
    const std::string_view bytes = peek(wanted);
    try {
      std::size_t used = 0;
      const PageHeader header = parse_page_header(bytes, used);
      used_ += used;
      position_ += used;
      if (header.stored_bytes > end_ - position_) {
        throw FormatError("a page is said to have " + std::to_string(header.stored_bytes) + " bytes, the column has " +
                          std::to_string(end_ - position_) + " more");
      }
      return header;
    } catch (const ThriftEnd&) {
      if (bytes.size() < wanted || wanted >= kMaxHeader) throw FormatError("its pages end early");
    }
  }
}

}  // namespace bertprep
