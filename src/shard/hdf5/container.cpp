#include "shard/hdf5/container.h"

#include <algorithm>
#include <numeric>

#include "io/output_file.h"
#include "shard/hdf5/dataset_stream.h"

namespace bertprep {
namespace {

// Object headers: how an HDF5 file describes a dataset or a group, as a list of messages.
enum MessageType : std::uint16_t {
  kDataspace = 0x01,
  kDatatype = 0x03,
  kFillValue = 0x05,
  kDataLayout = 0x08,
  kFilterPipeline = 0x0B,
  kSymbolTable = 0x11,
};

class HeaderMessages {
 public:
  // `is_constant`: the message never changes.
  void add(MessageType type, bool is_constant, LittleEndianBytes body) {
    body.align();
    messages_.u16(type).u16(body.size()).u8(is_constant ? 1 : 0).u8(0).u16(0).bytes(body.view());
    ++count_;
  }

  LittleEndianBytes header() const {
    constexpr unsigned kReferences = 1;
    LittleEndianBytes header;
    header.u8(1).u8(0).u16(count_).u32(kReferences).u32(messages_.size()).u32(0);
    return header.bytes(messages_.view());
  }

 private:
  LittleEndianBytes messages_;
  std::size_t count_ = 0;
};

LittleEndianBytes dataspace_message(const DatasetPlan& plan) {
  LittleEndianBytes body;
  body.u8(1).u8(plan.shape.size()).u8(0).u8(0).u32(0);
  for (const std::size_t size : plan.shape) body.u64(size);
  return body;
}

LittleEndianBytes datatype(const DatasetPlan& plan) {
  constexpr unsigned kFixedPointVersion1 = 0x10;
  constexpr unsigned kSignedLittleEndian = 0x08;
  LittleEndianBytes body;
  body.u8(kFixedPointVersion1).u8(kSignedLittleEndian).u16(0).u32(plan.element_bytes);
  body.u16(0).u16(8 * plan.element_bytes);
  return body;
}

// Zeros, the default.
LittleEndianBytes fill_value() {
  constexpr unsigned kSpaceAsChunksCome = 3;
  constexpr unsigned kWhenSpaceIsTaken = 0;
  LittleEndianBytes body;
  body.u8(2).u8(kSpaceAsChunksCome).u8(kWhenSpaceIsTaken).u8(1).u32(0);
  return body;
}

void append_filter(unsigned number, std::string_view name, std::uint32_t parameter, LittleEndianBytes& out) {
  constexpr unsigned kOptional = 1;
  constexpr unsigned kNameBytes = 8;
  out.u16(number).u16(kNameBytes).u16(kOptional).u16(1).text(name).u8(0).align();
  out.u32(parameter).u32(0);
}

LittleEndianBytes filter_pipeline(const DatasetPlan& plan, unsigned deflate_level) {
  constexpr unsigned kDeflate = 1;
  constexpr unsigned kShuffle = 2;
  LittleEndianBytes body;
  body.u8(1).u8(plan.shuffle ? 2 : 1).u16(0).u32(0);
  if (plan.shuffle) append_filter(kShuffle, "shuffle", static_cast<std::uint32_t>(plan.element_bytes), body);
  append_filter(kDeflate, "deflate", deflate_level, body);
  return body;
}

// The element counts as one more dimension.
LittleEndianBytes data_layout(const DatasetPlan& plan, std::uint64_t index) {
  constexpr unsigned kVersion = 3;
  constexpr unsigned kChunked = 2;
  LittleEndianBytes body;
  body.u8(kVersion).u8(kChunked).u8(plan.chunk.size() + 1).u64(index);
  for (const std::size_t size : plan.chunk) body.u32(size);
  body.u32(plan.element_bytes);
  return body;
}

// A chunked dataset of signed integers, shuffled if the plan says so and deflated, whose chunk index is at `index`.
LittleEndianBytes dataset_header(const DatasetPlan& plan, unsigned deflate_level, std::uint64_t index) {
  HeaderMessages messages;
  messages.add(kDataspace, false, dataspace_message(plan));
  messages.add(kDatatype, true, datatype(plan));
  messages.add(kFillValue, true, fill_value());
  messages.add(kFilterPipeline, true, filter_pipeline(plan, deflate_level));
  messages.add(kDataLayout, false, data_layout(plan, index));
  return messages.header();
}

// A group whose names are in the B-tree at `tree` and the local heap at `heap`.
LittleEndianBytes group_header(std::uint64_t tree, std::uint64_t heap) {
  LittleEndianBytes body;
  body.u64(tree).u64(heap);
  HeaderMessages messages;
  messages.add(kSymbolTable, false, std::move(body));
  return messages.header();
}

constexpr std::uint64_t kMessageHeaderBytes = 8;
constexpr std::uint64_t kObjectHeaderBytes = 16;
constexpr std::uint64_t kNodeHeaderBytes = 24;
constexpr std::size_t kMaxReadRank = 2;

// Numbers at places of a file. A number beyond its end is 0: the comparison at the end finds that out.
class Numbers {
 public:
  explicit Numbers(InputFile& file) : file_(file), size_bytes_(file.size_bytes()) {}

