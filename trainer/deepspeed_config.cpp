#include "trainer/deepspeed_config.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/fields.h"
#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/json.h"
#include "unicode/ascii.h"

namespace bertprep {
namespace {

using Number = std::optional<std::int64_t>;

// All values of a file by their keys, "zero_optimization.stage". take() removes a value.
class Values {
 public:
  explicit Values(const std::filesystem::path& path) : path_(path) {
    const Json json = read_json(path);
    if (json.kind() != Json::Kind::Object) throw FormatError("does not contain a JSON object", path);
    add("", json);
  }

  std::optional<Json> take(const std::string& key) {
    auto node = values_.extract(key);
    if (node.empty()) return std::nullopt;
    return std::move(node.mapped());
  }
  // The same, but nothing, and a note, if it is left to `option`.
  std::optional<Json> take(const std::string& key, const std::string& option) {
    auto value = take(key);
    if (!value || value->kind() != Json::Kind::String || value->text() != "auto") return value;
    notes.push_back(key + " is auto: " + quoted_field(option) + " counts");
    return std::nullopt;
  }
  std::optional<double> real(const std::string& key, const std::string& option) {
    const auto value = take(key, option);
    if (!value) return std::nullopt;
    return real_of(key, *value);
  }
  Number whole(const std::string& key, const std::string& option) {
    const auto value = real(key, option);
    if (!value) return std::nullopt;
    if (*value != std::floor(*value) || std::abs(*value) > 1e15) refuse_type(key, "a whole number");
    return static_cast<std::int64_t>(*value);
  }
  bool flag(const std::string& key, const std::string& option) {
    const auto value = take(key, option);
    if (value && value->kind() != Json::Kind::Bool) refuse_type(key, "true or false");
    return value && value->as_bool();
  }
  // In lower case; empty when absent.
  std::string word(const std::string& key) {
    const auto value = take(key);
    if (!value) return {};
    if (value->kind() != Json::Kind::String) refuse_type(key, "a text");
    return ascii_lower(value->text());
  }
  double real_of(const std::string& key, const Json& value) const {
    const auto number = value.kind() == Json::Kind::Number ? number_in<double>(value.text()) : std::nullopt;
    if (!number) refuse_type(key, "a number");
    return *number;
  }
  [[noreturn]] void refuse_type(const std::string& key, const std::string& kind) const {
    throw FormatError("'" + key + "' is not " + kind, path_);
  }
  [[noreturn]] void refuse(const std::string& what, const std::string& hint) const {
    throw ConfigError(what, path_, hint);
  }
  bool has(const std::string& key) const { return values_.count(key) != 0; }
  std::string names_left() const {
    std::string names;
    for (const auto& [key, value] : values_) names += (names.empty() ? "" : ", ") + key;
    return names;
  }

  std::vector<std::string> notes;

 private:
  void add(const std::string& prefix, const Json& json) {
    for (const auto& [key, value] : json.members()) {
      if (value.kind() == Json::Kind::Object) {
        add(prefix + key + ".", value);
      } else {
        values_.insert_or_assign(prefix + key, value);
      }
    }
  }

  std::filesystem::path path_;
  std::map<std::string, Json> values_;
};

class Reading {
 public:
  Reading(const std::filesystem::path& path, std::uint64_t processes, std::int64_t max_steps)
      : values_(path), processes_(static_cast<std::int64_t>(processes)), max_steps_(max_steps) {}

  DeepspeedChoices all() {
    take_batches();
    take_optimizer();
    take_schedule();
    take_precision();
    take_zero();
    if (const auto norm = values_.real("gradient_clipping", "max-grad-norm")) {
      choose("gradient_clipping", "max-grad-norm", shortest_decimal(*norm));
    }
    if (const Number steps = values_.whole("steps_per_print", "log-every")) {
      choose("steps_per_print", "log-every", std::to_string(*steps));
    }
    if (const std::string left = values_.names_left(); !left.empty()) {
      values_.notes.push_back("without a counterpart, not used: " + left);
    }
    return {std::move(choices_), std::move(values_.notes)};
  }

 private:
  void choose(const std::string& key, const std::string& option, const std::string& value) {
    choices_.push_back({key, option, value});
  }

  void take_batches() {
    constexpr const char* kTotal = "train_batch_size";
    constexpr const char* kMicro = "train_micro_batch_size_per_gpu";
    constexpr const char* kSteps = "gradient_accumulation_steps";
    const bool gives_total = values_.has(kTotal);
    Number total = values_.whole(kTotal, "batch-size");
    Number micro = values_.whole(kMicro, "micro-batch");
    const Number steps = values_.whole(kSteps, "micro-batch");
    if (steps && !total && !micro) {
      values_.notes.push_back(std::string(kSteps) + " alone is not enough: give `batch_size` and `micro_batch`");
      return;
    }
    const std::int64_t parts = steps.value_or(1) * processes_;
    if (parts < 1) values_.refuse(std::string(kSteps) + " is below 1", "give 1 or more");
    if (!total && !gives_total && micro) total = *micro * parts;
    if (total && steps && !micro) {
      if (*total % parts != 0) refuse_product(*total, "", steps);
      micro = *total / parts;
    }
    if (total && micro && steps && *total != *micro * parts) {
      refuse_product(*total, std::string(kMicro) + " " + std::to_string(*micro) + " x ", steps);
    }
    if (total) choose(gives_total ? kTotal : kMicro, "batch-size", std::to_string(*total));
    if (micro) choose(kMicro, "micro-batch", std::to_string(*micro));
  }
  [[noreturn]] void refuse_product(std::int64_t total, const std::string& micro, const Number& steps) const {
    values_.refuse("train_batch_size " + std::to_string(total) + " is not " + (micro.empty() ? "a multiple of " : "") +
                       micro + "gradient_accumulation_steps " + std::to_string(*steps) + " x " +
                       std::to_string(processes_) + " processes",
                   "start another number of processes, or leave one of them out");
  }

