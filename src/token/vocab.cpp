#include "bertprep/token/vocab.h"

#include <algorithm>
#include <bit>
#include <functional>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/input_file.h"
#include "unicode/code_points.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

std::string line_of(TokenId id) {
  return std::to_string(static_cast<std::int64_t>(id) + 1);
}

// The largest known vocabularies have some hundred thousand; ids have 32 bits.
constexpr std::size_t kMaxLines = std::size_t{1} << 20;
constexpr std::uint64_t kMaxFileBytes = std::uint64_t{32} << 20;
// Of a word, only the first hundred characters count.
constexpr std::size_t kMaxPieceBytes = 4096;

[[noreturn]] void throw_too_large(const std::string& what, const std::string& name) {
  throw FormatError("this is not a vocabulary: it has more than " + what, name,
                    "give a file with one piece per line, such as 'bertprep vocab train' makes");
}

FormatError duplicate(const std::string& name, std::string_view piece, TokenId first, TokenId second) {
  if (piece.empty()) {
    return FormatError("is blank, as is line " + line_of(first), name + ":" + line_of(second), "remove blank lines");
  }
  return FormatError("duplicate piece '" + std::string(piece) + "', first on line " + line_of(first),
                     name + ":" + line_of(second), "each line of a vocabulary must be a different piece");
}

}  // namespace

// The slot that holds the piece, or the empty one that would.
const TokenId& Vocab::slot_of(std::string_view piece) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = std::hash<std::string_view>{}(piece)&mask;
  while (slots_[slot] != kEmptySlot && this->piece(slots_[slot]) != piece) slot = (slot + 1) & mask;
  return slots_[slot];
}

std::optional<TokenId> Vocab::find(std::string_view piece) const {
  const TokenId id = slot_of(piece);
  return id == kEmptySlot ? std::nullopt : std::optional(id);
}

std::string Vocab::sha256() const {
  return sha256_of(bytes_);
}

Vocab Vocab::parse(std::string_view bytes, const std::string& name) {
  require_valid_utf8(bytes, name);
  if (bytes.empty()) throw FormatError("the vocabulary is empty", name, "give a file with one piece per line");
  if (bytes.starts_with(unicode::kByteOrderMark)) {
    throw FormatError("begins with a byte order mark, which would be part of the first piece", name,
                      "save the file as UTF-8 without one");
  }
  const auto feeds = static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), '\n'));
  if (feeds > kMaxLines) throw_too_large(std::to_string(kMaxLines) + " lines", name);
  Vocab vocab;
  vocab.bytes_ = bytes;
  vocab.name_ = std::filesystem::path(name).filename().string();
  const std::vector<std::string_view> pieces = split_stripped_lines(vocab.bytes_);
  vocab.slots_.assign(std::bit_ceil(2 * pieces.size() + 2), kEmptySlot);
  vocab.lines_.reserve(pieces.size());
  vocab.ids_.reserve(pieces.size());
  for (const std::string_view piece : pieces) {
    const auto id = static_cast<TokenId>(vocab.lines_.size());
    if (piece.size() > kMaxPieceBytes) {
      throw_too_large(std::to_string(kMaxPieceBytes) + " bytes in a line", name + ":" + line_of(id));
    }
    const TokenId& slot = vocab.slot_of(piece);
    if (slot != kEmptySlot) throw duplicate(name, piece, slot, id);
    const auto begin = static_cast<std::uint32_t>(piece.data() - vocab.bytes_.data());
    vocab.lines_.push_back({begin, static_cast<std::uint32_t>(piece.size())});
    vocab.ids_.push_back(id);
    vocab.slots_[static_cast<std::size_t>(&slot - vocab.slots_.data())] = id;
  }
  const std::pair<std::string_view, TokenId*> specials[] = {{"[PAD]", &vocab.pad_},
                                                            {"[UNK]", &vocab.unk_},
                                                            {"[CLS]", &vocab.cls_},
                                                            {"[SEP]", &vocab.sep_},
                                                            {"[MASK]", &vocab.mask_}};
  for (const auto& [piece, id] : specials) {
    const auto found = vocab.find(piece);
    if (!found) {
      throw FormatError(
          "none of the " + std::to_string(vocab.size()) + " lines is the special piece " + std::string(piece), name,
          "a BERT vocabulary contains [PAD], [UNK], [CLS], [SEP] and [MASK]");
    }
    *id = *found;
  }
  return vocab;
}

Vocab Vocab::load(const std::filesystem::path& path) {
  require_no_device(path);
  if (InputFile(path).size_bytes() > kMaxFileBytes) {
    throw_too_large(std::to_string(kMaxFileBytes >> 20) + " MiB", path.string());
  }
  return parse(read_file(path), path.string());
}

}  // namespace bertprep
