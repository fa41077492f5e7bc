#include "trainer/program/training_console.h"

#include <cstdio>

#include "base/number_text.h"
#include "console/json_event.h"

namespace bertprep::cli {
namespace {

// A smaller share of the time does not slow a run noticeably.
constexpr double kWorthSaying = 0.05;

std::string percent(double share) {
  return decimal(100 * share, 1) + "%";
}

std::string rate_text(double rate) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", rate);
  return text;
}

// The common part of StepReport and EvalReport.
template <class Report>
std::string loss_text(const Report& report, ModelKind kind) {
  const std::string text = "  loss " + decimal(report.loss, 4);
  if (kind == ModelKind::kGpt2) return text + "  next " + percent(report.mlm_accuracy);
  return text + "  mlm " + percent(report.mlm_accuracy) + "  nsp " + percent(report.nsp_accuracy);
}

template <class Report>
void add_losses(const Report& report, ModelKind kind, JsonEvent& event) {
  event.number("step", static_cast<std::uint64_t>(report.step)).real("loss", report.loss);
  if (kind == ModelKind::kGpt2) {
    event.real("accuracy", report.mlm_accuracy);
  } else {
    event.real("mlm_accuracy", report.mlm_accuracy).real("nsp_accuracy", report.nsp_accuracy);
  }
}

std::string step_line(const StepReport& report, ModelKind kind, std::uint64_t processes) {
  std::string line = "step " + std::to_string(report.step) + " of " + std::to_string(report.max_steps);
  line += loss_text(report, kind) + "  lr " + rate_text(report.learning_rate) + "  norm " +
          decimal(report.gradient_norm, 2) + "  " + decimal(report.rows_per_second, 1) + " sequences/s";
  if (report.waiting_share >= kWorthSaying) line += "  " + percent(report.waiting_share) + " waiting for data";
  if (processes > 1) line += "  " + percent(report.communication_share) + " communication";
  if (report.step < report.max_steps) line += "  " + duration_text(report.seconds_left) + " left";
  return line;
}

std::string processes_text(const TrainPlan& plan) {
  return plan.processes == 1 ? "" : std::to_string(plan.processes) + " processes of ";
}

}  // namespace

void TrainingConsole::expect(std::span<const ExpectedSpan> spans) {
  console_.expect(spans);
}

void TrainingConsole::begin(std::string_view stage, std::uint64_t total, std::string_view unit) {
  console_.begin(stage, total, unit);
}

void TrainingConsole::advance(std::uint64_t amount) {
  console_.advance(amount);
}

void TrainingConsole::note(std::string_view text) {
  console_.note(text);
}

void TrainingConsole::end() {
  console_.end();
}

bool TrainingConsole::cancelled() const {
  return console_.cancelled();
}

void TrainingConsole::sized(const TrainSize& size) {
  const ModelConfig& model = size.model;
  console_.say("model: " + counted(static_cast<std::uint64_t>(model.layers), "layer") + " of " +
               std::to_string(model.hidden_size) + ", " + grouped(model.parameters()) + " parameters, vocabulary " +
               grouped(static_cast<std::uint64_t>(model.vocab_size)) + "; " + bytes_text(size.state_bytes) +
               " of weights, gradients and moments per process");
}

void TrainingConsole::planned(const TrainPlan& plan) {
  processes_ = plan.processes;
  kind_ = plan.model.kind;
  console_.say("data: " + counted(plan.shards, "shard") + ", " + grouped(plan.rows) + " rows of " +
               std::to_string(plan.seq_len) + " tokens; " + processes_text(plan) +
               counted(static_cast<std::uint64_t>(plan.threads), "thread"));
  if (plan.rounds_to_bf16) {
    console_.say("bf16 is no faster than f32 on this processor: values are rounded to bf16 and multiplied as f32");
  }
  for (const std::string& reason : plan.damaged_checkpoints) console_.say("skipped: " + reason);
  if (!plan.resumed_from.empty()) {
    console_.say((plan.first_step > 0 ? "resumes from " : "starts from ") + plan.resumed_from.string());
  }
}

void TrainingConsole::stepped(const StepReport& report) {
  if (console_.options().json) {
    JsonEvent event("step");
    add_losses(report, kind_, event);
    event.real("learning_rate", report.learning_rate)
        .real("gradient_norm", report.gradient_norm)
        .real("sequences_per_second", report.rows_per_second)
        .real("waiting_share", report.waiting_share)
        .real("communication_share", report.communication_share)
        .print();
  }
  console_.say(step_line(report, kind_, processes_));
}

void TrainingConsole::evaluated(const EvalReport& report) {
  if (console_.options().json) {
    JsonEvent event("evaluation");
    add_losses(report, kind_, event);
    event.print();
  }
  console_.say("test rows" + loss_text(report, kind_) + "  " + counted(report.rows, "row"));
}

void TrainingConsole::saved(const std::filesystem::path& checkpoint) {
  if (console_.options().json) JsonEvent("checkpoint").text("path", checkpoint.string()).print();
  console_.say("saved " + checkpoint.string());
}

void TrainingConsole::finished(const TrainReport& report) {
  if (report.steps == 0) {
    console_.say("nothing to do, all steps are done");
    return;
  }
  console_.say(counted(static_cast<std::uint64_t>(report.steps), "step") + " in " + duration_text(report.seconds) +
               ", " + percent(report.waiting_share) + " of it waiting for data" +
               (processes_ == 1 ? "" : ", " + percent(report.communication_share) + " for the other processes"));
}

}  // namespace bertprep::cli
