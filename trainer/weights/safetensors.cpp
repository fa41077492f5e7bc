#include "trainer/weights/safetensors.h"

#include <algorithm>
#include <array>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/json.h"
#include "io/output_file.h"

namespace bertprep {
namespace {

constexpr std::size_t kLengthBytes = 8;
constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;

struct DtypeSize {
  std::string_view name;
  std::size_t bytes;
};
constexpr std::array<DtypeSize, 10> kDtypes{{{"F64", 8},
                                             {"I64", 8},
                                             {"F32", 4},
                                             {"I32", 4},
                                             {"F16", 2},
                                             {"BF16", 2},
                                             {"I16", 2},
                                             {"I8", 1},
                                             {"U8", 1},
                                             {"BOOL", 1}}};

// The header's checksum is at its start, so that it is found before the header is trusted. It is computed with zeros in
// place of its digits, and covers first the length of the header.
constexpr const char* kNotes = "__metadata__";
constexpr const char* kHeaderSum = "header_xxh3";
constexpr const char* kTensorSums = "tensors_xxh3";  // in the order of the tensors
constexpr std::string_view kHeaderStart = R"({"__metadata__":{"header_xxh3":")";
constexpr std::size_t kDigits = 16;

std::string sums_of(const std::vector<TensorView>& tensors) {
  std::string sums;
  for (const TensorView& tensor : tensors) sums += hex_digits(checksum_of(bytes_in_memory(tensor.bytes)));
  return sums;
}

std::string digits_of_header(std::string_view header) {
  std::string zeroed(header);
  zeroed.replace(kHeaderStart.size(), kDigits, kDigits, '0');
  return hex_digits(checksum_of(zeroed, zeroed.size()));
}

std::string header_of(const std::vector<TensorView>& tensors, const TensorNotes& notes) {
  Json header = Json::object();
  Json texts = Json::object();
  texts.add(kHeaderSum, Json::string(std::string(kDigits, '0')));
  for (const auto& [key, value] : notes) texts.add(key, Json::string(value));
  texts.add(kTensorSums, Json::string(sums_of(tensors)));
  header.add(kNotes, std::move(texts));
  std::uint64_t offset = 0;
  for (const TensorView& tensor : tensors) {
    Json shape = Json::array();
    for (const std::int64_t size : tensor.shape) shape.push(Json::number(static_cast<std::uint64_t>(size)));
    Json offsets = Json::array();
    offsets.push(Json::number(offset)).push(Json::number(offset + tensor.bytes.size()));
    offset += tensor.bytes.size();
    Json entry = Json::object();
    entry.add("dtype", Json::string(tensor.dtype)).add("shape", std::move(shape));
    entry.add("data_offsets", std::move(offsets));
    header.add(tensor.name, std::move(entry));
  }
  std::string text = header.dump_line();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  text.replace(kHeaderStart.size(), kDigits, digits_of_header(text));
  return text;
}

std::uint64_t header_bytes(std::string_view bytes, const std::filesystem::path& path) {
  std::uint64_t length = 0;
  if (bytes.size() >= kLengthBytes) {
    for (std::size_t i = kLengthBytes; i-- > 0;) length = length << 8 | static_cast<unsigned char>(bytes[i]);
  }
  if (bytes.size() < kLengthBytes || length > kMaxHeaderBytes || length > bytes.size() - kLengthBytes) {
    throw FormatError("is not a safetensors file, or only part of one", path);
  }
  return length;
}

// Whether the shape, the dtype and the number of bytes agree.
bool is_valid(const TensorView& tensor) {
  std::uint64_t bytes = dtype_bytes(tensor.dtype);
  if (bytes == 0) return false;
  for (const std::int64_t size : tensor.shape) {
    if (size < 0 || __builtin_mul_overflow(bytes, static_cast<std::uint64_t>(size), &bytes)) return false;
  }
  return bytes == tensor.bytes.size();
}

[[noreturn]] void refuse_damage(const std::string& what, const std::filesystem::path& path) {
  throw FormatError(what + " differs from what was written: the file is damaged", path, "copy or make it again");
}

bool has_header_sum(std::string_view header) {
  return header.starts_with(kHeaderStart) && header.size() >= kHeaderStart.size() + kDigits;
}

// A damaged header may look like one without a checksum; then those of the tensors remain.
void give_sums(TensorTable& table, bool header_is_checked, const std::filesystem::path& path) {
  const auto sums =
      std::find_if(table.notes.begin(), table.notes.end(), [](const auto& note) { return note.first == kTensorSums; });
  if (sums == table.notes.end() && !header_is_checked) return;
  if (sums == table.notes.end() || !header_is_checked || sums->second.size() != kDigits * table.tensors.size()) {
    refuse_damage("the header", path);
  }
  std::string_view digits = sums->second;
  for (TensorView& tensor : table.tensors) {
    tensor.checksum = number_in<std::uint64_t>(digits.substr(0, kDigits), 16);
    if (!tensor.checksum) refuse_damage("the header", path);
    digits.remove_prefix(kDigits);
  }
}

TensorView view_of(const std::string& name, const Json& entry, std::string_view data,
                   const std::filesystem::path& path) {
  TensorView tensor{name, entry.at("dtype").text(), {}, {}, {}};
  for (const Json& size : entry.at("shape").items()) {
    tensor.shape.push_back(static_cast<std::int64_t>(size.as_unsigned()));
  }
  const auto& offsets = entry.at("data_offsets").items();
  if (offsets.size() != 2) throw FormatError("'" + name + "' does not have two offsets", path);
  const std::uint64_t begin = offsets[0].as_unsigned();
  const std::uint64_t end = offsets[1].as_unsigned();
  if (begin > end || end > data.size()) throw FormatError("'" + name + "' is outside the file", path);
  tensor.bytes = std::as_bytes(std::span(data.substr(begin, end - begin)));
  if (!is_valid(tensor)) throw FormatError("'" + name + "' has a shape that does not fit its bytes", path);
  return tensor;
}

TensorTable table_of(std::string_view header_text, std::string_view data, const std::filesystem::path& path) {
  const Json header = Json::parse(header_text, path.string());
  TensorTable table;
  for (const auto& [name, entry] : header.members()) {
    if (name == kNotes) {
      for (const auto& [key, value] : entry.members()) table.notes.emplace_back(key, value.text());
    } else {
      table.tensors.push_back(view_of(name, entry, data, path));
    }
  }
  return table;
}

}  // namespace

