#include "trainer/weights/state_dict.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

using Kind = PickleValue::Kind;

constexpr std::size_t kMostDimensions = 8;
constexpr std::size_t kMostEntries = 1'000'000;
// Longer ones are no names of parameters and storages; a pickle may name one text any number of times.
constexpr std::size_t kMostKeyBytes = 512;
constexpr std::size_t kMostNames = 8;  // in a message
constexpr std::size_t kMostNameBytes = 80;
constexpr const char* kSaveStateDict = "save model.state_dict(), or {'model': model.state_dict()}, with torch.save";

// Names of torch's module; untyped storages are of torch.storage in some versions.
constexpr std::array<StorageType, 19> kStorageTypes{{{"FloatStorage", "F32", 4},
                                                     {"HalfStorage", "F16", 2},
                                                     {"BFloat16Storage", "BF16", 2},
                                                     {"DoubleStorage", "F64", 8},
                                                     {"LongStorage", "I64", 8},
                                                     {"IntStorage", "I32", 4},
                                                     {"ShortStorage", "I16", 2},
                                                     {"CharStorage", "I8", 1},
                                                     {"ByteStorage", "U8", 1},
                                                     {"BoolStorage", "BOOL", 1},
                                                     {"UntypedStorage", "U8", 1},
                                                     {"_UntypedStorage", "U8", 1},
                                                     {"ComplexFloatStorage", "", 8},
                                                     {"ComplexDoubleStorage", "", 16},
                                                     {"QInt8Storage", "", 1},
                                                     {"QUInt8Storage", "", 1},
                                                     {"QInt32Storage", "", 4},
                                                     {"QUInt4x2Storage", "", 1},
                                                     {"QUInt2x4Storage", "", 1}}};

const StorageType* storage_type(const PickleTree& pickle, PickleId id) {
  for (const StorageType& type : kStorageTypes) {
    if (pickle.is_global(id, "torch", type.name) || pickle.is_global(id, "torch.storage", type.name)) return &type;
  }
  return nullptr;
}

bool is_key(const PickleValue& value) {
  return value.kind == Kind::Text && value.text.size() <= kMostKeyBytes;
}

// Of what torch calls ("storage", type, key, place, values) or, before 1.6, with (key, first, values) of a view behind.
const std::vector<PickleId>* storage_items(const PickleTree& pickle, PickleId id) {
  if (pickle.at(id).kind != Kind::Stored) return nullptr;
  const auto* items = pickle.tuple_items(pickle.at(id).arguments);
  const bool fits = items != nullptr && items->size() >= 5 && is_key(pickle.at((*items)[0])) &&
                    pickle.at((*items)[0]).text == "storage" && is_key(pickle.at((*items)[2]));
  return fits ? items : nullptr;
}

std::optional<StorageNote> storage_note(const PickleTree& pickle, PickleId id) {
  const auto* items = storage_items(pickle, id);
  if (items == nullptr) return std::nullopt;
  StorageNote note{storage_type(pickle, (*items)[1]), pickle.at((*items)[2]).text};
  if (note.type == nullptr) return std::nullopt;
  if (const auto* view = items->size() > 5 ? pickle.tuple_items((*items)[5]) : nullptr) {
    const bool fits = view->size() == 3 && pickle.at((*view)[1]).kind == Kind::Integer;
    if (!fits || pickle.at((*view)[1]).integer < 0) return std::nullopt;
    note.first = static_cast<std::uint64_t>(pickle.at((*view)[1]).integer);
  }
  return note;
}

// Lengths or strides: not negative.
bool read_sizes(const PickleTree& pickle, PickleId id, std::vector<std::int64_t>& sizes) {
  const auto* items = pickle.tuple_items(id);
  if (items == nullptr || items->size() > kMostDimensions) return false;
  for (const PickleId item : *items) {
    if (pickle.at(item).kind != Kind::Integer || pickle.at(item).integer < 0) return false;
    sizes.push_back(pickle.at(item).integer);
  }
  return true;
}

