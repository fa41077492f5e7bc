// MDS and Megatron sets without a trap, in which a test changes one thing.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "quality/sequences/any_doctor.h"
#include "shard/id_type.h"
#include "shard/mds/mds_writer.h"
#include "shard/megatron/megatron_set.h"
#include "support/temp_folder.h"

namespace bertprep::test {

using Rows = std::vector<std::vector<std::int32_t>>;

inline constexpr std::int32_t kCls = 101;
inline constexpr std::int32_t kSep = 102;

// Options for writing a set.
struct MdsShape {
  std::string column = "input_ids";
  std::string encoding = "ndarray:uint16";
  std::vector<MdsColumn> more{};  // with the value "x", or eight bytes
  std::size_t rows_of_shard = 8;
};

class SequenceSetTest : public testing::Test {
 protected:
  // [CLS] words [SEP], all of different lengths, with words of natural frequencies.
  static Rows rows_of(std::size_t count, bool has_boundaries = true) {
    Rows rows;
    std::uint32_t random = 1;
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<std::int32_t> row;
      if (has_boundaries) row.push_back(kCls);
      for (std::size_t j = 0; j < 5 + i * 7 % 31; ++j) {
        random = random * 1664525 + 1013904223;
        row.push_back(static_cast<std::int32_t>(1000 + (random >> 8U) % 200 * ((random >> 20U) % 40)));
      }
      if (has_boundaries) row.push_back(kSep);
      rows.push_back(row);
    }
    return rows;
  }

  static IdType type_of(const std::string& encoding) {
    return encoding.ends_with("int64")   ? IdType::kInt64
           : encoding.ends_with("int32") ? IdType::kInt32
                                         : IdType::kUint16;
  }

  static std::string value_of(const std::vector<std::int32_t>& row, const std::string& encoding) {
    std::string value;
    const std::uint64_t size = row.size();
    if (encoding.starts_with("ndarray:")) append_mds_shape({&size, 1}, value);
    append_ids(row, encoding == "bytes" ? IdType::kInt64 : type_of(encoding), value);
    return value;
  }

  void write(const std::string& name, const std::string& bytes) {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary | std::ios::trunc) << bytes;
  }
  std::string read(const std::string& name) {
    std::ifstream stream(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  void replace(const std::string& name, const std::string& from, const std::string& to) {
    std::string bytes = read(name);
    const std::size_t at = bytes.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    write(name, bytes.replace(at, from.size(), to));
  }

  // Shards and index of an MDS set in the folder `set`.
  void add_mds(const Rows& rows, const MdsShape& shape = {}, const std::string& set = "set") {
    MdsFormat format;
    format.columns = shape.more;
    format.columns.push_back({shape.column, shape.encoding});
    format.check();
    std::filesystem::create_directories(folder_ / set);
    std::vector<Json> entries;
    const auto new_file = [&](const std::string&) {
      const std::filesystem::path path = folder_ / set / mds_shard_name(entries.size());
      return PendingFile::kept_at(path, path);
    };
    std::optional<MdsWriter> writer;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i % shape.rows_of_shard == 0) writer.emplace(format, new_file);
      std::vector<std::string> values;
      for (const MdsColumn& column : format.columns) {
        const bool is_ids = column.name == shape.column;
        values.push_back(is_ids ? value_of(rows[i], column.encoding)
                                : std::string(mds_value_bytes(column.encoding).value_or(1), 'x'));
      }
      writer->add(std::vector<std::string_view>(values.begin(), values.end()));
      if ((i + 1) % shape.rows_of_shard != 0 && i + 1 < rows.size()) continue;
      writer->finish();
      MdsShardFacts shard = writer->shards().front();
      shard.raw.basename = mds_shard_name(entries.size());
      entries.push_back(mds_index_entry(format, shard));
    }
    write(set + "/index.json", mds_index(std::move(entries)));
  }

  // `documents`: how many of the rows each has.
  void add_megatron(const Rows& rows, const std::vector<std::size_t>& documents, const std::string& prefix,
                    IdType type = IdType::kUint16) {
    MegatronIndex index(type);
    std::string ids;
    std::size_t row = 0;
    for (const std::size_t count : documents) {
      for (std::size_t i = 0; i < count; ++i, ++row) {
        index.add_sequence(rows[row].size());
        append_ids(rows[row], type, ids);
      }
      index.end_document();
    }
    write(prefix + ".bin", ids);
    write(prefix + ".idx", index.bytes());
  }
  // Thirty sentences in ten documents.
  void add_sentences(const std::string& prefix = "x_text_sentence") {
    add_megatron(rows_of(30, false), std::vector<std::size_t>(10, 3), prefix);
  }
  // Ten documents with an end after each.
  void add_documents(const std::string& prefix = "x_text_document") {
    Rows rows = rows_of(10, false);
    for (auto& row : rows) row.push_back(7);
    add_megatron(rows, std::vector<std::size_t>(10, 1), prefix);
  }

  std::vector<Finding> findings(const std::string& name, const DoctorOptions& options = {}) {
    Progress progress;
    std::vector<Finding> all;
    for (const Diagnosis& diagnosis : diagnose_any(folder_ / name, options, progress)) {
      all.insert(all.end(), diagnosis.findings.begin(), diagnosis.findings.end());
    }
    return all;
  }
  // "NAME at FILE:ROW: WHAT", one per line.
  std::string found(const std::string& name = "set", const DoctorOptions& options = {}) {
    std::string text;
    for (const Finding& finding : findings(name, options)) {
      text += std::string(facts_of(finding.trap).name) + " at " + finding.place.file;
      if (finding.place.row) text += ":" + std::to_string(*finding.place.row);
      text += ": " + finding.what + "\n";
    }
    return text;
  }

  TempFolder folder_;
};

}  // namespace bertprep::test
