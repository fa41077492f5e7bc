// How fast articles are read, as bytes of input per second on one core; files are in the page cache.
//
//   read/articles, read/wikitext, read/sentences, read/books, read/jsonl
//                    one file of about 32 MB through open_source and finish_documents. The text is that of
//                    WikiText-2 in $BERTPREP_SHARED/corpora, or generated
//   read/parquet     the same, as megabytes of text: pages of a megabyte, compressed by zstd, or the file
//                    $BERTPREP_BENCH_PARQUET (scripts/bench_parquet.mjs)
//   pages/parquet    the pages of its column `text`, decompressed alone
//   utf8/ascii, utf8/cyrillic
//                    find_invalid_utf8 over 1 MB of English and of two-byte letters
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bertprep/source/open_source.h"
#include "io/input_file.h"
#include "io/json.h"
#include "source/columns/column_reader.h"
#include "source/columns/page_unpacker.h"
#include "support/parquet_file.h"
#include "support/temp_folder.h"
#include "unicode/utf8_text.h"

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kFileBytes = 32'000'000;
constexpr std::size_t kSentenceBytes = 120;

std::string made_wikitext() {
  std::string text;
  for (int i = 0; i < 2000; ++i) {
    text += " \n = Article " + std::to_string(i) + " = \n \n";
    for (int j = 0; j < 40; ++j)
      text += " The river rises at " + std::to_string(i * j) + " metres and flows south . \n";
  }
  return text;
}

std::string wikitext() {
  const char* shared = std::getenv("BERTPREP_SHARED");
  const fs::path path = fs::path(shared != nullptr ? shared : "../shared") / "corpora" / "wikitext" / "wt2-train.txt";
  return fs::exists(path) ? bertprep::read_file(path) : made_wikitext();
}

std::string grown(const std::string& unit) {
  std::string bytes;
  while (bytes.size() < kFileBytes) bytes += unit;
  return bytes;
}

std::vector<std::string> articles_of(const fs::path& file) {
  const std::vector<fs::path> inputs{file};
  const auto source = bertprep::open_source(inputs, {.format = bertprep::InputFormat::kWikitext}, {});
  std::vector<std::string> articles;
  for (bertprep::Document document; source->next(document);) articles.push_back(document.text);
  return articles;
}

std::string as_sentences(std::string_view article) {
  std::string lines;
  while (!article.empty()) {
    const std::size_t end = article.find(' ', std::min(kSentenceBytes, article.size()));
    lines.append(article.substr(0, end)).append(1, '\n');
    article.remove_prefix(end == std::string_view::npos ? article.size() : end + 1);
  }
  return lines + '\n';
}

std::string as_json(const std::string& article) {
  return bertprep::Json::object()
             .add("id", bertprep::Json::number(7))
             .add("text", bertprep::Json::string(article))
             .dump_line() +
         '\n';
}

std::string as_csv(const std::string& article) {
  std::string row = "7,\"";
  for (const char c : article) row += c == '"' ? "\"\"" : std::string(1, c);
  return row + "\"\n";
}

// The same articles in each format.
std::string corpus(const std::string& format) {
  const bertprep::test::TempFolder folder;
  const std::string text = wikitext();
  if (format == "wikitext") return grown(text);
  std::string unit;
  for (const std::string& article : articles_of(folder.write("wikitext", text))) {
    if (format == "articles") unit += article + '\n';
    if (format == "jsonl") unit += as_json(article);
    if (format == "csv") unit += as_csv(article);
    if (format == "sentences" || format == "books") unit += as_sentences(article);
  }
  return format == "csv" ? "id,text\n" + grown(unit) : grown(unit);
}

void read(benchmark::State& state, const std::string& format) {
  const bertprep::test::TempFolder folder;
  const std::string bytes = corpus(format);
  const std::vector<fs::path> inputs{folder.write(format, bytes)};
  for (auto step : state) {
    const auto source = bertprep::open_source(inputs, {.format = bertprep::input_format(format)}, {});
    std::size_t text_bytes = 0;
    for (bertprep::Document document; source->next(document);) text_bytes += document.text.size();
    benchmark::DoNotOptimize(text_bytes);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * bytes.size()));
}

