// Messages of Arrow's IPC format: the schema, dictionaries and batches of rows (Arrow columnar format 1.5).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/columns/column_schema.h"
#include "source/columns/flat_table.h"
#include "source/columns/page_unpacker.h"
#include "source/columns/page_values.h"

namespace bertprep {

// How the values of a field lie in a batch.
struct ArrowField {
  std::optional<std::size_t> parent{};
  ColumnType type = ColumnType::kOther;
  unsigned width = 4;  // bytes of a number, or of an offset of a text
  bool is_signed = true;
  bool is_view = false;                       // its texts are named one by one
  std::optional<std::uint64_t> dictionary{};  // its numbers are places in it
  bool has_validity = true;
  std::size_t node = 0;  // numbers of its parts
  std::size_t buffer = 0;
  std::size_t views = 0;  // fields of views before it, each with more buffers
};

// SchemaNode::column is the number of the field.
struct ArrowSchema {
  ColumnSchema columns{};
  std::vector<ArrowField> fields{};
  std::map<std::uint64_t, ArrowField> dictionaries{};  // of texts
  std::size_t nodes = 0;
  std::size_t buffers = 0;
  std::size_t views = 0;
};

// Throws FormatError that names no place, as all here do: damage, big-endian data.
ArrowSchema parse_arrow_schema(const FlatTable& schema);

class ArrowDictionary {
 public:
  std::uint64_t size() const { return ends_.size(); }
  std::uint64_t bytes() const { return text_.size() + ends_.size() * sizeof(std::uint64_t); }
  void add(ColumnValue value);
  ColumnValue value(std::uint64_t number) const;

 private:
  std::string text_;
  std::vector<std::uint64_t> ends_;
  std::vector<bool> is_null_;
};

// ArrowBatch: rows of some columns. Decompresses the columns that are asked for, alone.
class ArrowBatch {
 public:
  // The bytes of a message's body, which must outlive the batch, and how many they may become.
  struct Body {
    std::string_view bytes;
    std::uint64_t max_bytes;
    PageUnpacker* unpacker;
  };

  ArrowBatch() = default;
  // Counts as in `layout`: nodes, buffers, views.
  ArrowBatch(const FlatTable& batch, const Body& body, const ArrowSchema& layout);

  std::uint64_t rows() const { return rows_; }
  // Chooses a field of `fields` to be read. The dictionary, if it has one, must outlive the batch.
  void add(const std::vector<ArrowField>& fields, std::size_t field, const ArrowDictionary* dictionary = nullptr);
  // The value of the field that was added so; valid until the next call for it.
  ColumnValue value(std::size_t added, std::uint64_t row);

 private:
  struct Column {
    ArrowField field;
    std::vector<std::string_view> validities{};  // its own and those of the groups it is in
    std::string_view numbers{};                  // values, offsets, or views
    std::vector<std::string_view> texts{};
    const ArrowDictionary* dictionary = nullptr;
    std::string shown{};
  };

  std::size_t views_before(const ArrowField& field) const;
  std::string_view buffer(std::size_t number);
  void add_validity(const ArrowField& field, Column& column);
  static std::string_view viewed(const Column& column, std::uint64_t row);

  std::optional<FlatTable> batch_;
  Body body_{};
  std::uint64_t rows_ = 0;
  std::string_view buffers_;
  std::vector<Column> columns_;
  std::deque<std::string> unpacked_;
};

}  // namespace bertprep
