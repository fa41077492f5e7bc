// ShardWorkers: what a worker keeps from one text shard to the next, so that it goes on with a warm cache of words and
// with memory that it has touched before.
#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "bertprep/shard/schema.h"
#include "bertprep/shard/shard_writer.h"
#include "bertprep/token/tokenizer.h"
#include "bertprep/token/vocab.h"
#include "quality/text_counts.h"

namespace bertprep {

struct ShardWorker {
  Tokenizer tokenizer;
  TextCounter counter;
  Batch batch{};
  ShardBuffers buffers{};
};

class ShardWorkers {
 public:
  // All are kept by reference.
  ShardWorkers(const Vocab& vocab, const Tokenizer& tokenizer, const TokenizerOptions& options)
      : vocab_(vocab), tokenizer_(tokenizer), options_(options) {}

  // A worker for one task; it returns when the loan ends. Thread-safe.
  class Loan {
   public:
    explicit Loan(ShardWorkers& workers) : workers_(workers), worker_(workers.take()) {}
    ~Loan() { workers_.give_back(std::move(worker_)); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    ShardWorker& operator*() { return worker_; }

   private:
    ShardWorkers& workers_;
    ShardWorker worker_;
  };

 private:
  ShardWorker take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return {tokenizer_.clone(), TextCounter(vocab_, tokenizer_.clone(), options_)};
    ShardWorker worker = std::move(free_.back());
    free_.pop_back();
    return worker;
  }
  void give_back(ShardWorker worker) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(worker));
  }

  const Vocab& vocab_;
  const Tokenizer& tokenizer_;
  const TokenizerOptions& options_;
  std::mutex mutex_;
  std::vector<ShardWorker> free_;
};

}  // namespace bertprep
