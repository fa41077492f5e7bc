#include "shard/megatron/megatron_set.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/input_file.h"

namespace bertprep {
namespace {

constexpr std::uint64_t kVersion = 1;
constexpr std::size_t kVocabOfUint16 = 65500;
constexpr std::uint8_t kInt32Code = 4;
constexpr std::uint8_t kUint16Code = 8;

// The places of the first numbers.
constexpr std::size_t kVersionPlace = 9;
constexpr std::size_t kTypePlace = 17;
constexpr std::size_t kSequencesPlace = 18;
constexpr std::size_t kDocumentsPlace = 26;
constexpr std::size_t kHeaderBytes = 34;
constexpr std::uint64_t kMaxCount = std::uint64_t{1} << 48U;  // of sequences and documents: numbers don't overflow
constexpr std::size_t kLengthBytes = 4;
constexpr std::size_t kOffsetBytes = 8;

struct IdKind {
  const char* name;
  unsigned bytes;  // 0: not an integer type
  bool is_signed;
};
constexpr std::array<IdKind, 9> kKinds{{{"nothing", 0, false},
                                        {"uint8", 1, false},
                                        {"int8", 1, true},
                                        {"int16", 2, true},
                                        {"int32", 4, true},
                                        {"int64", 8, true},
                                        {"float64", 0, true},
                                        {"float32", 0, true},
                                        {"uint16", 2, false}}};

template <class Number>
Number number_at(std::string_view bytes, std::uint64_t at) {
  Number number;
  std::memcpy(&number, bytes.data() + at, sizeof(Number));
  return number;
}

}  // namespace

IdType megatron_id_type(std::size_t vocab_size) {
  return vocab_size < kVocabOfUint16 ? IdType::kUint16 : IdType::kInt32;
}

MegatronIndex::MegatronIndex(IdType type) : type_(type) {
  if (type == IdType::kInt64) throw ConfigError("Megatron-LM reads only uint16 and int32 ids");
}

MegatronIndex MegatronIndex::parse(std::string_view bytes, const std::string& name) {
  const auto fail = [&](const std::string& what) {
    throw FormatError(what, name, "it is not an index of Megatron-LM, or it is damaged: make it again");
  };
  if (!bytes.starts_with(kMegatronMagic)) fail("does not begin as an index");
  if (bytes.size() < kHeaderBytes) fail("ends within its numbers");
  if (number_at<std::uint64_t>(bytes, kVersionPlace) != kVersion) fail("has another version than 1");
  const auto code = number_at<std::uint8_t>(bytes, kTypePlace);
  if (code != kUint16Code && code != kInt32Code) {
    fail("has ids of type " + std::to_string(code) + "; 8 is uint16, 4 is int32");
  }
  const auto sequences = number_at<std::uint64_t>(bytes, kSequencesPlace);
  const auto documents = number_at<std::uint64_t>(bytes, kDocumentsPlace);
  if (sequences >= kMaxCount || documents >= kMaxCount ||
      bytes.size() - kHeaderBytes != sequences * (kLengthBytes + kOffsetBytes) + documents * kOffsetBytes) {
    fail("has another size than its " + std::to_string(sequences) + " sequences and " + std::to_string(documents) +
         " document ends take");
  }
  const MegatronView view(bytes);
  MegatronIndex index(code == kUint16Code ? IdType::kUint16 : IdType::kInt32);
  for (std::uint64_t i = 0; i < sequences; ++i) {
    if (view.length(i) < 0) fail("has a sequence of negative length");
    index.add_sequence(static_cast<std::uint64_t>(view.length(i)));
  }
  std::uint64_t place = 0;
  for (std::uint64_t i = 0; i < sequences; ++i) {
    if (static_cast<std::uint64_t>(view.offset(i)) != place) {
      fail("has a sequence that does not follow the one before it");
    }
    place += static_cast<std::uint64_t>(index.lengths_[i]) * bytes_of(index.type_);
  }
  auto& ends = index.document_ends_;
  ends.clear();
  for (std::uint64_t i = 0; i < documents; ++i) ends.push_back(static_cast<std::uint64_t>(view.document_end(i)));
  if (ends.empty() || ends.front() != 0 || ends.back() != sequences || !std::ranges::is_sorted(ends)) {
    fail("has documents that do not end where its sequences do");
  }
  return index;
}

void MegatronIndex::add_sequence(std::uint64_t ids) {
  if (ids > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max())) {
    throw FormatError("a sequence has " + std::to_string(ids) + " ids", {}, "Megatron-LM takes 2147483647 at most");
  }
  lengths_.push_back(static_cast<std::int32_t>(ids));
  ids_ += ids;
}

