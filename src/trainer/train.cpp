#include "bertprep/trainer/train.h"

namespace bertprep {

void TrainObserver::sized(const TrainSize&) {}
void TrainObserver::planned(const TrainPlan&) {}
void TrainObserver::stepped(const StepReport&) {}
void TrainObserver::evaluated(const EvalReport&) {}
void TrainObserver::saved(const std::filesystem::path&) {}

}  // namespace bertprep
