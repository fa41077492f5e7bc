#include "shard/hdf5/container_reader.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace bertprep {
namespace {

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

}  // namespace bertprep