  std::uint64_t size_bytes() const { return size_bytes_; }
  std::uint64_t at(std::uint64_t address, unsigned bytes) {
    if (address >= size_bytes_ || size_bytes_ - address < bytes) return 0;
    if (address < page_at_ || address + bytes > page_at_ + page_bytes_) load(address);
    std::uint64_t value = 0;
    for (unsigned i = bytes; i-- > 0;) value = value << 8U | static_cast<unsigned char>(page_[address - page_at_ + i]);
    return value;
  }
  bool are(std::uint64_t address, std::span<const std::byte> wanted) {
    std::vector<char> bytes(wanted.size());
    file_.seek(address);
    return file_.read(bytes) == bytes.size() && std::ranges::equal(std::as_bytes(std::span(bytes)), wanted);
  }

 private:
  void load(std::uint64_t address) {
    file_.seek(address);
    page_at_ = address;
    page_bytes_ = file_.read(page_);
  }

  InputFile& file_;
  std::uint64_t size_bytes_;
  std::array<char, 4096> page_;
  std::uint64_t page_at_ = 0;
  std::uint64_t page_bytes_ = 0;
};

struct DatasetFacts {
  unsigned deflate_level = 0;
  std::uint64_t index = kNoAddress;
};

// Follows the messages of dataset_header(), in its order.
DatasetFacts read_header(Numbers& file, std::uint64_t address, DatasetPlan& plan) {
  const std::size_t rank = plan.shape.size();
  DatasetFacts facts;
  std::uint64_t at = address + kObjectHeaderBytes;
  const auto next_message = [&] { return at += kMessageHeaderBytes + file.at(at + 2, 2); };
  for (std::size_t axis = 0; axis < rank; ++axis) {
    plan.shape[axis] = file.at(at + kMessageHeaderBytes + 8 + 8 * axis, 8);
  }
  plan.element_bytes = file.at(next_message() + kMessageHeaderBytes + 4, 4);
  next_message();
  const std::uint64_t filters = next_message() + kMessageHeaderBytes;
  const std::uint64_t count = file.at(filters + 1, 1);
  plan.shuffle = count == 2;
  facts.deflate_level = static_cast<unsigned>(file.at(filters + 8 + (plan.shuffle ? 24 : 0) + 16, 4));
  const std::uint64_t layout = next_message() + kMessageHeaderBytes;
  facts.index = file.at(layout + 3, 8);
  plan.chunk.resize(rank);
  for (std::size_t axis = 0; axis < rank; ++axis) plan.chunk[axis] = file.at(layout + 11 + 4 * axis, 4);
  return facts;
}

// The leaves of the tree from the first on, by their links.
std::vector<StoredChunk> read_chunks(Numbers& file, std::uint64_t node, std::size_t rank) {
  const std::uint64_t key_bytes = 8 * (rank + 2);
  const std::size_t most = file.size_bytes() / (key_bytes + 8);
  std::vector<StoredChunk> chunks;
  for (unsigned level = static_cast<unsigned>(file.at(node + 5, 1)); level > 0 && node != kNoAddress; --level) {
    node = file.at(node + kNodeHeaderBytes + key_bytes, 8);
  }
  while (node != kNoAddress && chunks.size() < most) {
    const std::uint64_t count = file.at(node + 6, 2);
    if (count == 0) break;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t key = node + kNodeHeaderBytes + i * (key_bytes + 8);
      StoredChunk chunk{file.at(key + key_bytes, 8), static_cast<std::uint32_t>(file.at(key, 4)), {}};
      for (std::size_t axis = 0; axis < rank; ++axis) chunk.offset[axis] = file.at(key + 8 + 8 * axis, 8);
      chunks.push_back(chunk);
    }
    node = file.at(node + 16, 8);
  }
  return chunks;
}

// Where the chunks end if they lie one behind the other, as we write them; 0 if not.
std::uint64_t end_of(const StoredChunks& chunks) {
  std::vector<StoredChunk> all;
  for (const auto& of_dataset : chunks) all.insert(all.end(), of_dataset.begin(), of_dataset.end());
  std::ranges::sort(all, {}, &StoredChunk::address);
  std::uint64_t end = Container::kFrontBytes;
  for (const StoredChunk& chunk : all) {
    if (chunk.address != end) return 0;
    end += chunk.size_bytes;
  }
  return end;
}

// Whether each element is in a chunk, and the chunks are in order.
bool are_complete(const DatasetPlan& plan, const std::vector<StoredChunk>& chunks) {
  for (std::size_t axis = 0; axis < plan.chunk.size(); ++axis) {
    if (plan.chunk[axis] == 0 || plan.chunk[axis] > std::max<std::size_t>(plan.shape[axis], 1)) return false;
  }
  const std::size_t across = (plan.columns() + plan.chunk_columns() - 1) / plan.chunk_columns();
  const std::size_t down = (plan.shape[0] + plan.chunk[0] - 1) / plan.chunk[0];
  if (across == 0 ? !chunks.empty() : chunks.size() / across != down || chunks.size() % across != 0) return false;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const std::array<std::uint64_t, 2> offset{i / across * plan.chunk[0], i % across * plan.chunk_columns()};
    if (chunks[i].offset != offset) return false;
  }
  return true;
}

