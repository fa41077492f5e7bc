#include "trainer/run_reports.h"

#include <algorithm>

namespace bertprep {
namespace {

double since(std::chrono::steady_clock::time_point time) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - time).count();
}

}  // namespace

RunReports::RunReports(const RunOptions& options, TrainObserver& observer)
    : observer_(observer), first_logged_step_(options.phase1_end_step) {
  if (!options.log_json.empty())
    log_.emplace(options.log_json, options.log_format == LogFormat::kDllogger ? "DLLL " : "");
  if (!options.tensorboard.empty()) events_.emplace(options.tensorboard);
}

double RunReports::seconds() const {
  return since(start_);
}

void RunReports::planned(const TrainPlan& plan) {
  observer_.planned(plan);
  kind_ = plan.model.kind;
  if (log_) {
    log_->write_texts(-1, {{"model", plan.model.to_json()}, {"resumed_from", plan.resumed_from.string()}});
    log_->write(-1, {{"shards", static_cast<double>(plan.shards)},
                     {"rows", static_cast<double>(plan.rows)},
                     {"seq_len", static_cast<double>(plan.seq_len)},
                     {"parameters", static_cast<double>(plan.model.parameters())},
                     {"processes", static_cast<double>(plan.processes)},
                     {"first_step", static_cast<double>(plan.first_step)}});
  }
  start_ = last_time_ = Clock::now();
  last_step_ = plan.first_step;
}

void RunReports::stepped(StepReport report, const Totals& totals) {
  const double seconds = std::max(1e-9, since(last_time_));
  report.rows_per_second = static_cast<double>(totals.rows - last_totals_.rows) / seconds;
  report.waiting_share = (totals.waited_seconds - last_totals_.waited_seconds) / seconds;
  report.communication_share = (totals.communicated_seconds - last_totals_.communicated_seconds) / seconds;
  const double per_step = seconds / static_cast<double>(std::max<std::int64_t>(1, report.step - last_step_));
  // The first steps are slow, so their weight decreases quickly.
  const double weight = std::max(0.1, 1.0 / static_cast<double>(std::max(1, reports_)));
  seconds_per_step_ += weight * (per_step - seconds_per_step_);
  ++reports_;
  report.seconds_left = seconds_per_step_ * static_cast<double>(report.max_steps - report.step);
  last_time_ = Clock::now();
  last_totals_ = totals;
  last_step_ = report.step;
  last_ = report;
  observer_.stepped(report);
  LogValues values = losses("", report);
  values.insert(values.end(), {{"learning_rate", report.learning_rate},
                               {"gradient_norm", report.gradient_norm},
                               {"sequences_per_second", report.rows_per_second},
                               {"waiting_share", report.waiting_share},
                               {"communication_share", report.communication_share},
                               {"epoch", report.epoch}});
  write(report.step, values);
}

void RunReports::evaluated(const EvalReport& report) {
  observer_.evaluated(report);
  LogValues values = losses("eval_", report);
  values.emplace_back("eval_rows", static_cast<double>(report.rows));
  write(report.step, values);
}

template <class Report>
LogValues RunReports::losses(const std::string& prefix, const Report& report) const {
  if (kind_ == ModelKind::kGpt2) {
    return {{prefix + "loss", report.loss}, {prefix + "accuracy", report.mlm_accuracy}};
  }
  return {{prefix + "loss", report.loss},
          {prefix + "mlm_loss", report.mlm_loss},
          {prefix + "nsp_loss", report.nsp_loss},
          {prefix + "mlm_accuracy", report.mlm_accuracy},
          {prefix + "nsp_accuracy", report.nsp_accuracy}};
}

void RunReports::saved(std::int64_t step, const std::filesystem::path& checkpoint) {
  observer_.saved(checkpoint);
  if (log_) log_->write_texts(first_logged_step_ + step, {{"checkpoint", checkpoint.string()}});
}

void RunReports::write(std::int64_t step, const LogValues& values) {
  if (log_) log_->write(first_logged_step_ + step, values);
  if (events_) events_->write(first_logged_step_ + step, values);
}

void TrainObserver::sized(const TrainSize&) {}
void TrainObserver::planned(const TrainPlan&) {}
void TrainObserver::stepped(const StepReport&) {}
void TrainObserver::evaluated(const EvalReport&) {}
void TrainObserver::saved(const std::filesystem::path&) {}

}  // namespace bertprep
