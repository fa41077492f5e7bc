// RecordSource: the documents of a text that is cut into records, which are read later, by deferred work.
#pragma once

#include <tuple>

#include "base/task_runner.h"
#include "source/input/article_limit.h"
#include "source/input/input_texts.h"

namespace bertprep {

// What the readers of one corpus share.
struct CorpusReading {
  std::shared_ptr<Rejects> rejects;
  ArticleLimit limit;
  TaskRunner runner{};
};

// RecordCutter: cuts a text into records, one by one. Of one that is too long, only the beginning is kept: memory is
// that of the longest record.
class RecordCutter {
 public:
  virtual ~RecordCutter() = default;

  // Overwrites `record` with the next one; false at the end. Throws FormatError if the text can't be cut any further.
  // Passes on the stream's exceptions.
  virtual bool next(std::string& record) = 0;

  // Remarks since the last call, on records that are not documents.
  virtual std::vector<RecordRemark> take_remarks() { return {}; }

  // Where the last record begins.
  std::uint64_t line() const { return record_line_; }  // from 1
  std::uint64_t byte() const { return record_byte_; }  // from 0, decompressed
  std::string place() const { return name_ + ":" + std::to_string(record_line_); }
  std::uint64_t record_bytes() const { return record_bytes_; }
  bool is_truncated() const { return record_bytes_ > max_bytes_; }

 protected:
  static constexpr std::size_t kKeptBytes = std::size_t{1} << 16;  // of an overlong record, to identify it

  // Of a record of more than `max_bytes` the first kKeptBytes are kept, and the rest is skipped.
  RecordCutter(std::string name, std::uint64_t max_bytes) : name_(std::move(name)), max_bytes_(max_bytes) {}

  const std::string& name() const { return name_; }  // of the text
  std::uint64_t max_bytes() const { return max_bytes_; }
  // Empties `record`, which begins here.
  void begin_record(std::uint64_t line, std::uint64_t byte, std::string& record);
  void add_to_record(std::string_view part, std::string& record);
  // Sets the length of a record, of which the caller keeps the beginning.
  void set_record_bytes(std::uint64_t bytes) { record_bytes_ = bytes; }

 private:
  std::string name_;
  std::uint64_t max_bytes_;
  std::uint64_t record_line_ = 0;
  std::uint64_t record_byte_ = 0;
  std::uint64_t record_bytes_ = 0;
};

class RecordSource final : public DeferredSource {
 public:
  // Documents are raw records with the place where they begin, for `deferred`.
  RecordSource(std::unique_ptr<RecordCutter> records, std::shared_ptr<const DeferredWork> deferred, ArticleLimit limit)
      : records_(std::move(records)), deferred_(std::move(deferred)), limit_(limit) {}

  // Throws as the cutter does.
  bool read(SourceDocument& document) override;
  std::vector<RecordRemark> take_remarks() override { return records_->take_remarks(); }

 private:
  std::unique_ptr<RecordCutter> records_;
  std::shared_ptr<const DeferredWork> deferred_;
  ArticleLimit limit_;
};

// RecordWorker: finishes documents whose text is a record.
class RecordWorker : public DeferredWork::Worker {
 public:
  std::optional<Rejection> finish(SourceDocument& document) override;

 protected:
  // Makes the document, whose text is empty, of the record, or says why it is rejected.
  virtual std::optional<std::string> read(const std::string& record, SourceDocument& document) = 0;

  // Why a record that is not UTF-8 is rejected.
  static std::optional<std::string> fault_of_utf8(std::string_view record, const SourceDocument& document);

 private:
  std::string record_;
};

// The work of workers that are made of copies of `arguments`.
template <class MadeWorker, class... Arguments>
std::shared_ptr<const DeferredWork> deferred_to(Arguments... arguments) {
  class Work final : public DeferredWork {
   public:
    explicit Work(Arguments... arguments) : arguments_(std::move(arguments)...) {}
    std::unique_ptr<Worker> make_worker() const override {
      return std::apply([](const auto&... each) { return std::make_unique<MadeWorker>(each...); }, arguments_);
    }

   private:
    std::tuple<Arguments...> arguments_;
  };
  return std::make_shared<Work>(std::move(arguments)...);
}

}  // namespace bertprep
