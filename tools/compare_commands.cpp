// Whether shards hold the same values: compare shows how two sets differ, hash prints digests.
#include <cstdio>

#include "bertprep/shard/shard_reader.h"
#include "console/process.h"
#include "console/standard_input.h"
#include "options/command.h"
#include "pipeline/explain/shard_files.h"
#include "quality/compare.h"
#include "shard/hdf5/file_digest.h"

namespace bertprep::cli {
namespace {

class CompareCommand final : public Command {
 public:
  explicit CompareCommand(CLI::App& self) : Command(self) {
    add_argument("a", a_, "A", "a folder of HDF5 files, or one such file")->required();
    add_argument("b", b_, "B", "another one")->required();
    add_flag("--any-order", any_order_, OptionGroup::kRows, "accept the same rows in another order");
  }

  int run(Console& console) override {
    const Comparison comparison = compare_sets(a_, b_, console);
    for (const RowsCompared& part : comparison.parts) console.options().json ? print_event(part) : print(part);
    for (const RecipeDifference& option : comparison.recipes) {
      console.print(JsonEvent("option_differs").text("option", option.name).text("a", option.a).text("b", option.b),
                    "option " + option.name + ": " + option.a + " and " + option.b);
    }
    return comparison.same_order() || (any_order_ && comparison.same_rows()) ? kDone : kFailed;
  }

 private:
  static std::string counts_of(const RowsCompared& part) {
    return part.rows_a == part.rows_b ? counted(part.rows_a, "row")
                                      : grouped(part.rows_a) + " and " + counted(part.rows_b, "row");
  }

  static void print(const RowsCompared& part) {
    const std::string name = part.part + ": " + counts_of(part) + ", ";
    if (part.same_order) {
      std::printf("%sthe same\n", name.c_str());
      return;
    }
    if (part.same_rows) {
      std::printf("%sthe same in another order\n", name.c_str());
    } else {
      const std::string by = part.one_in == 1 ? "" : ", by one row in " + grouped(part.one_in);
      std::printf("%s%s %% in common%s\n", name.c_str(),
                  decimal(share_of(part.common, part.common_of) * 100, 1).c_str(), by.c_str());
    }
    const std::string end = "the end";
    std::printf("  first difference: %s and %s: %s\n",
                (part.first->place_a.empty() ? end : part.first->place_a).c_str(),
                (part.first->place_b.empty() ? end : part.first->place_b).c_str(), part.first->what.c_str());
  }

  static void print_event(const RowsCompared& part) {
    JsonEvent event("compared");
    event.text("part", part.part).number("rows_a", part.rows_a).number("rows_b", part.rows_b);
    event.flag("same_order", part.same_order).flag("same_rows", part.same_rows);
    event.real("share_in_common", part.same_rows ? 1.0 : share_of(part.common, part.common_of))
        .number("one_in", part.one_in);
    if (part.first) {
      event.text("first_a", part.first->place_a).text("first_b", part.first->place_b).text("what", part.first->what);
    }
    event.print();
  }

  std::filesystem::path a_;
  std::filesystem::path b_;
  bool any_order_ = false;
};

class HashCommand final : public Command {
 public:
  explicit HashCommand(CLI::App& self) : Command(self) {
    add_argument("path", paths_, "PATH", "shards, or folders to search for shards; - is stdin", Dash::kTaken)
        ->required();
  }

  int run(Console& console) override {
    std::string no_vocab;
    standard_input_.take(paths_, no_vocab, console);
    if (!standard_input_.has_file()) end_at_signals();  // writes no files, and the reader of stdout may have stopped
    std::vector<ShardFile> files;
    for (const auto& path : paths_) {
      for (ShardFile& file : shard_files(path)) files.push_back(std::move(file));
    }
    for (ShardFile& file : files) {
      if (file.path == kStandardInput) file.name = kDash;
    }
    if (!console.options().json) std::puts("file\tdataset\tdtype\tshape\tsha256");
    for (const ShardFile& file : files) {
      if (console.cancelled()) throw Cancelled();
      print(file, console);
    }
    return kDone;
  }

 private:
  static void print(const ShardFile& file, const Console& console) {
    for (const DatasetDigest& dataset : digest_datasets(file.path)) {
      JsonEvent event("digest");
      event.text("file", file.name).text("dataset", dataset.name).text("dtype", dataset.dtype);
      event.numbers("shape", dataset.shape).text("sha256", dataset.sha256);
      console.print(event, file.name + "\t" + dataset.name + "\t" + dataset.dtype + "\t" +
                               shape_text(dataset.shape, "x") + "\t" + dataset.sha256);
    }
    const FileDigest whole = digest_file(file.path);
    console.print(JsonEvent("file").text("file", file.name).number("bytes", whole.bytes).text("sha256", whole.sha256),
                  file.name + "\t*file*\t-\t" + std::to_string(whole.bytes) + "\t" + whole.sha256);
  }

  NamedStandardInput standard_input_;
  std::vector<std::filesystem::path> paths_;
};

}  // namespace

extern const CommandEntry kCompareCommand{"compare", make_command<CompareCommand>};
extern const CommandEntry kHashCommand{"hash", make_command<HashCommand>};

}  // namespace bertprep::cli
