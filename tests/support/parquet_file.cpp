#include "support/parquet_file.h"

#include <algorithm>
#include <bit>
#include <map>
#include <span>
#include <string_view>

#include "stream/decoded_stream.h"
#include "support/packed.h"

namespace bertprep::test {
namespace {

using Values = std::span<const std::optional<std::string>>;

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80U; value >>= 7U) bytes += static_cast<char>((value & 0x7FU) | 0x80U);
  return bytes + static_cast<char>(value);
}

std::string zigzag(std::int64_t value) {
  return varint((static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63));
}

std::string little(std::uint64_t value, unsigned bytes) {
  std::string out;
  for (unsigned i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFFU);
  return out;
}

// A struct of Thrift's compact protocol, field by field in ascending order.
class Thrift {
 public:
  Thrift& i32(int id, std::int64_t value) { return field(id, 5, zigzag(value)); }
  Thrift& i64(int id, std::uint64_t value) { return field(id, 6, zigzag(static_cast<std::int64_t>(value))); }
  Thrift& text(int id, std::string_view value) { return field(id, 8, varint(value.size()) + std::string(value)); }
  Thrift& boolean(int id, bool value) { return field(id, value ? 1 : 2, ""); }
  Thrift& object(int id, const Thrift& value) { return field(id, 12, value.done()); }
  Thrift& list(int id, const std::vector<std::string>& items, int type) {
    std::string bytes = items.size() < 15 ? little(items.size() << 4U | static_cast<unsigned>(type), 1)
                                          : little(0xF0U | static_cast<unsigned>(type), 1) + varint(items.size());
    for (const std::string& item : items) bytes += item;
    return field(id, 9, bytes);
  }
  std::string done() const { return bytes_ + '\0'; }

 private:
  Thrift& field(int id, int type, const std::string& value) {
    bytes_ += static_cast<char>((id - last_) << 4 | type);
    bytes_ += value;
    last_ = id;
    return *this;
  }

  std::string bytes_;
  int last_ = 0;
};

// Packs eight at a time, or a run of one number where there are eight or more.
std::string hybrid(const std::vector<std::uint32_t>& numbers, unsigned width) {
  std::string bytes;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t same = i;
    while (same < numbers.size() && numbers[same] == numbers[i]) ++same;
    if (same - i >= 8) {
      bytes += varint((same - i) << 1U) + little(numbers[i], (width + 7) / 8);
      i = same;
      continue;
    }
    std::string group(width, '\0');
    for (std::size_t k = 0; k < 8 * width; ++k) {
      const std::size_t at = i + k / width;
      const bool is_set = at < numbers.size() && (numbers[at] >> k % width & 1U) != 0;
      group[k / 8] = static_cast<char>(group[k / 8] | (is_set ? 1 << k % 8 : 0));
    }
    bytes += varint(1U << 1U | 1U) + group;
    i += 8;
  }
  return bytes;
}

// Blocks of 128, in four miniblocks.
std::string delta(const std::vector<std::int64_t>& numbers) {
  std::string bytes = varint(128) + varint(4) + varint(numbers.size()) + zigzag(numbers.empty() ? 0 : numbers.front());
  for (std::size_t block = 1; block < numbers.size(); block += 128) {
    const std::size_t end = std::min(block + 128, numbers.size());
    std::vector<std::int64_t> steps;
    for (std::size_t i = block; i < end; ++i) steps.push_back(numbers[i] - numbers[i - 1]);
    const std::int64_t least = *std::ranges::min_element(steps);
    bytes += zigzag(least);
    std::string widths;
    std::string packed;
    for (std::size_t mini = 0; mini < 128; mini += 32) {
      std::vector<std::uint64_t> rests;
      for (std::size_t i = mini; i < std::min(mini + 32, steps.size()); ++i)
        rests.push_back(static_cast<std::uint64_t>(steps[i] - least));
      unsigned width = 0;
      for (const std::uint64_t rest : rests) width = std::max(width, static_cast<unsigned>(std::bit_width(rest)));
      widths += static_cast<char>(width);
      if (rests.empty()) continue;
      rests.resize(32);
      std::string bits(32 * width / 8, '\0');
      for (std::size_t k = 0; k < 32 * width; ++k) {
        if ((rests[k / width] >> k % width & 1U) != 0) bits[k / 8] = static_cast<char>(bits[k / 8] | 1 << k % 8);
      }
      packed += bits;
    }
    bytes += widths + packed;
  }
  return bytes;
}

std::string plain(const WrittenColumn& column, const std::string& value) {
  if (column.is_number) return little(static_cast<std::uint64_t>(std::stoll(value)), 8);
  return little(value.size(), 4) + value;
}

std::vector<std::string> without_nulls(Values values) {
  std::vector<std::string> present;
  for (const auto& value : values) {
    if (value) present.push_back(*value);
  }
  return present;
}

