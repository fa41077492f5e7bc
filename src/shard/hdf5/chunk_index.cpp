#include "shard/hdf5/chunk_index.h"

#include <algorithm>
#include <vector>

namespace bertprep {
namespace {

// A child of a node, with the key before it. Nodes have the key of their first chunk.
struct Child {
  std::uint32_t size_bytes;
  std::array<std::uint64_t, 2> offset;
  std::uint64_t address;
};

struct TreeShape {
  std::size_t rank;
  std::size_t max_children;
  Child end;  // a key beyond the last chunk; without an address

  std::size_t key_bytes() const { return 8 * (rank + 2); }
  std::size_t node_bytes() const { return 24 + max_children * (key_bytes() + 8) + key_bytes(); }
};

void append_key(const Child& child, std::size_t rank, LittleEndianBytes& out) {
  constexpr unsigned kNoFilterSkipped = 0;
  out.u32(child.size_bytes).u32(kNoFilterSkipped);
  for (std::size_t axis = 0; axis < rank; ++axis) out.u64(child.offset[axis]);
  out.u64(0);  // the offset within the element
}

void append_node(std::span<const Child> children, unsigned level, std::uint64_t left, std::uint64_t right,
                 const Child& end, const TreeShape& shape, LittleEndianBytes& out) {
  constexpr unsigned kIndexOfChunks = 1;
  const std::size_t node_end = out.size() + shape.node_bytes();
  out.text("TREE").u8(kIndexOfChunks).u8(level).u16(children.size()).u64(left).u64(right);
  for (const Child& child : children) {
    append_key(child, shape.rank, out);
    out.u64(child.address);
  }
  append_key(end, shape.rank, out);
  out.fill_to(node_end);
}

// Nodes of a level are contiguous; each refers to its neighbours. Returns them as children of the level above.
std::vector<Child> append_level(std::span<const Child> children, unsigned level, const TreeShape& shape,
                                std::uint64_t address, LittleEndianBytes& out) {
  std::vector<Child> nodes;
  const std::uint64_t first = address + out.size();
  const std::uint64_t node_bytes = shape.node_bytes();
  for (std::size_t begin = 0; begin < children.size(); begin += shape.max_children) {
    const std::size_t end = std::min(begin + shape.max_children, children.size());
    const bool is_last = end == children.size();
    const std::uint64_t at = first + nodes.size() * node_bytes;
    append_node(children.subspan(begin, end - begin), level, begin == 0 ? kNoAddress : at - node_bytes,
                is_last ? kNoAddress : at + node_bytes, is_last ? shape.end : children[end], shape, out);
    nodes.push_back({children[begin].size_bytes, children[begin].offset, at});
  }
  return nodes;
}

}  // namespace

std::size_t index_half_entries(std::size_t max_chunks) {
  constexpr std::size_t kMaxHalfEntries = 512;
  return std::clamp((max_chunks + 1) / 2, std::size_t{1}, kMaxHalfEntries);
}

std::uint64_t append_chunk_index(std::span<const StoredChunk> chunks, const DatasetPlan& plan, std::size_t half_entries,
                                 std::uint64_t address, LittleEndianBytes& out) {
  if (chunks.empty()) return kNoAddress;
  const auto& last = chunks.back().offset;
  const TreeShape shape{plan.shape.size(), 2 * half_entries, {0, {last[0] + plan.chunk[0], 0}, kNoAddress}};
  std::vector<Child> children;
  for (const StoredChunk& chunk : chunks) children.push_back({chunk.size_bytes, chunk.offset, chunk.address});
  unsigned level = 0;
  do {
    children = append_level(children, level++, shape, address, out);
  } while (children.size() > 1);
  return children.front().address;
}

}  // namespace bertprep
