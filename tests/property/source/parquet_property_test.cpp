// Rows of any text, in row groups, pages and encodings of any kind, are read as they were written, whole and in pieces,
// by any number of workers.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "bertprep/base/error.h"
#include "source/source_pieces.h"
#include "support/parquet_file.h"
#include "support/read_documents.h"
#include "support/temp_folder.h"

namespace bertprep {
namespace {

using test::WrittenCodec;
using test::WrittenColumn;
using test::WrittenEncoding;

class AnyFile {
 public:
  explicit AnyFile(unsigned seed) : random_(seed) {}

  std::size_t below(std::size_t end) { return random_() % end; }

  std::string text() {
    const std::size_t length = below(8) == 0 ? below(3000) : below(20);
    std::string text = below(3) == 0 ? last_ : "";
    while (text.size() < length) text += static_cast<char>('a' + below(4));
    last_ = text.substr(0, text.size() - below(text.size() + 1) / 2);
    return below(20) == 0 ? "" : text;
  }

  WrittenColumn column(const std::string& name, std::size_t rows) {
    constexpr WrittenEncoding kEncodings[] = {WrittenEncoding::kPlain, WrittenEncoding::kOldDictionary,
                                              WrittenEncoding::kDictionary, WrittenEncoding::kDeltaLength,
                                              WrittenEncoding::kDeltaBytes};
    constexpr WrittenCodec kCodecs[] = {WrittenCodec::kNone, WrittenCodec::kGzip, WrittenCodec::kZstd};
    WrittenColumn column{.name = name, .values = {}, .is_required = name == "text" && below(3) == 0};
    const bool may_be_null = !column.is_required && below(3) != 0;
    const bool is_run = below(4) == 0;  // of nulls, or of one value
    for (std::size_t i = 0; i < rows; ++i) {
      if (may_be_null && below(is_run ? 2 : 5) == 0) {
        column.values.emplace_back(std::nullopt);
      } else if (is_run && i != 0 && below(10) != 0) {
        column.values.push_back(column.values.back());
      } else {
        column.values.emplace_back(text());
      }
    }
    if (column.is_required) {
      for (auto& value : column.values) value = value.value_or("");
    }
    column.encoding = kEncodings[below(5)];
    column.codec = kCodecs[below(3)];
    column.is_v2 = below(2) == 0;
    column.has_checksums = below(2) == 0;
    column.page_rows = 1 + below(below(2) == 0 ? 10 : 400);
    return column;
  }

  std::vector<std::size_t> groups(std::size_t rows) {
    std::vector<std::size_t> groups;
    for (std::size_t left = rows; left > 0; left -= groups.back()) groups.push_back(std::min(left, below(rows) + 1));
    if (below(3) == 0) groups.insert(groups.begin(), 0);
    return groups;
  }

 private:
  std::mt19937 random_;
  std::string last_;
};

// Runs tasks late and in one queue, as threads may.
TaskRunner wide_runner() {
  TaskRunner runner;
  runner.width = 3;
  return runner;
}

test::Articles articles_of(const WrittenColumn& title, const WrittenColumn& text) {
  test::Articles articles;
  for (std::size_t i = 0; i < text.values.size(); ++i) {
    const std::string value = text.values[i].value_or("");
    if (!value.empty()) articles.push_back({title.values[i].value_or(""), value});
  }
  return articles;
}

TEST(ParquetProperty, RowsAreReadAsWritten) {
  const test::TempFolder folder;
  const RejectSink ignore = [](const auto&, const auto&, auto) {};
  for (unsigned seed = 0; seed < 100; ++seed) {
    AnyFile any(seed);
    const std::size_t rows = 1 + any.below(500);
    const std::string name = any.below(2) == 0 ? "text" : "a.b";
    const WrittenColumn title = any.column("title", rows);
    WrittenColumn text = any.column(name, rows);
    text.values[any.below(rows)] = "a text";
    const std::vector<std::filesystem::path> inputs{
        folder.write("x.parquet", test::parquet_file({title, text}, any.groups(rows)))};
    const SourceOptions options{.format = InputFormat::kParquet, .text_field = name};
    const test::Articles expected = articles_of(title, text);
    for (const TaskRunner& runner : {TaskRunner(), wide_runner()}) {
      const auto source = finish_documents(open_observed_source(inputs, options, ignore, runner), ignore);
      ASSERT_EQ(test::drain(*source), expected) << "seed " << seed;
    }
    test::Articles in_pieces;
    for (const InputPiece& piece : split_source(inputs, options, 1 + any.below(3000), {}, {})) {
      const auto part = finish_documents(open_source_piece(inputs, piece, options, ignore, {}), ignore);
      for (const auto& article : test::drain(*part)) in_pieces.push_back(article);
    }
    ASSERT_EQ(in_pieces, expected) << "seed " << seed;
  }
}

// Cut or changed anywhere, a file is read or refused.
TEST(ParquetProperty, ChangedBytesAreRefusedOrRead) {
  const test::TempFolder folder;
  const RejectSink ignore = [](const auto&, const auto&, auto) {};
  for (unsigned seed = 0; seed < 400; ++seed) {
    AnyFile any(seed);
    const std::size_t rows = 1 + any.below(12);
    std::string bytes = test::parquet_file({any.column("title", rows), any.column("text", rows)}, any.groups(rows));
    for (std::size_t i = any.below(3); i < 3; ++i) {
      bytes[4 + any.below(bytes.size() - 4)] = static_cast<char>(any.below(256));
    }
    if (any.below(10) == 0) bytes.resize(4 + any.below(bytes.size() - 4));
    const std::vector<std::filesystem::path> inputs{folder.write("x.parquet", bytes)};
    try {
      test::drain(*open_source(inputs, {.format = InputFormat::kParquet}, ignore));
    } catch (const FormatError&) {
      continue;
    }
  }
}

}  // namespace
}  // namespace bertprep
