#include "shard/hdf5/container.h"

#include <algorithm>
#include <numeric>

#include "io/output_file.h"
#include "shard/hdf5/chunk_store.h"

namespace bertprep {
namespace {

// Nodes of the group have the library's usual size.
constexpr std::size_t kHalfNames = 4;
constexpr std::size_t kHalfChildren = 16;
static_assert(kDatasets <= 2 * kHalfNames, "all names are in one node");

// For a shard with a few hundred rows.
constexpr std::size_t kUsualBackBytes = 4096;

std::size_t max_chunks(const StoredChunks& chunks) {
  std::size_t most = 0;
  for (const auto& of_dataset : chunks) most = std::max(most, of_dataset.size());
  return most;
}

// A name's entry: the offsets of its name in the heap and of its object, without cached data.
void append_entry(std::uint64_t name, std::uint64_t header, LittleEndianBytes& out) {
  out.u64(name).u64(header).u32(0).u32(0).u64(0).u64(0);
}

// The heap of names, which starts with an empty one and has no free space.
void append_heap(const LittleEndianBytes& names, std::uint64_t address, LittleEndianBytes& out) {
  constexpr std::uint64_t kNoFreeBlock = 1;
  constexpr std::uint64_t kHeapHeaderBytes = 32;
  out.text("HEAP").u32(0).u64(names.size()).u64(kNoFreeBlock).u64(address + kHeapHeaderBytes);
  out.bytes(names.view());
}

// A tree of one leaf, whose keys are the names around it.
void append_group_tree(std::uint64_t leaf, std::uint64_t last_name, LittleEndianBytes& out) {
  constexpr std::size_t kNodeBytes = 24 + 8 * (2 * kHalfChildren + 1) + 8 * 2 * kHalfChildren;
  const std::size_t end = out.size() + kNodeBytes;
  out.text("TREE").u8(0).u8(0).u16(1).u64(kNoAddress).u64(kNoAddress).u64(0).u64(leaf).u64(last_name);
  out.fill_to(end);
}

class ContainerStore final : public ChunkStore {
 public:
  ContainerStore(const std::filesystem::path& path, const ShardPlan& plan, unsigned deflate_level,
                 std::vector<std::byte>& file_buffer)
      : file_(path, Container::kFrontBytes, file_buffer), plan_(plan), deflate_level_(deflate_level) {}

  void store(std::size_t dataset, std::span<const std::size_t> offset, std::span<const std::byte> bytes) override {
    chunks_[dataset].push_back(
        {file_.size_bytes(), static_cast<std::uint32_t>(bytes.size()), {offset[0], offset.size() > 1 ? offset[1] : 0}});
    file_.append(bytes);
  }

  void finish() override {
    constexpr std::array<std::byte, 8> kZeros{};
    file_.append(std::span(kZeros).first((8 - file_.size_bytes() % 8) % 8));
    const Container container(plan_, deflate_level_, chunks_, file_.size_bytes());
    file_.append(container.back().view());
    file_.finish(container.front().view());
  }

  FileDigest digest(const Progress& progress) const override { return {file_.size_bytes(), file_.sha256(progress)}; }

 private:
  BufferedFile file_;
  ShardPlan plan_;
  unsigned deflate_level_;
  StoredChunks chunks_;
};

}  // namespace

std::array<std::size_t, kDatasets> datasets_by_name(const ShardPlan& plan) {
  std::array<std::size_t, kDatasets> order;
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return plan[a].name < plan[b].name; });
  return order;
}

Container::Container(const ShardPlan& plan, unsigned deflate_level, const StoredChunks& chunks,
                     std::uint64_t chunks_end)
    : half_entries_(index_half_entries(max_chunks(chunks))), back_address_(chunks_end) {
  std::array<std::uint64_t, kDatasets> headers{};
  back_.reserve(kUsualBackBytes);
  for (std::size_t i = 0; i < kDatasets; ++i) {
    const std::uint64_t index = append_chunk_index(chunks[i], plan[i], half_entries_, back_address_, back_);
    headers[i] = append_dataset(plan[i], deflate_level, index);
  }
  append_group(plan, headers);
}

std::uint64_t Container::append_dataset(const DatasetPlan& plan, unsigned deflate_level, std::uint64_t index) {
  const std::uint64_t address = here();
  back_.bytes(dataset_header(plan, deflate_level, index).view());
  return address;
}

void Container::append_group(const ShardPlan& plan, const std::array<std::uint64_t, kDatasets>& headers) {
  constexpr std::size_t kEntryBytes = 40;
  LittleEndianBytes names;
  LittleEndianBytes entries;
  std::uint64_t last_name = 0;
  names.u64(0);
  for (const std::size_t i : datasets_by_name(plan)) {
    last_name = names.size();
    append_entry(last_name, headers[i], entries);
    names.text(plan[i].name).u8(0).align();
  }
  root_heap_ = here();
  append_heap(names, root_heap_, back_);
  const std::uint64_t leaf = here();
  back_.text("SNOD").u8(1).u8(0).u16(kDatasets).bytes(entries.view());
  back_.fill_to(back_.size() + (2 * kHalfNames - kDatasets) * kEntryBytes);
  root_tree_ = here();
  append_group_tree(leaf, last_name, back_);
  root_header_ = here();
  back_.bytes(group_header(root_tree_, root_heap_).view());
}

LittleEndianBytes Container::front() const {
  constexpr unsigned kSuperblockVersion = 1;  // the first that stores half_entries_
  constexpr unsigned kAddressBytes = 8;
  constexpr unsigned kTreeAndHeapFollow = 1;
  LittleEndianBytes out;
  out.text("\x89HDF\r\n\x1a\n").u8(kSuperblockVersion).u8(0).u8(0).u8(0).u8(0);
  out.u8(kAddressBytes).u8(kAddressBytes).u8(0).u16(kHalfNames).u16(kHalfChildren).u32(0);
  out.u16(half_entries_).u16(0);
  out.u64(0).u64(kNoAddress).u64(here()).u64(kNoAddress);
  out.u64(0).u64(root_header_).u32(kTreeAndHeapFollow).u32(0).u64(root_tree_).u64(root_heap_);
  return out.fill_to(kFrontBytes);
}

std::unique_ptr<ChunkStore> store_in_container(const std::filesystem::path& path, const ShardPlan& plan,
                                               unsigned deflate_level, std::vector<std::byte>& file_buffer) {
  return std::make_unique<ContainerStore>(path, plan, deflate_level, file_buffer);
}

}  // namespace bertprep