bool count_fits(const std::vector<std::int64_t>& shape) {
  std::uint64_t count = 1;
  for (const std::int64_t length : shape) {
    if (__builtin_mul_overflow(count, static_cast<std::uint64_t>(length), &count)) return false;
  }
  return true;
}

// Arguments of _rebuild_tensor, and of _rebuild_tensor_v2, which has more behind them.
std::optional<StateTensor> tensor_of_storage(const PickleTree& pickle, const std::vector<PickleId>& arguments) {
  if (arguments.size() < 4) return std::nullopt;
  const auto note = storage_note(pickle, arguments[0]);
  const PickleValue& first = pickle.at(arguments[1]);
  if (!note || note->type->dtype.empty() || first.kind != Kind::Integer || first.integer < 0) return std::nullopt;
  StateTensor tensor{.storage = *note, .first = static_cast<std::uint64_t>(first.integer)};
  const bool sound = read_sizes(pickle, arguments[2], tensor.shape) && read_sizes(pickle, arguments[3], tensor.strides);
  if (!sound || tensor.shape.size() != tensor.strides.size() || !count_fits(tensor.shape)) return std::nullopt;
  return tensor;
}

bool calls_any(const PickleTree& pickle, PickleId id, std::span<const std::string_view> functions) {
  return std::any_of(functions.begin(), functions.end(),
                     [&](auto function) { return pickle.calls(id, "torch._utils", function); });
}

constexpr std::array<std::string_view, 2> kOfNumpy{"_rebuild_device_tensor_from_numpy", "_rebuild_xla_tensor"};
constexpr std::array<std::string_view, 2> kRebuilds{"_rebuild_tensor_v2", "_rebuild_tensor"};
constexpr std::array<std::string_view, 3> kWraps{"_rebuild_parameter", "_rebuild_parameter_with_state",
                                                 "_rebuild_device_tensor_from_cpu_tensor"};

// A tensor within the calls that make a parameter of it.
std::optional<StateTensor> read_tensor(const PickleTree& pickle, PickleId id) {
  constexpr int kMostCalls = 4;
  for (int i = 0; i < kMostCalls; ++i) {
    const auto* arguments = pickle.tuple_items(pickle.at(id).arguments);
    if (arguments == nullptr || arguments->empty()) return std::nullopt;
    if (calls_any(pickle, id, kRebuilds)) return tensor_of_storage(pickle, *arguments);
    if (!calls_any(pickle, id, kWraps)) return std::nullopt;
    id = arguments->front();
  }
  return std::nullopt;
}

// A tensor of an accelerator that torch has no storages for.
std::optional<NumpyArray> read_array(const PickleTree& pickle, PickleId id) {
  const auto* arguments = pickle.tuple_items(pickle.at(id).arguments);
  if (arguments == nullptr || arguments->empty() || !calls_any(pickle, id, kOfNumpy)) return std::nullopt;
  return read_numpy_array(pickle, arguments->front());
}

// Dicts, and what Python's collections have made of them.
bool is_dict(const PickleTree& pickle, PickleId id) {
  const PickleValue& value = pickle.at(id);
  if (value.kind == Kind::Dict) return true;
  return value.kind == Kind::Call && value.items.size() % 2 == 0 &&
         (pickle.is_global(value.callable, "collections", "OrderedDict") ||
          pickle.is_global(value.callable, "collections", "defaultdict"));
}

std::optional<PickleId> entry_of(const PickleTree& pickle, PickleId dict, std::string_view key) {
  const auto& items = pickle.at(dict).items;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    if (pickle.at(items[i]).kind == Kind::Text && pickle.at(items[i]).text == key) return items[i + 1];
  }
  return std::nullopt;
}

