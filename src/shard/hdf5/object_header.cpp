#include "shard/hdf5/object_header.h"

namespace bertprep {
namespace {

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

}  // namespace

LittleEndianBytes dataset_header(const DatasetPlan& plan, unsigned deflate_level, std::uint64_t index) {
  HeaderMessages messages;
  messages.add(kDataspace, false, dataspace_message(plan));
  messages.add(kDatatype, true, datatype(plan));
  messages.add(kFillValue, true, fill_value());
  messages.add(kFilterPipeline, true, filter_pipeline(plan, deflate_level));
  messages.add(kDataLayout, false, data_layout(plan, index));
  return messages.header();
}

LittleEndianBytes group_header(std::uint64_t tree, std::uint64_t heap) {
  LittleEndianBytes body;
  body.u64(tree).u64(heap);
  HeaderMessages messages;
  messages.add(kSymbolTable, false, std::move(body));
  return messages.header();
}

}  // namespace bertprep