void MegatronIndex::append(const MegatronIndex& other) {
  if (other.type_ != type_) throw FormatError("sets of ids of different types can't become one");
  const std::uint64_t before = lengths_.size();
  lengths_.insert(lengths_.end(), other.lengths_.begin(), other.lengths_.end());
  for (std::size_t i = 1; i < other.document_ends_.size(); ++i) {
    document_ends_.push_back(before + other.document_ends_[i]);
  }
  ids_ += other.ids_;
}

std::string MegatronIndex::bytes() const {
  std::string out(kMegatronMagic);
  append_little_endian(kVersion, out);
  out += static_cast<char>(type_ == IdType::kUint16 ? kUint16Code : kInt32Code);
  append_little_endian<std::uint64_t>(lengths_.size(), out);
  append_little_endian<std::uint64_t>(document_ends_.size(), out);
  for (const std::int32_t length : lengths_) append_little_endian(static_cast<std::uint32_t>(length), out);
  std::uint64_t place = 0;
  for (const std::int32_t length : lengths_) {
    append_little_endian(place, out);
    place += static_cast<std::uint64_t>(length) * bytes_of(type_);
  }
  for (const std::uint64_t end : document_ends_) append_little_endian(end, out);
  return out;
}

MegatronSet::MegatronSet(PendingFile bin, PendingFile idx, IdType type)
    : bin_(std::move(bin)), idx_(std::move(idx)), ids_(bin_.path()), index_(type) {}

void MegatronSet::add_sequence(std::span<const std::int32_t> ids) {
  buffer_.clear();
  append_ids(ids, index_.type(), buffer_);
  ids_.write(buffer_);
  index_.add_sequence(ids.size());
}

void MegatronSet::append(const MegatronPaths& part) {
  const MappedFile idx(part.idx);
  const MegatronIndex index = MegatronIndex::parse(idx.bytes(), part.idx.string());
  InputFile bin(part.bin);
  const std::uint64_t expected = index.ids() * bytes_of(index.type());
  if (bin.size_bytes() != expected) {
    throw FormatError("has " + counted(bin.size_bytes(), "byte") + ", its index counts " + grouped(expected), part.bin,
                      "it is damaged: make it again");
  }
  index_.append(index);
  const ReadBuffer buffer;
  while (const std::size_t count = bin.read(buffer.span())) ids_.write(buffer.first(count));
}

void MegatronSet::finish() {
  ids_.finish();
  OutputFile idx(idx_.path());
  idx.write(index_.bytes());
  idx.finish();
}

MegatronView::MegatronView(std::string_view bytes) : bytes_(bytes) {
  if (!bytes.starts_with(kMegatronMagic)) throw FormatError("does not begin as an index of Megatron-LM");
  if (bytes.size() < kHeaderBytes) throw FormatError("ends within its first numbers");
  const auto version = number_at<std::uint64_t>(bytes, kVersionPlace);
  if (version != 1) throw FormatError("is of version " + std::to_string(version) + ", expected 1");
  type_code_ = number_at<std::uint8_t>(bytes, kTypePlace);
  sequences_ = number_at<std::uint64_t>(bytes, kSequencesPlace);
  document_ends_ = number_at<std::uint64_t>(bytes, kDocumentsPlace);
  const bool is_possible = sequences_ < kMaxCount && document_ends_ < kMaxCount;
  const std::uint64_t needed =
      kHeaderBytes + sequences_ * (kLengthBytes + kOffsetBytes) + document_ends_ * kOffsetBytes;
  if (!is_possible || needed > bytes.size()) {
    throw FormatError("has " + counted(bytes.size(), "byte") + ", too few for " + counted(sequences_, "sequence") +
                      " and " + counted(document_ends_, "document end"));
  }
}

std::int32_t MegatronView::length(std::uint64_t sequence) const {
  return number_at<std::int32_t>(bytes_, kHeaderBytes + sequence * kLengthBytes);
}

std::int64_t MegatronView::offset(std::uint64_t sequence) const {
  return number_at<std::int64_t>(bytes_, kHeaderBytes + sequences_ * kLengthBytes + sequence * kOffsetBytes);
}

std::int64_t MegatronView::document_end(std::uint64_t i) const {
  return number_at<std::int64_t>(bytes_, kHeaderBytes + sequences_ * (kLengthBytes + kOffsetBytes) + i * kOffsetBytes);
}

unsigned megatron_id_bytes(std::uint8_t type_code) {
  return type_code < kKinds.size() ? kKinds[type_code].bytes : 0;
}

bool is_megatron_type_signed(std::uint8_t type_code) {
  return type_code < kKinds.size() && kKinds[type_code].is_signed;
}

std::string megatron_type_name(std::uint8_t type_code) {
  return type_code < kKinds.size() ? kKinds[type_code].name : "type " + std::to_string(type_code);
}

}  // namespace bertprep
