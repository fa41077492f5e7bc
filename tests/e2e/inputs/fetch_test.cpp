// `fetch` and `vocab fetch` as a user runs them, against nginx.
#include <signal.h>

#include <chrono>
#include <sstream>
#include <thread>

#include "e2e/e2e_test.h"
#include "support/json_lines.h"
#include "support/server_process.h"

namespace bertprep::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

class FetchCommandTest : public E2eTest {
 protected:
  void SetUp() override {
    if (!Nginx::is_installed()) GTEST_SKIP() << "skipped: nginx is not installed (scripts/install-deps.sh --tests)";
    content_.assign(400'000, 'x');
    for (std::size_t i = 0; i < content_.size(); ++i) content_[i] = static_cast<char>('a' + i * i % 23);
    folder().write("files/data/text.txt", content_);
    catalogue_ = folder().write("c.json", R"({"datasets": [{"name": "mine", "format": "articles",
        "files": [{"url": "http://data.invalid/data/text.txt"}]}]})");
  }
  void serve(const std::string& rate = {}) {
    nginx_ = std::make_unique<Nginx>(folder() / "files", folder() / "nginx", rate);
  }
  Arguments fetch() const {
    return {"fetch", "mine", "--catalog", catalogue_, "--mirror", nginx_->url(), "--folder", path("dl")};
  }
  std::size_t count(const std::string& text, const std::string& word) const {
    std::size_t found = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
    return found;
  }

  std::string content_;
  std::string catalogue_;
  std::unique_ptr<Nginx> nginx_;
};

TEST_F(FetchCommandTest, PrintsTheFilesInTheirOrder) {
  serve();
  const Finished first = succeed(fetch());
  EXPECT_EQ(first.out, path("dl/mine/text.txt") + "\n");
  EXPECT_THAT(first.err, HasSubstr("unchecked"));
  EXPECT_TRUE(read_bytes(path("dl/mine/text.txt")) == content_);
  nginx_.reset();
  const Finished again = succeed({"fetch", "mine", "--catalog", catalogue_, "--folder", path("dl")});
  EXPECT_EQ(again.out, first.out);
  EXPECT_EQ(again.err, "");
}

TEST_F(FetchCommandTest, ServersThatCantBeReachedMayBeLater) {
  const Arguments nowhere{"fetch", "mine", "--catalog", catalogue_, "--retries", "1", "--folder", path("dl")};
  EXPECT_EQ(bertprep(nowhere).exit_status, 75);
  serve();
  fs::remove(path("files/data/text.txt"));
  EXPECT_EQ(bertprep(nowhere + Arguments{"--mirror", nginx_->url()}).exit_status, 75);  // the other one may
  folder().write("d.json", R"({"datasets": [{"name": "mine", "format": "articles",
      "files": [{"url": ")" + nginx_->url() +
                               R"(/data/text.txt"}]}]})");
  fail(1, {"fetch", "mine", "--catalog", path("d.json"), "--folder", path("dl")}, {"404"});
}

TEST_F(FetchCommandTest, EventsAreJson) {
  serve();
  std::istringstream lines(succeed(fetch() + Arguments{"--json"}).out);
  std::vector<std::string> events;
  JsonValue last;
  for (std::string line; std::getline(lines, line);) {
    last = parse_json(line);
    events.push_back(last.at("event").text);
  }
  EXPECT_THAT(events, ElementsAre("begin", "note", "end", "fetched"));
  EXPECT_EQ(last.at("file").text, path("dl/mine/text.txt"));
}

TEST_F(FetchCommandTest, ContinuesAfterKills) {
  serve("200k");
  for (const int signal : {SIGKILL, SIGINT, SIGKILL}) {
    RunOptions options;
    options.signal = signal;
    options.after = std::chrono::milliseconds(450);
    const Finished killed = bertprep(fetch(), options);
    EXPECT_EQ(killed.exit_status, signal == SIGINT ? 130 : -1) << killed.err;
    EXPECT_FALSE(fs::exists(path("dl/mine/text.txt")));
  }
  succeed(fetch());
  EXPECT_TRUE(read_bytes(path("dl/mine/text.txt")) == content_);
  EXPECT_EQ(count(nginx_->requests(), "\" 200 "), 1U) << nginx_->requests();
  EXPECT_EQ(count(nginx_->requests(), "\" 206 "), 3U) << nginx_->requests();
}

TEST_F(FetchCommandTest, TwoAtOnceDownloadOnce) {
  serve("200k");
  BackgroundProcess other(Arguments{BERTPREP_PROGRAM} + fetch(), path("other.log"));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const Finished waiting = succeed(fetch());
  EXPECT_THAT(waiting.err, HasSubstr("another process is downloading text.txt"));
  EXPECT_TRUE(read_bytes(path("dl/mine/text.txt")) == content_);
  EXPECT_EQ(count(nginx_->requests(), "GET "), 1U) << nginx_->requests();
}

TEST_F(FetchCommandTest, DefaultFolderIsThatOfTheWork) {
  serve();
  Arguments command = fetch();
  command.resize(command.size() - 2);
  const Finished finished =
      run_program(Arguments{BERTPREP_PROGRAM} + command, {.environment = {{"BERT_PREP_WORKING_DIR", path("work")}}});
  EXPECT_EQ(finished.out, path("work/download/mine/text.txt") + "\n") << finished.err;
}

TEST_F(FetchCommandTest, AFetchedVocabularyIsFoundByName) {
  const std::string vocab = read_bytes(source_folder() / "vocab/sample-uncased-vocab.txt");
  folder().write("files/v.txt", vocab);
  serve();
  const RunOptions here{.environment = {{"BERTPREP_VOCAB_DIR", path("vocabularies")}}};
  // The known digest is not that of the sample's vocabulary.
  fail(1, {"vocab", "fetch", "bert-large-uncased", "--from-file", path("files/v.txt")}, {"sha256"}, here);
  const fs::path golden = shared_folder() / "models/vocab/bert-large-uncased-vocab.txt";
  if (!fs::exists(golden)) GTEST_SKIP() << "skipped: no golden data";
  fs::create_directories(path("files/bert-large-uncased/resolve/main"));
  fs::copy_file(golden, path("files/bert-large-uncased/resolve/main/vocab.txt"));
  const Finished fetched = succeed({"vocab", "fetch", "bert-large-uncased", "--mirror", nginx_->url()}, here);
  EXPECT_EQ(fetched.out, path("vocabularies/bert-large-uncased-vocab.txt") + "\n");
  RunOptions tokenize = here;
  tokenize.input = "unaffable\n";
  EXPECT_EQ(succeed({"tokenize", "--vocab", "bert-large-uncased"}, tokenize).out, "una ##ffa ##ble\n");
}

TEST_F(FetchCommandTest, WrongUsage) {
  fail(2, {"fetch"}, {"no dataset"});
  fail(2, {"fetch", "wikitext-4"}, {"did you mean 'wikitext-2'"});
  fail(2, {"fetch", "wikitext-2", "--mirror", "localhost"}, {"--mirror"});
  fail(2, {"fetch", "wikitext-2", "wikitext-103", "--from-file", "x"}, {"--from-file"});
  fail(1, {"fetch", "mine", "--catalog", folder().write("bad.json", "{\"datasets\": [{}]}")}, {"bad.json", "'name'"});
}

}  // namespace
}  // namespace bertprep::test
