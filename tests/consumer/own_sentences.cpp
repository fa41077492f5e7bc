// Makes shards with a custom sentence splitter, and prints how many sentences it found.
#include <bertprep/bertprep.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "semicolons.inc"

// Three articles of two sentences each.
class Lists final : public bertprep::DocumentSource {
 public:
  bool next(bertprep::Document& document) override {
    document.text = "the door of room " + std::to_string(count_) + " is open; the window is not";
    return count_++ < 3;
  }

 private:
  int count_ = 0;
};

int main() {
  Lists lists;
  bertprep::PipelineOptions options;
  options.corpus.name = "lists";
  options.vocabulary = "sample-uncased";
  options.sharding = {.train_shards = 2, .test_shards = 1};
  options.sentences.custom = std::make_shared<Semicolons>();
  const bertprep::BuildReport report = bertprep::build(lists, {.output = "lists_dataset"}, options);
  std::cout << report.stages.front().sentences << " sentences\n";
}
