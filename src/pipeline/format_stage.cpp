// Formatting: documents -> one article a line.
#include <algorithm>

#include "bertprep/io/strip.h"
#include "bertprep/io/utf8.h"
#include "bertprep/pipeline/stages.h"
#include "io/input_file.h"
#include "io/output_file.h"
#include "io/sha256.h"
#include "pipeline/input_digest.h"
#include "pipeline/output_folder.h"
#include "pipeline/recipe.h"
#include "pipeline/reject_file.h"
#include "pipeline/stage_clock.h"
#include "pipeline/text_lines.h"

namespace bertprep {
namespace {

constexpr const char* kStage = "format";
constexpr const char* kStageVersion = "1";

// The article as a line: line breaks become blanks. Text without any stays as it is, CR included.
void append_article_line(std::string_view text, std::string& out) {
  if (text.find('\n') == std::string_view::npos) {
    out += strip_end(text);
  } else {
    const std::size_t begin = out.size();
    for_each_text_line(text, [&](std::string_view line) {
      const std::string_view words = strip(line);
      if (words.empty()) return;
      if (out.size() != begin) out += ' ';
      out += words;
    });
  }
  out += '\n';
}

// The article as a sentence a line and an empty line.
void append_sentence_lines(std::string_view text, std::string& out) {
  for_each_text_line(text, [&](std::string_view line) {
    const std::string_view sentence = strip(line);
    if (sentence.empty()) return;
    out += sentence;
    out += '\n';
  });
  out += '\n';
}

class ArticleWriter {
 public:
  ArticleWriter(const std::filesystem::path& path, bool keep_lines) : file_(path), keep_lines_(keep_lines) {}

  void write(const Document& document) {
    ++documents_;
    require_valid_utf8(document.text, "document " + std::to_string(documents_) +
                                          (document.title.empty() ? "" : " ('" + document.title + "')"));
    if (strip(document.text).empty()) {
      ++blank_;
      return;
    }
    line_.clear();
    if (keep_lines_) {
      append_sentence_lines(document.text, line_);
    } else {
      append_article_line(document.text, line_);
    }
    file_.write(line_);
    ++articles_;
  }

  void finish() { file_.finish(); }
  std::uint64_t articles() const { return articles_; }
  std::uint64_t blank() const { return blank_; }
  std::uint64_t bytes() const { return file_.size_bytes(); }

 private:
  OutputFile file_;
  bool keep_lines_;
  std::string line_;
  std::uint64_t documents_ = 0;
  std::uint64_t articles_ = 0;
  std::uint64_t blank_ = 0;
};

// Reads `source` to its end into `pending`.
void write_articles(DocumentSource& source, const PendingFile& pending, bool keep_lines, Progress& progress,
                    StageReport& report) {
  ArticleWriter writer(pending.path(), keep_lines);
  Document document;
  while (source.next(document)) {
    if (progress.cancelled()) throw Cancelled();
    progress.advance(document.text.size());
    report.bytes_in += document.text.size();
    writer.write(document);
  }
  writer.finish();
  report.articles = writer.articles();
  report.bytes_out = writer.bytes();
  report.tasks_made = 1;
  if (writer.blank() != 0) {
    progress.note(std::to_string(writer.blank()) + " documents without text were left out");
  }
  if (report.articles == 0) {
    throw FormatError("no article was found", pending.final_path().filename().string(),
                      "check the input and its --format");
  }
}

StageReport found_report(const CompletionRecord& record) {
  StageReport report{.stage = kStage};
  report.tasks_found = 1;
  report.articles = record.counts.at("articles").as_unsigned();
  report.rejected = record.counts.at("rejected").as_unsigned();
  report.bytes_out = record.outputs.front().size_bytes;
  return report;
}

}  // namespace

StageReport format_articles(const FormatTask& task, const WorkOptions& work, Progress& progress) {
  const StageClock clock;
  validate(task.source);
  const OutputFolder folder(task.file.parent_path().empty() ? "." : task.file.parent_path());
  const std::string name = task.file.filename().string();
  const InputDigest inputs = digest_inputs(task.inputs, task.source);

  progress.begin(kStage, inputs.bytes, "bytes");
  Recipe recipe(kStage, kStageVersion);
  recipe.add_options(task.source).add("keep-lines", task.keep_lines ? "true" : "false");
  const std::string key = recipe.key(inputs.sha256);
  const auto earlier = work.force ? std::nullopt : folder.finished(name, key);
  // With `strict` the bad records of an earlier call are an error now.
  if (earlier && !(task.source.strict && earlier->counts.at("rejected").as_unsigned() != 0)) {
    folder.tidy();
    StageReport report = found_report(*earlier);
    report.seconds = clock.seconds();
    progress.end();
    return report;
  }

  StageReport report{.stage = kStage};
  RejectFile rejects(folder, name + ".rejects.jsonl", progress);
  const auto source = open_source(task.inputs, task.source,
                                  [&](const std::string& where, const std::string& reason, std::string_view record) {
                                    rejects.add(where, reason, record);
                                  });
  PendingFile pending = folder.begin(name);
  write_articles(*source, pending, task.keep_lines, progress, report);
  rejects.finish();
  report.rejected = rejects.count();

  CompletionRecord record{.key = key, .outputs = {OutputFolder::describe(pending)}, .recipe = recipe.json()};
  record.counts.add("articles", Json::number(report.articles)).add("rejected", Json::number(report.rejected));
  folder.remove_record(name);
  pending.publish();
  folder.write_record(name, record);
  folder.tidy();
  report.seconds = clock.seconds();
  progress.end();
  return report;
}

StageReport format_articles(DocumentSource& source, const std::filesystem::path& file, bool keep_lines,
                            Progress& progress) {
  const StageClock clock;
  const OutputFolder folder(file.parent_path().empty() ? "." : file.parent_path());
  folder.remove_record(file.filename().string());
  progress.begin(kStage, 0, "bytes");
  StageReport report{.stage = kStage};
  PendingFile pending = folder.begin(file.filename().string());
  write_articles(source, pending, keep_lines, progress, report);
  pending.publish();
  folder.tidy();
  report.seconds = clock.seconds();
  progress.end();
  return report;
}

}  // namespace bertprep