// Columns title and text.
struct ParquetFile {
  explicit ParquetFile(const bertprep::test::TempFolder& folder) {
    if (const char* given = std::getenv("BERTPREP_BENCH_PARQUET")) path = given;
    if (!path.empty()) return;
    using bertprep::test::WrittenCodec;
    std::vector<std::optional<std::string>> texts;
    std::vector<std::optional<std::string>> names;
    std::size_t bytes = 0;
    const std::vector<std::string> articles = articles_of(folder.write("wikitext", wikitext()));
    for (std::size_t i = 0; bytes < 2 * kFileBytes; i = (i + 1) % articles.size()) {
      bytes += texts.emplace_back(articles[i])->size();
      names.emplace_back("Article " + std::to_string(i));
    }
    const std::size_t page_rows = texts.size() * 1'000'000 / bytes;
    path = folder.write("x.parquet",
                        bertprep::test::parquet_file(
                            {{.name = "title", .values = names, .codec = WrittenCodec::kZstd},
                             {.name = "text", .values = texts, .codec = WrittenCodec::kZstd, .page_rows = page_rows}},
                            {texts.size()}));
  }

  fs::path path;
};

void read_parquet(benchmark::State& state) {
  const bertprep::test::TempFolder folder;
  const std::vector<fs::path> inputs{ParquetFile(folder).path};
  std::size_t text_bytes = 0;
  for (auto step : state) {
    const auto source = bertprep::open_source(inputs, {}, {});
    for (bertprep::Document document; source->next(document);) text_bytes += document.text.size();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(text_bytes));
}

struct StoredPage {
  bertprep::PageHeader header;
  std::string stored;
  bertprep::PageCodec codec;
};

std::vector<StoredPage> pages_of_text(const fs::path& file) {
  const bertprep::ParquetMetadata metadata = bertprep::read_parquet_metadata(file);
  const std::size_t column = bertprep::find_text_column(metadata.schema, "text").value().column;
  bertprep::PageReader reader(file);
  std::vector<StoredPage> pages;
  for (const bertprep::RowGroup& group : metadata.groups) {
    reader.begin(group.columns[column]);
    for (std::uint64_t left = group.rows; left > 0;) {
      StoredPage page{.header = reader.next_header(), .stored = {}, .codec = group.columns[column].codec};
      page.stored.resize(page.header.stored_bytes);
      reader.read(page.stored);
      if (page.header.kind != bertprep::PageKind::kDictionary) left -= std::min(left, page.header.values);
      pages.push_back(std::move(page));
    }
  }
  return pages;
}

// What no reader undercuts.
void unpack_pages(benchmark::State& state) {
  const bertprep::test::TempFolder folder;
  const std::vector<StoredPage> pages = pages_of_text(ParquetFile(folder).path);
  bertprep::PageUnpacker unpacker;
  bertprep::PageBuffer buffer;
  std::size_t bytes = 0;
  for (auto step : state) {
    for (const StoredPage& page : pages) {
      const std::size_t levels = page.header.levels();
      const std::string_view packed = std::string_view(page.stored).substr(levels);
      if (!unpacker.unpack(page.codec, packed, buffer.make(page.header.bytes - levels))) std::abort();
      bytes += buffer.bytes().size();
    }
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
}

void utf8(benchmark::State& state, std::string_view unit) {
  std::string bytes;
  while (bytes.size() < 1'000'000) bytes += unit;
  for (auto step : state) benchmark::DoNotOptimize(bertprep::find_invalid_utf8(bytes));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * bytes.size()));
}

BENCHMARK_CAPTURE(read, articles, "articles")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read, wikitext, "wikitext")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read, sentences, "sentences")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read, books, "books")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read, jsonl, "jsonl")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read, csv, "csv")->Unit(benchmark::kMillisecond);
BENCHMARK(read_parquet)->Name("read/parquet")->Unit(benchmark::kMillisecond);
BENCHMARK(unpack_pages)->Name("pages/parquet")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(utf8, ascii, "The river rises in the hills .");
BENCHMARK_CAPTURE(utf8, cyrillic, "\xD0\xA0\xD0\xB5\xD0\xBA\xD0\xB0 \xD1\x82\xD0\xB5\xD1\x87\xD1\x91\xD1\x82 ");

}  // namespace

BENCHMARK_MAIN();