  void take_optimizer() {
    const std::string type = values_.word("optimizer.type");
    if (type == "adam" || type == "adamw") {
      if (values_.has("optimizer.params.adam_w_mode") && !values_.flag("optimizer.params.adam_w_mode", "optimizer")) {
        values_.refuse("optimizer.params.adam_w_mode is false", "weight decay is always AdamW's: leave it out");
      }
      choose("optimizer.type", "optimizer", "adamw");
    } else if (type == "lamb") {
      choose("optimizer.type", "optimizer", "nvlamb");
      values_.notes.emplace_back("optimizer.type Lamb: trust ratios are NVIDIA's, without bounds");
    } else if (!type.empty()) {
      values_.refuse("optimizer.type '" + type + "' is not supported",
                     "use AdamW or Lamb, or leave it out and give `optimizer`");
    }
    const std::string params = "optimizer.params.";
    take_rate(params + "lr");
    take_betas(params + "betas");
    if (const auto epsilon = values_.real(params + "eps", "epsilon")) {
      choose(params + "eps", "epsilon", shortest_decimal(*epsilon));
    }
    if (const auto decay = values_.real(params + "weight_decay", "weight-decay")) {
      choose(params + "weight_decay", "weight-decay", shortest_decimal(*decay));
    }
  }
  void take_rate(const std::string& key) {
    const auto rate = values_.real(key, "learning-rate");
    if (!rate) return;
    if (rate_ && *rate_ != *rate) {
      values_.refuse("optimizer.params.lr and " + key + " differ", "give the highest learning rate in both");
    }
    if (!rate_) choose(key, "learning-rate", shortest_decimal(*rate));
    rate_ = rate;
  }
  void take_betas(const std::string& key) {
    const auto betas = values_.take(key, "`beta1` and `beta2`");
    if (!betas) return;
    if (betas->kind() != Json::Kind::Array || betas->items().size() != 2) values_.refuse_type(key, "a list of two");
    choose(key, "beta1", shortest_decimal(values_.real_of(key, betas->items()[0])));
    choose(key, "beta2", shortest_decimal(values_.real_of(key, betas->items()[1])));
  }

  void take_schedule() {
    const std::string type = values_.word("scheduler.type");
    const std::string params = "scheduler.params.";
    if (type.empty()) return;
    if (type != "warmuplr" && type != "warmupdecaylr") {
      values_.refuse("scheduler.type '" + type + "' is not supported",
                     "use WarmupDecayLR or WarmupLR, or leave it out and give `schedule`");
    }
    choose("scheduler.type", "schedule", type == "warmuplr" ? "constant" : "linear");
    take_rate(params + "warmup_max_lr");
    if (const auto least = values_.real(params + "warmup_min_lr", "learning-rate"); least && *least != 0) {
      values_.notes.push_back(params + "warmup_min_lr: rates begin at 0 here");
    }
    const Number total = values_.whole(params + "total_num_steps", "max-steps");
    if (total) choose(params + "total_num_steps", "max-steps", std::to_string(*total));
    const Number warmup = values_.whole(params + "warmup_num_steps", "warmup");
    if (!warmup) return;
    const std::int64_t steps = total.value_or(max_steps_);
    if (steps < 1 || *warmup > steps) {
      values_.refuse(params + "warmup_num_steps " + std::to_string(*warmup) + " are more than all " +
                         std::to_string(steps) + " steps",
                     "give `max_steps`");
    }
    choose(params + "warmup_num_steps", "warmup",
           shortest_decimal(static_cast<double>(*warmup) / static_cast<double>(steps)));
    if (const std::string form = values_.word(params + "warmup_type"); form != "linear") {
      values_.notes.push_back(params + "warmup_type: rates rise linearly here, not by DeepSpeed's logarithm");
    }
  }

  void take_precision() {
    const bool bf16 = values_.flag("bf16.enabled", "precision");
    const bool fp16 = values_.flag("fp16.enabled", "precision");
    if (bf16 && fp16) values_.refuse("bf16 and fp16 are both enabled", "enable one");
    if (bf16) choose("bf16.enabled", "precision", "bf16");
    if (!fp16) return;
    choose("fp16.enabled", "precision", "bf16");
    values_.notes.emplace_back("fp16: bf16 is used instead; it needs no loss scale");
  }

  void take_zero() {
    if (const Number stage = values_.whole("zero_optimization.stage", "zero")) {
      if (*stage < 0 || *stage > 2) {
        values_.refuse("zero_optimization.stage " + std::to_string(*stage) + " is not supported", "give 0, 1 or 2");
      }
      choose("zero_optimization.stage", "zero", std::to_string(*stage));
    }
    const std::string key = "zero_optimization.reduce_bucket_size";
    if (const Number values = values_.whole(key, "bucket-mb")) {
      const std::int64_t mib = (*values * 4 + (1 << 20) - 1) >> 20;
      choose(key, "bucket-mb", std::to_string(std::clamp<std::int64_t>(mib, 1, 4096)));
    }
  }

  Values values_;
  std::int64_t processes_, max_steps_;
  std::optional<double> rate_;
  std::vector<DeepspeedChoice> choices_;
};

}  // namespace

DeepspeedChoices read_deepspeed_config(const std::filesystem::path& path, std::uint64_t processes,
                                       std::int64_t max_steps) {
  return Reading(path, processes, max_steps).all();
}

}  // namespace bertprep