unsigned levels_of(const WrittenColumn& column) {
  const auto groups = static_cast<unsigned>(std::ranges::count(column.name, '.'));
  return groups + (column.is_required ? 0 : 1);
}

using Places = std::map<std::string, std::uint32_t>;

std::string encoded(const WrittenColumn& column, Values values, const Places& places) {
  const std::vector<std::string> present = without_nulls(values);
  std::string bytes;
  std::string suffixes;
  std::vector<std::int64_t> lengths;
  std::vector<std::int64_t> prefixes;
  std::vector<std::uint32_t> numbers;
  std::string last;
  for (const std::string& value : present) {
    bytes += plain(column, value);
    std::size_t kept = 0;
    while (kept < std::min(last.size(), value.size()) && last[kept] == value[kept]) ++kept;
    if (column.encoding != WrittenEncoding::kDeltaBytes) kept = 0;
    prefixes.push_back(static_cast<std::int64_t>(kept));
    lengths.push_back(column.is_number ? std::stoll(value) : static_cast<std::int64_t>(value.size() - kept));
    suffixes += value.substr(kept);
    last = value;
    if (!places.empty()) numbers.push_back(places.at(value));
  }
  switch (column.encoding) {
    case WrittenEncoding::kPlain:
      return bytes;
    case WrittenEncoding::kDelta:
      return delta(lengths);
    case WrittenEncoding::kDeltaLength:
      return delta(lengths) + suffixes;
    case WrittenEncoding::kDeltaBytes:
      return delta(prefixes) + delta(lengths) + suffixes;
    case WrittenEncoding::kOldDictionary:
    case WrittenEncoding::kDictionary:
      break;
  }
  const auto width = static_cast<unsigned>(std::bit_width(places.empty() ? 0 : places.size() - 1));
  return little(width, 1) + hybrid(numbers, width);
}

std::string levels(const WrittenColumn& column, Values values) {
  const unsigned most = levels_of(column);
  std::vector<std::uint32_t> numbers;
  for (std::size_t i = 0; i < values.size(); ++i) {
    // A null group and a null in it, by turns.
    numbers.push_back(values[i] ? most : most == 1 ? 0 : static_cast<std::uint32_t>(i) % most);
  }
  return hybrid(numbers, static_cast<unsigned>(std::bit_width(most)));
}

std::string packed(const WrittenColumn& column, const std::string& bytes) {
  if (column.codec == WrittenCodec::kNone) return bytes;
  return compress(column.codec == WrittenCodec::kGzip ? "gzip" : "zstd", bytes);
}

Thrift page_header(int kind, const WrittenColumn& column, std::size_t bytes, const std::string& stored) {
  Thrift header;
  header.i32(1, kind).i32(2, static_cast<std::int64_t>(bytes)).i32(3, static_cast<std::int64_t>(stored.size()));
  if (column.has_checksums) header.i32(4, static_cast<std::int32_t>(crc32_of(stored)));
  return header;
}

std::string data_page(const WrittenColumn& column, Values values, const Places& places) {
  const auto count = static_cast<std::int64_t>(values.size());
  const auto encoding = static_cast<std::int64_t>(column.encoding);
  const std::string level_bytes = levels_of(column) == 0 ? "" : levels(column, values);
  const std::string content = encoded(column, values, places);
  if (!column.is_v2) {
    const std::string bytes = (levels_of(column) == 0 ? "" : little(level_bytes.size(), 4) + level_bytes) + content;
    const std::string stored = packed(column, bytes);
    Thrift data;
    data.i32(1, count).i32(2, encoding).i32(3, 3).i32(4, 3);
    return page_header(0, column, bytes.size(), stored).object(5, data).done() + stored;
  }
  const std::string stored = level_bytes + packed(column, content);
  Thrift data;
  data.i32(1, count).i32(2, count - static_cast<std::int64_t>(without_nulls(values).size())).i32(3, count);
  data.i32(4, encoding).i32(5, static_cast<std::int64_t>(level_bytes.size())).i32(6, 0);
  if (column.codec == WrittenCodec::kNone) data.boolean(7, false);
  return page_header(3, column, level_bytes.size() + content.size(), stored).object(8, data).done() + stored;
}

struct WrittenChunk {
  std::string bytes;
  std::size_t dictionary_bytes = 0;
};

WrittenChunk chunk_of(const WrittenColumn& column, Values values) {
  WrittenChunk chunk;
  Places places;
  const bool has_dictionary =
      column.encoding == WrittenEncoding::kDictionary || column.encoding == WrittenEncoding::kOldDictionary;
  if (has_dictionary) {
    std::string bytes;
    for (const std::string& value : without_nulls(values)) {
      if (places.emplace(value, static_cast<std::uint32_t>(places.size())).second) bytes += plain(column, value);
    }
    const std::string stored = packed(column, bytes);
    Thrift data;
    data.i32(1, static_cast<std::int64_t>(places.size())).i32(2, 0).boolean(3, false);
    chunk.bytes = page_header(2, column, bytes.size(), stored).object(7, data).done() + stored;
    chunk.dictionary_bytes = chunk.bytes.size();
  }
  for (std::size_t i = 0; i < values.size(); i += column.page_rows) {
    chunk.bytes += data_page(column, values.subspan(i, std::min(column.page_rows, values.size() - i)), places);
  }
  return chunk;
}

