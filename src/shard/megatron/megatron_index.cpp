#include "shard/megatron/megatron_index.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

constexpr std::uint64_t kVersion = 1;
constexpr std::size_t kVocabOfUint16 = 65500;
constexpr std::uint8_t kInt32Code = 4;
constexpr std::uint8_t kUint16Code = 8;

// Reads numbers from the front of `bytes`.
class Reader {
 public:
  Reader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  template <class Number>
  Number next() {
    if (bytes_.size() < sizeof(Number)) fail("ends within its numbers");
    Number number;
    std::memcpy(&number, bytes_.data(), sizeof(Number));
    bytes_.remove_prefix(sizeof(Number));
    return number;
  }

  void expect(std::string_view text, const char* what) {
    if (!bytes_.starts_with(text)) fail(what);
    bytes_.remove_prefix(text.size());
  }
  std::size_t left() const { return bytes_.size(); }

  [[noreturn]] void fail(const std::string& what) const {
    throw FormatError(what, name_, "it is not an index of Megatron-LM, or it is damaged: make it again");
  }

 private:
  std::string_view bytes_;
  const std::string& name_;
};

IdType type_of(std::uint8_t code, const Reader& reader) {
  if (code == kUint16Code) return IdType::kUint16;
  if (code == kInt32Code) return IdType::kInt32;
  reader.fail("has ids of type " + std::to_string(code) + "; 8 is uint16, 4 is int32");
}

}  // namespace

IdType megatron_id_type(std::size_t vocab_size) {
  return vocab_size < kVocabOfUint16 ? IdType::kUint16 : IdType::kInt32;
}

MegatronIndex::MegatronIndex(IdType type) : type_(type) {
  if (type == IdType::kInt64) throw ConfigError("Megatron-LM reads only uint16 and int32 ids");
}

MegatronIndex MegatronIndex::parse(std::string_view bytes, const std::string& name) {
  Reader reader(bytes, name);
  reader.expect(kMegatronMagic, "does not begin as an index");
  if (reader.next<std::uint64_t>() != kVersion) reader.fail("has another version than 1");
  MegatronIndex index(type_of(reader.next<std::uint8_t>(), reader));
  const auto sequences = reader.next<std::uint64_t>();
  const auto documents = reader.next<std::uint64_t>();
  constexpr std::uint64_t kMax = std::uint64_t{1} << 48U;
  if (sequences > kMax || documents > kMax || reader.left() != sequences * 12 + documents * 8) {
    reader.fail("has another size than its " + std::to_string(sequences) + " sequences and " +
                std::to_string(documents) + " document ends take");
  }
  for (std::uint64_t i = 0; i < sequences; ++i) {
    const auto length = reader.next<std::int32_t>();
    if (length < 0) reader.fail("has a sequence of negative length");
    index.add_sequence(static_cast<std::uint64_t>(length));
  }
  std::uint64_t place = 0;
  for (const std::int32_t length : index.lengths_) {
    if (reader.next<std::uint64_t>() != place) reader.fail("has a sequence that does not follow the one before it");
    place += static_cast<std::uint64_t>(length) * bytes_of(index.type_);
  }
  index.document_ends_.clear();
  for (std::uint64_t i = 0; i < documents; ++i) index.document_ends_.push_back(reader.next<std::uint64_t>());
  const auto& ends = index.document_ends_;
  if (ends.empty() || ends.front() != 0 || ends.back() != sequences || !std::ranges::is_sorted(ends)) {
    reader.fail("has documents that do not end where its sequences do");
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

}  // namespace bertprep
