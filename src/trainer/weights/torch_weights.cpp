#include "trainer/weights/torch_weights.h"

#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "bertprep/base/error.h"
#include "trainer/weights/state_dict.h"
#include "trainer/weights/tensor_values.h"
#include "trainer/weights/torch_archive.h"
#include "trainer/weights/torch_legacy.h"

namespace bertprep {
namespace {

using Storages = std::unordered_map<std::string, std::string_view>;

class TorchWeights final : public WeightsFile {
 public:
  TorchWeights(PickleTree pickle, StateDict dict, Storages storages, ByteOrder order, std::string where);

  std::vector<std::string> names() const override;
  TensorView tensor(const std::string& name) override;

 private:
  PickleTree pickle_;
  StateDict dict_;
  std::unordered_map<std::string_view, const StateDict::Entry*> entries_;
  Storages storages_;
  ByteOrder order_;
  std::string where_;
  std::vector<std::byte> gathered_;
};

TorchWeights::TorchWeights(PickleTree pickle, StateDict dict, Storages storages, ByteOrder order, std::string where)
    : pickle_(std::move(pickle)),
      dict_(std::move(dict)),
      storages_(std::move(storages)),
      order_(order),
      where_(std::move(where)) {
  // Of two entries with a name the last one counts, as in Python.
  for (const StateDict::Entry& entry : dict_.entries) entries_[entry.name] = &entry;
}

std::vector<std::string> TorchWeights::names() const {
  std::vector<std::string> names;
  for (const StateDict::Entry& entry : dict_.entries) names.emplace_back(entry.name);
  return names;
}

TensorView TorchWeights::tensor(const std::string& name) {
  const auto found = entries_.find(name);
  if (found == entries_.end()) throw FormatError("lacks the tensor '" + name + "'", where_);
  if (const auto& array = found->second->array) {
    return {name, std::string(array->dtype), array->shape, array_values(name, *array, gathered_, where_)};
  }
  const auto& tensor = found->second->tensor;
  if (!tensor) {
    throw FormatError(
        "'" + name + "' is no tensor that can be read, but " + describe_pickled(pickle_, found->second->value), where_,
        "save it as a dense tensor on the CPU: {name: tensor.to('cpu') ...}");
  }
  const auto storage = storages_.find(std::string(tensor->storage.key));
  if (storage == storages_.end()) {
    throw FormatError("lacks the storage '" + std::string(tensor->storage.key) + "' of the tensor '" + name + "'",
                      where_, "the file is damaged: get it again");
  }
  const auto values =
      tensor_values(name, *tensor, {std::as_bytes(std::span(storage->second)), order_}, gathered_, where_);
  return {name, std::string(tensor->storage.type->dtype), tensor->shape, values};
}

ByteOrder byte_order_of(const TorchRecords& records, const std::string& where) {
  const auto found = records.find("byteorder");
  if (found == records.end() || found->second == "little") return ByteOrder::Little;
  if (found->second == "big") return ByteOrder::Big;
  throw FormatError("has a byte order that is not known", where + ":byteorder", "the file is damaged: get it again");
}

std::unique_ptr<WeightsFile> weights_of_archive(std::string_view bytes, const std::string& where) {
  const TorchRecords head = read_torch_records(bytes, where, [](const std::string& name) {
    return name == "data.pkl" || name == "byteorder" || name == "constants.pkl";
  });
  const auto data = head.find("data.pkl");
  if (data == head.end() || head.contains("constants.pkl")) {
    throw FormatError(data == head.end() ? "is a zip file, but none of torch.save" : "is a program of TorchScript",
                      where, "save the model's state dict with torch.save");
  }
  PickleTree pickle = parse_pickle(data->second, where + ":data.pkl");
  StateDict dict = find_state_dict(pickle, where);
  std::unordered_set<std::string> wanted;
  for (const StateDict::Entry& entry : dict.entries) {
    if (entry.tensor) wanted.insert("data/" + std::string(entry.tensor->storage.key));
  }
  Storages storages;
  for (const auto& [name, record] :
       read_torch_records(bytes, where, [&](const std::string& name) { return wanted.contains(name); })) {
    storages.emplace(name.substr(name.find('/') + 1), record);
  }
  return std::make_unique<TorchWeights>(std::move(pickle), std::move(dict), std::move(storages),
                                        byte_order_of(head, where), where);
}

std::unique_ptr<WeightsFile> weights_of_legacy(std::string_view bytes, const std::string& where) {
  LegacyTorch file = read_legacy_torch(bytes, where);
  StateDict dict = find_state_dict(file.object, where);
  Storages storages;
  for (const auto& [key, values] : file.storages) storages.emplace(key, values);
  return std::make_unique<TorchWeights>(std::move(file.object), std::move(dict), std::move(storages), ByteOrder::Little,
                                        where);
}

}  // namespace

bool is_torch_file(std::string_view bytes) {
  return is_torch_archive(bytes) || is_legacy_torch(bytes);
}

std::unique_ptr<WeightsFile> parse_torch_file(std::string_view bytes, const std::string& where) {
  return is_torch_archive(bytes) ? weights_of_archive(bytes, where) : weights_of_legacy(bytes, where);
}

}  // namespace bertprep
