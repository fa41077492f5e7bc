// Trains a small model on shards through bertprep::trainer: train_tiny FOLDER STEPS prints the loss of each step on a
// line.
#include <bertprep/trainer/train.h>

#include <iostream>
#include <string>

class Losses final : public bertprep::TrainObserver {
 public:
  void stepped(const bertprep::StepReport& report) override { std::cout << report.loss << '\n'; }
};

int main(int, char** argv) {
  bertprep::TrainOptions options;
  options.data.data = argv[1];
  options.data.batch_size = 8;
  options.optimizer.optimizer = bertprep::OptimizerKind::kAdamw;
  options.schedule.learning_rate = 0.01;
  options.model.model = "tiny";
  options.run.max_steps = std::stoi(argv[2]);
  options.run.log_every = 1;
  Losses losses;
  bertprep::train(options, losses);
}
