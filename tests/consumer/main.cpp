#include <bertprep/bertprep.h>

#include <fstream>
#include <iostream>

// Your own corpus: every line of tickets.txt is a document.
class Tickets final : public bertprep::DocumentSource {
 public:
  bool next(bertprep::Document& document) override { return bool(std::getline(file_, document.text)); }

 private:
  std::ifstream file_{"tickets.txt"};
};

int main() try {
  Tickets tickets;
  bertprep::PipelineOptions options;
  options.corpus.name = "tickets";
  options.vocabulary = "sample-uncased";
  options.sharding = {.train_shards = 2, .test_shards = 1};
  std::cout << bertprep::build(tickets, {.output = "dataset"}, options).rows << " rows\n";
} catch (const bertprep::Error& error) {  // what, where and what to do
  std::cerr << error.what() << '\n';
  return 1;
}
