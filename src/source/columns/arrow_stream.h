// ArrowStream: the messages of a file or stream of Arrow's IPC format (Arrow columnar format 1.5), one after the other,
// and what they say: the schema, and batches of rows or of a dictionary's values.
#pragma once

#include <map>

#include "bertprep/base/error.h"
#include "source/columns/page_unpacker.h"
#include "source/columns/page_values.h"
#include "stream/decoded_stream.h"

namespace bertprep {

// FlatTable: a table of a flatbuffer, as Arrow writes its messages. Throws FormatError that names no place: an offset
// leads out of the bytes.
class FlatTable {
 public:
  static FlatTable root_of(std::string_view bytes) { return {bytes, number_at(bytes, 0, 4)}; }

  // The number of `width` bytes in a field, 0 if the field is not there.
  std::uint64_t number(unsigned field, unsigned width) const {
    const auto place = place_of(field);
    return place ? number_at(bytes_, *place, width) : 0;
  }
  std::optional<FlatTable> table(unsigned field) const {
    const auto place = place_of(field);
    return place ? std::optional(FlatTable(bytes_, *place + number_at(bytes_, *place, 4))) : std::nullopt;
  }
  std::string_view text(unsigned field) const { return items(field, 1); }

  // The items of a list, as bytes; nothing if it is not there.
  std::string_view items(unsigned field, std::uint64_t item_bytes) const {
    const auto place = place_of(field);
    if (!place) return {};
    const std::uint64_t list = *place + number_at(bytes_, *place, 4);
    const std::uint64_t count = number_at(bytes_, list, 4);
    if (count > bytes_.size() / item_bytes || list + 4 + count * item_bytes > bytes_.size()) fail();
    return bytes_.substr(list + 4, count * item_bytes);
  }
  // Calls take(table) for each item of a list of tables.
  template <class Take>
  void each_table(unsigned field, const Take& take) const {
    for (std::string_view left = items(field, 4); !left.empty(); left.remove_prefix(4)) {
      const auto place = static_cast<std::uint64_t>(left.data() - bytes_.data());
      take(FlatTable(bytes_, place + number_in(left.substr(0, 4))));
    }
  }

  static std::uint64_t number_at(std::string_view bytes, std::uint64_t place, unsigned width) {
    if (place > bytes.size() || width > bytes.size() - place) fail();
    return number_in(bytes.substr(place, width));
  }

 private:
  FlatTable(std::string_view bytes, std::uint64_t place) : bytes_(bytes), place_(place) {
    fields_ = place_ - static_cast<std::uint64_t>(static_cast<std::int32_t>(number_at(bytes_, place_, 4)));
  }

  [[noreturn]] static void fail() { throw FormatError("its metadata can't be read"); }

  std::optional<std::uint64_t> place_of(unsigned field) const {
    if (4 + 2 * field >= number_at(bytes_, fields_, 2)) return std::nullopt;
    const std::uint64_t offset = number_at(bytes_, fields_ + 4 + 2 * field, 2);
    return offset == 0 ? std::nullopt : std::optional(place_ + offset);
  }

  std::string_view bytes_;
  std::uint64_t place_;
  std::uint64_t fields_;  // where the places of the fields are
};

// How the values of a field lie in a batch.
struct ArrowField {
  std::optional<std::size_t> parent{};
  ColumnType type = ColumnType::kOther;
  unsigned width = 4;  // bytes of a number, or of an offset of a text
  bool is_signed = true;
  bool is_view = false;                       // its texts are named one by one
  std::optional<std::uint64_t> dictionary{};  // its numbers are places in it
  bool has_validity = true;
  std::size_t buffer = 0;  // number of its first one
  std::size_t views = 0;   // fields of views before it, each with more buffers
};

// What each batch has: a field's place here is that of its length and nulls there.
struct ArrowLayout {
  std::vector<ArrowField> fields{};
  std::size_t buffers = 0;
  std::size_t views = 0;
};

// SchemaNode::column is the place of the field.
struct ArrowSchema {
  ColumnSchema columns{};
  ArrowLayout layout{};
  std::map<std::uint64_t, ArrowLayout> dictionaries{};  // of texts
};

using ArrowDictionaries = std::map<std::uint64_t, ColumnDictionary>;

// Throws FormatError that names no place, as all here do: damage, big-endian data.
ArrowSchema parse_arrow_schema(const FlatTable& schema);

// ArrowBatch: rows of some columns. Decompresses the columns that are asked for, alone.
class ArrowBatch {
 public:
  // The bytes of a message's body, which must outlive the batch, and how many they may become.
  struct Body {
    std::string_view bytes{};
    std::uint64_t max_bytes = 0;
    std::shared_ptr<Expansion> expansion{};
    PageUnpacker* unpacker = nullptr;
  };