bool holds_tensors(const PickleTree& pickle, PickleId dict) {
  const auto& items = pickle.at(dict).items;
  for (std::size_t i = 1; i < items.size(); i += 2) {
    const PickleId value = items[i];
    const bool is_tensor =
        calls_any(pickle, value, kRebuilds) || calls_any(pickle, value, kWraps) || calls_any(pickle, value, kOfNumpy);
    if (is_tensor) return true;
  }
  return false;
}

std::optional<PickleId> dict_within(const PickleTree& pickle, PickleId dict) {
  for (const char* key : {"model", "state_dict", "module", "model_state_dict"}) {
    const auto entry = entry_of(pickle, dict, key);
    if (entry && is_dict(pickle, *entry)) return entry;
  }
  return std::nullopt;
}

std::string names_of(const PickleTree& pickle, PickleId dict) {
  const auto& items = pickle.at(dict).items;
  std::string names;
  for (std::size_t i = 0; i < items.size() && i < 2 * kMostNames; i += 2) {
    const PickleValue& key = pickle.at(items[i]);
    if (key.kind == Kind::Text)
      names += (names.empty() ? "'" : ", '") + std::string(key.text.substr(0, kMostNameBytes)) + "'";
  }
  return names.empty() ? "nothing" : names + (items.size() > 2 * kMostNames ? " and others" : "");
}

// Dicts may hold themselves.
constexpr int kMostDictsAround = 4;

PickleId state_dict_id(const PickleTree& pickle, const std::string& where) {
  if (!is_dict(pickle, pickle.root)) {
    throw FormatError("holds " + describe_pickled(pickle, pickle.root) + ", no state dict", where, kSaveStateDict);
  }
  PickleId dict = pickle.root;
  for (int i = 0; i < kMostDictsAround; ++i) {
    if (holds_tensors(pickle, dict)) return dict;
    const auto within = dict_within(pickle, dict);
    if (!within) break;
    dict = *within;
  }
  throw FormatError("holds no state dict, but " + names_of(pickle, dict), where, kSaveStateDict);
}

}  // namespace

std::uint64_t StateTensor::count() const {
  std::uint64_t values = 1;
  for (const std::int64_t length : shape) values *= static_cast<std::uint64_t>(length);
  return values;
}

std::string describe_pickled(const PickleTree& pickle, PickleId id) {
  if (pickle.at(id).kind == Kind::Call) id = pickle.at(id).callable;
  if (id == kNoPickleId || pickle.at(id).kind != Kind::Global) return "a plain value";
  const auto part = [&](std::size_t i) { return pickle.at(pickle.at(id).items[i]).text.substr(0, kMostNameBytes); };
  return std::string(part(0)) + "." + std::string(part(1));
}

StateDict find_state_dict(const PickleTree& pickle, const std::string& where) {
  const auto& items = pickle.at(state_dict_id(pickle, where)).items;
  if (items.size() / 2 > kMostEntries) {
    throw FormatError("has more than " + std::to_string(kMostEntries) + " entries", where, kSaveStateDict);
  }
  StateDict found;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    if (!is_key(pickle.at(items[i]))) continue;
    const PickleId value = items[i + 1];
    found.entries.push_back({pickle.at(items[i]).text, value, read_tensor(pickle, value), read_array(pickle, value)});
  }
  return found;
}

std::unordered_map<std::string_view, const StorageType*> storage_types(const PickleTree& pickle,
                                                                       const std::string& where) {
  std::unordered_map<std::string_view, const StorageType*> types;
  for (PickleId id = 0; id < pickle.values.size(); ++id) {
    const auto* items = storage_items(pickle, id);
    if (items == nullptr) continue;
    const StorageType* type = storage_type(pickle, (*items)[1]);
    if (type == nullptr)
      throw FormatError("holds values of a kind that is not known: " + describe_pickled(pickle, (*items)[1]), where);
    types.emplace(pickle.at((*items)[2]).text, type);
  }
  return types;
}

}  // namespace bertprep
