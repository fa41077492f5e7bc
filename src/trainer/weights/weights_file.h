// Weights of a model in a file, whatever its format: safetensors, or a state dict that torch.save wrote.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "trainer/weights/safetensors.h"

namespace bertprep {

class WeightsFile {
 public:
  virtual ~WeightsFile() = default;

  // Of the tensors, and of what else stands between them.
  virtual std::vector<std::string> names() const = 0;
  // Valid until the next call. Throws FormatError when there is none of this name, or it can't be read.
  virtual TensorView tensor(const std::string& name) = 0;
};

// Maps the file and tells its format by its first bytes. Throws IoError, FormatError.
std::unique_ptr<WeightsFile> open_weights(const std::filesystem::path& path);

// `path` itself, or of a folder the file of weights in it: model.safetensors, else the newest checkpoint, else
// pytorch_model.bin, else the newest ckpt_STEP.pt, else DeepSpeed's mp_rank_00_model_states.pt, also that of the step
// in `latest`. Throws ConfigError when it has none of them.
std::filesystem::path find_weights(const std::filesystem::path& path);

}  // namespace bertprep