  ArrowBatch() = default;
  // The layout must outlive the batch.
  ArrowBatch(const FlatTable& batch, const Body& body, const ArrowLayout& layout);

  std::uint64_t rows() const { return rows_; }
  // Chooses a field to be read. Its dictionary, if it has one, must outlive the batch.
  void add(std::size_t field, const ArrowDictionaries& dictionaries = {});
  // The value of the field that was added so; valid until the next call for it.
  ColumnValue value(std::size_t added, std::uint64_t row);

 private:
  struct Column {
    ArrowField field;
    const ColumnDictionary* dictionary = nullptr;
    std::vector<std::string_view> validities{};  // its own and those of the groups it is in
    std::string_view numbers{};                  // values, offsets, or views
    std::vector<std::string_view> texts{};
    std::string shown{};

    std::uint64_t number(std::uint64_t place, unsigned width) const {
      return FlatTable::number_at(numbers, place, width);
    }
  };

  std::uint64_t views_of(std::size_t view) const { return FlatTable::number_at(views_, view * 8, 8); }
  std::size_t first_buffer(const ArrowField& field) const;
  std::string_view buffer(std::size_t number);
  void add_validity(std::size_t field, Column& column);

  const ArrowLayout* layout_ = nullptr;
  Body body_{};
  std::uint64_t rows_ = 0;
  std::optional<FlatTable> compression_;
  std::string_view nodes_;
  std::string_view buffers_;
  std::string_view views_;  // how many texts each field of views has
  std::vector<Column> columns_;
  std::deque<PageBuffer> unpacked_;
};

// By the first bytes: a file, or a stream that begins with a schema.
bool begins_as_arrow(std::string_view head);

// Throws IoError, and FormatError that names no place.
class ArrowStream {
 public:
  enum Kind : std::uint64_t { kSchema = 1, kDictionary = 2, kBatch = 3 };

  // Messages of at most so many bytes. Jumps over those that are not read if these are the bytes of a file.
  ArrowStream(std::unique_ptr<ByteStream> bytes, std::uint64_t max_bytes, std::filesystem::path file = {})
      : bytes_(std::move(bytes)), max_bytes_(max_bytes), file_(std::move(file)) {}

  // Goes to the next message: false at the end. The first one, alone, is the schema.
  bool next();
  std::uint64_t kind() const { return kind_; }
  // Valid until the next call of next(), as the body is.
  const FlatTable& header() const { return *header_; }
  std::string_view body();
  // Where the message begins.
  std::uint64_t byte() const { return message_byte_; }
  // How many batches there were.
  std::uint64_t batches() const { return batches_; }

 private:
  bool has_more() { return !block_.empty() || !(block_ = bytes_->next_block()).empty(); }
  bool take(std::uint64_t count, std::string& bytes);
  bool read_length(std::uint64_t& length);
  void skip_body();
  void finish();

  std::unique_ptr<ByteStream> bytes_;
  std::uint64_t max_bytes_;
  std::filesystem::path file_;
  std::string_view block_;  // not yet taken
  std::uint64_t byte_ = 0;
  std::uint64_t message_byte_ = 0;
  bool is_file_ = false;  // which has its list at the end
  std::string head_;
  std::string metadata_;
  std::string body_;
  std::uint64_t unread_ = 0;  // of the body
  std::uint64_t kind_ = 0;    // 0: there was no message
  std::optional<FlatTable> header_;
  std::uint64_t batches_ = 0;
};

}  // namespace bertprep