std::size_t dtype_bytes(const std::string& dtype) {
  for (const DtypeSize& known : kDtypes) {
    if (known.name == dtype) return known.bytes;
  }
  return 0;
}

void require_valid(const TensorView& tensor, std::span<const std::byte> bytes, const std::filesystem::path& path) {
  if (tensor.checksum && *tensor.checksum != checksum_of(bytes_in_memory(bytes)))
    refuse_damage("'" + tensor.name + "'", path);
}

void write_safetensors(const std::filesystem::path& path, const std::vector<TensorView>& tensors,
                       const TensorNotes& notes) {
  const std::string header = header_of(tensors, notes);
  std::string length(kLengthBytes, '\0');
  for (std::size_t i = 0; i < kLengthBytes; ++i) length[i] = static_cast<char>(header.size() >> (8 * i));
  OutputFile file(path);
  file.write(length);
  file.write(header);
  for (const TensorView& tensor : tensors) {
    file.write(bytes_in_memory(tensor.bytes));
  }
  file.finish();
}

bool is_safetensors(std::string_view bytes) {
  return bytes.size() > kLengthBytes && bytes[kLengthBytes] == '{';
}

TensorTable parse_safetensors(std::string_view bytes, const std::filesystem::path& path) {
  const std::uint64_t length = header_bytes(bytes, path);
  const std::string_view text = bytes.substr(kLengthBytes, length);
  if (has_header_sum(text) && text.substr(kHeaderStart.size(), kDigits) != digits_of_header(text)) {
    refuse_damage("the header", path);
  }
  try {
    TensorTable table = table_of(text, bytes.substr(kLengthBytes + length), path);
    give_sums(table, has_header_sum(text), path);
    return table;
  } catch (const FormatError& error) {
    // An error about a missing member lacks the file's name.
    const std::string what = error.what();
    if (what.starts_with(path.string())) throw;
    throw FormatError("the header is not valid: " + what, path);
  }
}

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path)
    : file_(path), table_(parse_safetensors(file_.bytes(), path)) {}

const TensorView* SafetensorsFile::find(const std::string& name) const {
  for (const TensorView& tensor : table_.tensors) {
    if (tensor.name == name) return &tensor;
  }
  return nullptr;
}

std::string SafetensorsFile::note(const std::string& key) const {
  for (const auto& [name, value] : table_.notes) {
    if (name == key) return value;
  }
  return {};
}

}  // namespace bertprep
