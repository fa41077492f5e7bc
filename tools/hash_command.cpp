#include <cstdio>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "bertprep/shard/shard_reader.h"
#include "console/console.h"
#include "console/json_event.h"
#include "console/signals.h"
#include "console/standard_input.h"
#include "options/command.h"
#include "pipeline/explain/shard_files.h"
#include "shard/hdf5/file_digest.h"

namespace bertprep::cli {
namespace {

constexpr const char* kHashExamples =
    "  bertprep hash data/hdf5_dataset > ours.tsv\n"
    "  bertprep hash reference/notes_training_0.hdf5 ours/notes_training_0.hdf5";

class HashCommand final : public Command {
 public:
  explicit HashCommand(CLI::App& self) : Command(self, kHashExamples) {
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
    const bool json = console.options().json;
    if (!json) std::puts("file\tdataset\tdtype\tshape\tsha256");
    for (const ShardFile& file : files) {
      if (console.cancelled()) throw Cancelled();
      json ? print_events(file) : print(file);
    }
    return kDone;
  }

 private:
  static void print(const ShardFile& file) {
    for (const DatasetDigest& dataset : digest_datasets(file.path)) {
      std::printf("%s\t%s\t%s\t%s\t%s\n", file.name.c_str(), dataset.name.c_str(), dataset.dtype.c_str(),
                  shape_text(dataset.shape, "x").c_str(), dataset.sha256.c_str());
    }
    const FileDigest whole = digest_file(file.path);
    std::printf("%s\t*file*\t-\t%llu\t%s\n", file.name.c_str(), static_cast<unsigned long long>(whole.bytes),
                whole.sha256.c_str());
  }

  static void print_events(const ShardFile& file) {
    for (const DatasetDigest& dataset : digest_datasets(file.path)) {
      const std::vector<std::int32_t> shape(dataset.shape.begin(), dataset.shape.end());
      JsonEvent("digest")
          .text("file", file.name)
          .text("dataset", dataset.name)
          .text("dtype", dataset.dtype)
          .numbers("shape", shape)
          .text("sha256", dataset.sha256)
          .print();
    }
    const FileDigest whole = digest_file(file.path);
    JsonEvent("file").text("file", file.name).number("bytes", whole.bytes).text("sha256", whole.sha256).print();
  }

  NamedStandardInput standard_input_;
  std::vector<std::filesystem::path> paths_;
};

}  // namespace

std::unique_ptr<Command> make_hash_command(CLI::App& self) {
  return std::make_unique<HashCommand>(self);
}

}  // namespace bertprep::cli
