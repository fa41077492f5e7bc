// Arbitrary bytes as a configuration file: refused, or options that stay the same when written again. Values are
// refused by their option, or kept.
#include <cstdint>
#include <string>
#include <vector>

#include "base/fields.h"
#include "bertprep/base/error.h"
#include "bertprep/pipeline/pipeline_options.h"
#include "fuzz/fuzz_targets.h"
#include "options/config_file.h"
#include "support/temp_folder.h"

namespace {

using bertprep::FieldValue;

template <class Options>
void set_options(Options& options, const std::vector<FieldValue>& values) {
  for (const FieldValue& value : values) {
    for (const auto& field : bertprep::fields_of<Options>()) {
      if (field.name == value.name) bertprep::set_field(options, field, value.value);
    }
  }
}

void check_options(const std::vector<FieldValue>& values) {
  bertprep::PipelineOptions options;
  try {
    set_options(options.corpus, values);
    set_options(options, values);
    set_options(options.tokenizer, values);
    set_options(options.sentences, values);
    set_options(options.sharding, values);
    set_options(options.instances, values);
    set_options(options.layout, values);
    set_options(options.work, values);
    options.validate_all();
  } catch (const bertprep::ConfigError&) {
    return;
  }
  require(options.instances.masked_lm_prob >= 0 && options.instances.masked_lm_prob <= 1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bertprep::test::TempFolder temp;
  const auto path = temp.write("config.json", std::string(reinterpret_cast<const char*>(data), size));
  std::vector<FieldValue> values;
  try {
    values = bertprep::read_config_file(path);
  } catch (const bertprep::FormatError&) {
    return 0;
  }
  check_options(values);
  const auto again = bertprep::read_config_file(temp.write("again.json", bertprep::config_file_text(values)));
  require(again.size() == values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    require(again[i].name == values[i].name && again[i].value == values[i].value);
  }
  return 0;
}
