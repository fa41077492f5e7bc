#include "token/piece_trie.h"

#include <algorithm>
#include <array>

namespace bertprep {
namespace {

constexpr std::size_t kBytes = 256;

unsigned char byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

// Orders as the bytes do: most significant first, missing ones as 0.
std::uint64_t head_of(std::string_view text) {
  std::uint64_t head = 0;
  for (std::size_t i = 0; i < sizeof head; ++i) head = head << 8U | (i < text.size() ? byte_at(text, i) : 0U);
  return head;
}

}  // namespace

// By heads, one byte after the other from the last, which takes a third of the time of comparisons; then by what is
// behind equal heads.
void PieceTrie::sort_by_bytes(std::vector<Entry>& entries) {
  std::vector<Entry> sorted(entries.size());
  for (unsigned shift = 0; shift < 64; shift += 8) {
    std::array<std::size_t, kBytes + 1> places{};
    for (const Entry& entry : entries) ++places[(entry.head >> shift & 0xFFU) + 1];
    for (std::size_t byte = 1; byte < kBytes; ++byte) places[byte] += places[byte - 1];
    for (const Entry& entry : entries) sorted[places[entry.head >> shift & 0xFFU]++] = entry;
    entries.swap(sorted);
  }
  for (auto first = entries.begin(); first != entries.end();) {
    const auto last = std::find_if(first, entries.end(), [&](const Entry& entry) { return entry.head != first->head; });
    std::sort(first, last, [](const Entry& a, const Entry& b) { return a.text < b.text; });
    first = last;
  }
}

PieceTrie::PieceTrie(const Vocab& vocab) : unk_(vocab.unk()) {
  constexpr std::string_view kContinues = "##";
  std::vector<Entry> starts, continuations;
  for (const TokenId id : vocab.ids()) {
    const std::string_view piece = vocab.piece(id);
    if (!piece.empty()) starts.push_back({piece, id, head_of(piece)});
    if (piece.starts_with(kContinues) && piece != kContinues) {
      const std::string_view text = piece.substr(kContinues.size());
      continuations.push_back({text, id, head_of(text)});
    }
  }
  grow_to(2 + kBytes);
  nodes_[kWordStart].parent = kNoParent;
  nodes_[kContinuation].parent = kNoParent;
  add(kWordStart, std::move(starts));
  add(kContinuation, std::move(continuations));
}

void PieceTrie::add(std::int32_t root, std::vector<Entry> entries) {
  sort_by_bytes(entries);
  std::vector<Branch> open{{root, 0, entries.size(), 0}};
  while (!open.empty()) {
    const Branch branch = open.back();
    open.pop_back();
    place_children(branch, entries, open);
  }
}

void PieceTrie::place_children(const Branch& branch, const std::vector<Entry>& entries, std::vector<Branch>& open) {
  const std::size_t first_open = open.size();
  std::array<unsigned char, kBytes> room;
  std::size_t count = 0;
  for (std::size_t i = branch.first; i < branch.last; ++i) {
    const std::string_view text = entries[i].text;
    if (text.size() == branch.depth) {
      nodes_[static_cast<std::size_t>(branch.node)].piece = entries[i].id;
      continue;
    }
    if (count == 0 || room[count - 1] != byte_at(text, branch.depth)) {
      room[count++] = byte_at(text, branch.depth);
      open.push_back({0, i, i, branch.depth + 1});
    }
    open.back().last = i + 1;
  }
  if (count == 0) return;
  const auto bytes = std::span<const unsigned char>(room).first(count);
  const std::int32_t base = find_room(bytes);
  nodes_[static_cast<std::size_t>(branch.node)].first_child = base;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const std::int32_t child = base + bytes[i];
    nodes_[static_cast<std::size_t>(child)].parent = branch.node;
    open[first_open + i].node = child;
  }
}

// The first base at which all children are free nodes. Ranges that took long to search are never searched again: this
// keeps the time linear and wastes little space.
std::int32_t PieceTrie::find_room(std::span<const unsigned char> bytes) {
  constexpr std::size_t kPatience = 16;
  while (nodes_[first_free_].parent != kFree) ++first_free_;
  const std::size_t first_slot = std::max<std::size_t>(first_free_, bytes.front());
  for (std::size_t slot = first_slot;; ++slot) {
    const std::size_t base = slot - bytes.front();
    grow_to(base + 2 * kBytes);
    if (slot - first_slot == kPatience) first_free_ = slot;
    if (nodes_[slot].parent == kFree && fits(base, bytes)) return static_cast<std::int32_t>(base);
  }
}

bool PieceTrie::fits(std::size_t base, std::span<const unsigned char> bytes) const {
  return std::all_of(bytes.begin(), bytes.end(),
                     [&](unsigned char byte) { return nodes_[base + byte].parent == kFree; });
}

// The array always extends by a full set of children beyond the last node, so that encode() needs no bounds check.
void PieceTrie::grow_to(std::size_t size) {
  if (size <= nodes_.size()) return;
  if (size > nodes_.capacity()) nodes_.reserve(2 * size);
  nodes_.resize(size);
}

TokenId* PieceTrie::encode(std::string_view word, TokenId* out) const {
  TokenId* const first = out;
  std::int32_t root = kWordStart;
  for (std::size_t begin = 0; begin < word.size(); root = kContinuation) {
    TokenId longest = kNoPiece;
    std::size_t end = begin;
    std::int32_t node = root;
    for (std::size_t at = begin; at < word.size(); ++at) {
      const std::int32_t child = nodes_[static_cast<std::size_t>(node)].first_child + byte_at(word, at);
      const Node& next = nodes_[static_cast<std::size_t>(child)];
      if (next.parent != node) break;
      if (next.piece != kNoPiece) {
        longest = next.piece;
        end = at + 1;
      }
      node = child;
    }
    if (longest == kNoPiece) {
      *first = unk_;
      return first + 1;
    }
    *out++ = longest;
    begin = end;
  }
  return out;
}

}  // namespace bertprep
