#include "command.h"
#include "exit_status.h"
#include "summary.h"

namespace bertprep::cli {
namespace {

constexpr const char* kExamples =
    "  bertprep instances sharded/wikitext-2/*.txt --vocab bert-large-uncased-vocab.txt -o hdf5/phase1\n"
    "  bertprep instances sharded/wikitext-2/*.txt --vocab bert-large-uncased-vocab.txt \\\n"
    "      --seq-len 512 --max-predictions 80 -o hdf5/phase2";

class InstancesCommand final : public Command {
 public:
  explicit InstancesCommand(CLI::App& parent)
      : Command(parent, "instances", "Turn text shards into HDF5 shards of the same base names, for one phase",
                kExamples) {
    app()
        .add_option("input", task_.text_shards, "text shards; X.txt becomes X.hdf5")
        ->required()
        ->type_name("TEXT_SHARD");
    app()
        .add_option("-o,--output", folder_, "folder for the shards and their manifest.json")
        ->required()
        ->type_name("DIR");
    options().add(app(), pipeline_.corpus, {"name"});
    options().add(app(), pipeline_.vocab);
    options().add(app(), pipeline_.tokenizer);
    options().add(app(), pipeline_.instances);
    options().add(app(), pipeline_.layout);
    options().add(app(), pipeline_.work, {"threads", "memory", "force"});
    options().add_config_flags(app());
  }

  int run(Console& console) override {
    pipeline_.validate_all();
    task_.name = pipeline_.corpus.name;
    task_.phases = {{pipeline_.instances, folder_}};
    const StageReport report = make_instances(task_, pipeline_, console);
    print_summary({&report, 1}, console);
    return kDone;
  }

 private:
  InstanceTask task_;
  std::filesystem::path folder_;
  PipelineOptions pipeline_;
};

}  // namespace

std::unique_ptr<Command> make_instances_command(CLI::App& parent) {
  return std::make_unique<InstancesCommand>(parent);
}

}  // namespace bertprep::cli
