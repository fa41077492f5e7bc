#include "shard/megatron/megatron_view.h"

#include <array>
#include <cstring>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "shard/megatron/megatron_index.h"

namespace bertprep {
namespace {

constexpr std::size_t kHeaderBytes = 34;
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

MegatronView::MegatronView(std::string_view bytes) : bytes_(bytes) {
  constexpr std::uint64_t kMax = std::uint64_t{1} << 48U;
  if (!bytes.starts_with(kMegatronMagic)) throw FormatError("does not begin as an index of Megatron-LM");
  if (bytes.size() < kHeaderBytes) throw FormatError("ends within its first numbers");
  const auto version = number_at<std::uint64_t>(bytes, 9);
  if (version != 1) throw FormatError("is of version " + std::to_string(version) + ", expected 1");
  type_code_ = number_at<std::uint8_t>(bytes, 17);
  sequences_ = number_at<std::uint64_t>(bytes, 18);
  document_ends_ = number_at<std::uint64_t>(bytes, 26);
  const bool is_possible = sequences_ < kMax && document_ends_ < kMax;
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
