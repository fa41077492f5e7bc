#include "quality/shard_columns.h"

#include <algorithm>
#include <cstring>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

// Of the widest column. Widened, all columns of this many rows fit the cache of a core, as each is read repeatedly.
constexpr std::size_t kBytesAtOnce = std::size_t{1} << 17U;
constexpr std::size_t kChunksAtOnce = std::size_t{1} << 14U;

template <class Stored>
void widen(std::span<const std::byte> bytes, std::vector<std::int64_t>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    Stored value;
    std::memcpy(&value, bytes.data() + i * sizeof(Stored), sizeof(Stored));
    values[i] = value;
  }
}

void widen(std::span<const std::byte> bytes, const IntegerType& type, std::vector<std::int64_t>& values) {
  switch (type.bytes) {
    case 1:
      return type.is_signed ? widen<std::int8_t>(bytes, values) : widen<std::uint8_t>(bytes, values);
    case 2:
      return type.is_signed ? widen<std::int16_t>(bytes, values) : widen<std::uint16_t>(bytes, values);
    case 4:
      return type.is_signed ? widen<std::int32_t>(bytes, values) : widen<std::uint32_t>(bytes, values);
    default:
      return widen<std::int64_t>(bytes, values);
  }
}

}  // namespace

ShardColumns::ShardColumns(const std::filesystem::path& path) : file_(path), names_(file_.dataset_names()) {
  for (const std::string& name : names_) {
    try {
      const auto column = columns_.try_emplace(name, file_, name).first;
      if (!column->second.shape().empty()) continue;
      columns_.erase(column);
      unreadable_.emplace(name, "dataset '" + name + "' is a single value");
    } catch (const FormatError& error) {
      const std::string what = error.what();
      const std::string prefix = path.string() + ": ";
      unreadable_.emplace(name, what.starts_with(prefix) ? what.substr(prefix.size()) : what);
    }
  }
}

const Hdf5InputDataset* ShardColumns::find(const std::string& name) const {
  const auto found = columns_.find(name);
  return found == columns_.end() ? nullptr : &found->second;
}

std::size_t ShardColumns::width(const Hdf5InputDataset& column) {
  std::size_t values = 1;
  for (std::size_t i = 1; i < column.shape().size(); ++i) values *= column.shape()[i];
  return values;
}

std::size_t ShardColumns::rows_at_once() const {
  std::size_t rows = std::size_t{1} << 16U;
  for (const auto& [name, column] : columns_) rows = std::min(rows, column.rows_within(kBytesAtOnce, kChunksAtOnce));
  return rows;
}

std::span<const std::byte> ShardColumns::read(const Hdf5InputDataset& column, std::size_t first, std::size_t count,
                                              std::vector<std::int64_t>& values) {
  std::vector<std::size_t> start(column.shape().size(), 0);
  std::vector<std::size_t> size = column.shape();
  start.front() = first;
  size.front() = count;
  IntegerType wanted = column.type();
  wanted.big_endian = false;
  if (wanted.bytes == 8) wanted.is_signed = true;  // ids of 2^63 or more are damage
  values.resize(count * width(column));
  buffer_.resize(values.size() * wanted.bytes);
  column.read(start, size, wanted, buffer_);
  widen(buffer_, wanted, values);
  return buffer_;
}

}  // namespace bertprep