std::string element(const std::string& name, int repetition, std::size_t children) {
  return Thrift().i32(3, repetition).text(4, name).i32(5, static_cast<std::int64_t>(children)).done();
}

// Columns of one group follow each other.
std::vector<std::string> schema_of(const std::vector<WrittenColumn>& columns) {
  std::vector<std::string> elements;
  std::size_t top = 0;
  std::string open;
  for (const WrittenColumn& column : columns) {
    const std::size_t dot = column.name.find('.');
    const std::string group = dot == std::string::npos ? "" : column.name.substr(0, dot);
    if (group.empty() || group != open) ++top;
    if (!group.empty() && group != open) {
      const auto is_in = [&](const WrittenColumn& one) { return one.name.starts_with(group + "."); };
      elements.push_back(element(group, 1, static_cast<std::size_t>(std::ranges::count_if(columns, is_in))));
    }
    open = group;
    Thrift leaf;
    leaf.i32(1, column.is_number ? 2 : 6).i32(3, column.is_list ? 2 : column.is_required ? 0 : 1);
    leaf.text(4, dot == std::string::npos ? column.name : column.name.substr(dot + 1));
    if (!column.is_number) leaf.i32(6, 0);
    elements.push_back(leaf.done());
  }
  elements.insert(elements.begin(), Thrift().text(4, "schema").i32(5, static_cast<std::int64_t>(top)).done());
  return elements;
}

std::string file_of(const std::string& pages, const Thrift& metadata) {
  const std::string end = metadata.done();
  return pages + end + little(end.size(), 4) + "PAR1";
}

Thrift chunk_metadata(std::int64_t type, const std::string& name, std::int64_t codec) {
  Thrift chunk;
  chunk.i32(1, type).list(2, {zigzag(0)}, 5).list(3, {varint(name.size()) + name}, 8).i32(4, codec);
  return chunk;
}

}  // namespace

std::string parquet_file(const std::vector<WrittenColumn>& columns, const std::vector<std::size_t>& group_rows) {
  std::string file = "PAR1";
  std::vector<std::string> groups;
  std::size_t first = 0;
  for (const std::size_t rows : group_rows) {
    std::vector<std::string> chunks;
    for (const WrittenColumn& column : columns) {
      const WrittenChunk chunk = chunk_of(column, Values(column.values).subspan(first, rows));
      Thrift metadata = chunk_metadata(column.is_number ? 2 : 6, column.name, static_cast<std::int64_t>(column.codec));
      metadata.i64(5, rows).i64(6, chunk.bytes.size()).i64(7, chunk.bytes.size());
      metadata.i64(9, file.size() + chunk.dictionary_bytes);
      if (chunk.dictionary_bytes != 0) metadata.i64(11, file.size());
      chunks.push_back(Thrift().i64(2, 0).object(3, metadata).done());
      file += chunk.bytes;
    }
    groups.push_back(Thrift().list(1, chunks, 12).i64(2, 0).i64(3, rows).done());
    first += rows;
  }
  Thrift metadata;
  metadata.i32(1, 2).list(2, schema_of(columns), 12).i64(3, first).list(4, groups, 12).text(6, "a test");
  return file_of(file, metadata);
}

std::string parquet_lie(const std::string& pages, const WrittenLie& lie) {
  Thrift column = chunk_metadata(6, "text", lie.codec);
  column.i64(5, lie.values).i64(6, pages.size()).i64(7, lie.chunk_bytes == 0 ? pages.size() : lie.chunk_bytes);
  column.i64(9, lie.chunk_begin);
  const std::string chunk = Thrift().i64(2, 0).object(3, column).done();
  const std::string group = Thrift().list(1, {chunk}, 12).i64(2, 0).i64(3, lie.rows).done();
  const WrittenColumn text{.name = "text", .values = {}, .is_required = true};
  Thrift metadata;
  metadata.i32(1, 1).list(2, schema_of({text}), 12).i64(3, lie.rows).list(4, {group}, 12);
  return file_of("PAR1" + pages, metadata);
}

std::string parquet_page(std::int64_t bytes, std::int64_t stored_bytes, std::int64_t values, std::int64_t encoding,
                         const std::string& stored) {
  Thrift data;
  data.i32(1, values).i32(2, encoding).i32(3, 3).i32(4, 3);
  return Thrift().i32(1, 0).i32(2, bytes).i32(3, stored_bytes).object(5, data).done() + stored;
}

}  // namespace bertprep::test