// Names and ranks, in the order of the schema.
ShardPlan empty_plan() {
  return plan_rows_layout({});
}

bool has_our_front(Numbers& file) {
  constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n\x01";
  return file.size_bytes() > Container::kFrontBytes && file.are(0, std::as_bytes(std::span(kSignature))) &&
         file.at(44, 8) == file.size_bytes();
}

bool is_complete(const StoredShard& shard) {
  for (std::size_t i = 0; i < kDatasets; ++i) {
    if (shard.plan[i].shape[0] != shard.plan[0].shape[0] || !are_complete(shard.plan[i], shard.chunks[i])) return false;
  }
  return true;
}

// Returns the level of compression.
unsigned read_datasets(Numbers& file, StoredShard& shard) {
  constexpr std::uint64_t kEntryBytes = 40;
  const std::uint64_t leaf = file.at(file.at(84, 8) + kNodeHeaderBytes + 8, 8);
  unsigned deflate_level = 0;
  std::uint64_t entry = leaf + 8;
  for (const std::size_t number : datasets_by_name(shard.plan)) {
    DatasetPlan& plan = shard.plan[number];
    const DatasetFacts facts = read_header(file, file.at(entry + 8, 8), plan);
    deflate_level = facts.deflate_level;
    shard.chunks[number] = read_chunks(file, facts.index, plan.shape.size());
    entry += kEntryBytes;
  }
  return deflate_level;
}

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

const StoredChunk* StoredShard::find(std::size_t number, std::size_t row, std::size_t column) const {
  const std::array<std::uint64_t, 2> offset{row, column};
  const auto& list = chunks[number];
  const auto found = std::ranges::lower_bound(list, offset, {}, &StoredChunk::offset);
  return found != list.end() && found->offset == offset ? &*found : nullptr;
}

std::optional<StoredShard> read_container(InputFile& file) {
  Numbers numbers(file);
  if (!has_our_front(numbers)) return std::nullopt;
  StoredShard shard{empty_plan(), {}};
  const unsigned deflate_level = read_datasets(numbers, shard);
  if (!is_complete(shard)) return std::nullopt;
  const std::uint64_t last_chunk_end = end_of(shard.chunks);
  const std::uint64_t chunks_end = (last_chunk_end + 7) / 8 * 8;
  constexpr std::array<std::byte, 7> kPadding{};
  if (last_chunk_end == 0 || !numbers.are(last_chunk_end, std::span(kPadding).first(chunks_end - last_chunk_end)))
    return std::nullopt;
  const Container container(shard.plan, deflate_level, shard.chunks, chunks_end);
  const bool is_ours = numbers.are(0, container.front().view()) &&
                       chunks_end + container.back().size() == numbers.size_bytes() &&
                       numbers.are(chunks_end, container.back().view());
  return is_ours ? std::optional(std::move(shard)) : std::nullopt;
}

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
