// Every fault that a server can have.
#include <sys/resource.h>

#include <csignal>

#include "bertprep/base/error.h"
#include "fetch/fetched_record.h"
#include "support/private_mount.h"
#include "unit/fetch/fetch_fixture.h"

namespace bertprep::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
namespace fs = std::filesystem;

using DownloadTest = FetchTest;

TEST_F(DownloadTest, PlainFileWithItsDigests) {
  DownloadTask task = this->task({"plain"});
  task.facts.size_bytes = content_.size();
  task.facts.md5 = digest_of(DigestKind::kMd5, content_);
  task.facts.sha1 = digest_of(DigestKind::kSha1, content_);
  download(task);
  expect_whole();
  EXPECT_EQ(progress_.totals, std::vector<std::uint64_t>{content_.size()});
  EXPECT_EQ(progress_.bytes, content_.size());
  EXPECT_EQ(progress_.notes, "");
}

TEST_F(DownloadTest, SaysWhoItIs) {
  options_.contact = "ops@example.org";
  download(task({"plain"}));
  ASSERT_THAT(requests(), SizeIs(1));
  EXPECT_THAT(requests().front(), HasSubstr("bertprep/"));
  EXPECT_THAT(requests().front(), HasSubstr("ops@example.org"));
}

TEST_F(DownloadTest, ContinuesWhenEveryConnectionBreaks) {
  policy_.retries = 1;  // of tries without progress; five have progress
  download(task({"cut"}));
  expect_whole();
  EXPECT_EQ(progress_.bytes, content_.size());
  EXPECT_THAT(requests(), SizeIs(5));
  EXPECT_THAT(requests().back(), HasSubstr("bytes=400000-"));
}

TEST_F(DownloadTest, WithoutDigestItContinuesByTheETag) {
  download(task({"cut"}, false));
  expect_whole();
  EXPECT_THAT(requests().back(), HasSubstr("\"if_range\": \"\\\""));
  EXPECT_THAT(progress_.notes, HasSubstr("unchecked"));
}

// No rest can be asked for, so what a try brought is thrown away by the next one.
TEST_F(DownloadTest, ATryThatLeavesNothingMoreIsNoProgress) {
  policy_.retries = 2;
  for (const char* fault : {"weak", "bare"}) {
    const std::size_t before = requests().size();
    const std::string error = error_of<IoError>([&] { download(task({fault}, false)); });
    EXPECT_THAT(error, HasSubstr("file.bin: could not be fetched")) << fault;
    EXPECT_EQ(requests().size(), before + 3) << fault;
  }
}

TEST_F(DownloadTest, AnEncodingThatWasNotAskedForIsRefused) {
  EXPECT_THAT(error_of<FormatError>([this] { download(task({"gzip"}, false)); }),
              HasSubstr("sends it with Content-Encoding: gzip, which was not asked for"));
  EXPECT_FALSE(fs::exists(target()));
  EXPECT_THAT(requests().back(), HasSubstr("\"encoding\": \"identity\""));
  // What the bytes are is known.
  download(task({"gzip"}));
  expect_whole();
}

TEST_F(DownloadTest, TheEncodingOfACompressedFileIsItsOwn) {
  const std::string packed("\x1f\x8b\x08\x00 and so on", 14);
  folder_.write("files/a.gz", packed);
  download({folder_ / "out/a.gz", folder_ / "state", {server() + "/gzip/a.gz"}, {}, true});
  EXPECT_EQ(read_file_of(folder_ / "out/a.gz"), packed);
}

TEST_F(DownloadTest, BeginsAnewWhereRangesAreIgnored) {
  download(task({"norange"}));
  expect_whole();
  EXPECT_THAT(progress_.notes, HasSubstr("from the beginning"));
}

TEST_F(DownloadTest, AFileThatChangesHalfWayIsNotStitched) {
  content_[content_.size() / 2] = static_cast<char>(content_[content_.size() / 2] ^ 1);  // the changed file
  for (const char* fault : {"change", "liar"}) {
    progress_.notes.clear();
    download(task({fault}, false));
    expect_whole();
    EXPECT_THAT(progress_.notes, HasSubstr("has changed on the server")) << fault;
    fs::remove_all(folder_ / "state");
    fs::create_directories(folder_ / "state");
    fs::remove(target());
  }
}

TEST_F(DownloadTest, WithoutADigestTheRestMustNameItsFile) {
  content_[content_.size() / 2] = static_cast<char>(content_[content_.size() / 2] ^ 1);  // the changed file
  download(task({"unsure"}, false));
  expect_whole();
  EXPECT_THAT(progress_.notes, HasSubstr("does not say whether the rest belongs to the same file"));
  EXPECT_THAT(requests(), SizeIs(3));
  EXPECT_THAT(requests().back(), HasSubstr("\"range\": null"));
}

TEST_F(DownloadTest, AFileWithoutALengthGivesTheDiskBack) {
  const auto disk = PrivateMount::small_disk(folder_ / "state", 20 << 10U);
  if (disk == nullptr) GTEST_SKIP() << "skipped: this user may not mount";
  const auto free = fs::space(folder_ / "state").available;
  const std::string error = error_of<IoError>([&] { download(task({"endless"}, false)); });
  EXPECT_THAT(error,
              AllOf(HasSubstr("does not say how large it is"), HasSubstr(" left; the downloaded part is removed")));
  EXPECT_EQ(fs::space(folder_ / "state").available, free);
  EXPECT_TRUE(fs::is_empty(folder_ / "state"));
}

TEST_F(DownloadTest, AFileWithoutALengthStopsAtALimit) {
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{10U << 20U, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  const std::string error = error_of<IoError>([&] { download(task({"endless"}, false)); });
  EXPECT_THAT(error, AllOf(HasSubstr("does not say how large it is"), HasSubstr("File too large")));
  EXPECT_TRUE(fs::is_empty(folder_ / "state"));
  download(task({"endless", "plain"}, false));
  ::setrlimit(RLIMIT_FSIZE, &before);
  expect_whole();
}

TEST_F(DownloadTest, AStitchedFileWithAWrongDigestIsFetchedOnceMore) {
  download(task({"stitch"}));
  expect_whole();
  EXPECT_THAT(progress_.notes, HasSubstr("downloaded again from the beginning"));
}

TEST_F(DownloadTest, AClosedConnectionIsNoEndWhenTheSizeIsKnown) {
  DownloadTask task = this->task({"close"}, false);
  task.facts.size_bytes = content_.size();
  download(task);
  expect_whole();
}

TEST_F(DownloadTest, AWrongDigestTriesTheNextMirror) {
  download(task({"wrong", "plain"}));
  expect_whole();
}

TEST_F(DownloadTest, AWrongDigestEverywhereIsAnError) {
  const std::string error = error_of<FormatError>([this] { download(task({"wrong", "S404"})); });
  EXPECT_THAT(error, HasSubstr("/wrong/file.bin: has the sha256 "));
  EXPECT_THAT(error, HasSubstr("/S404/file.bin: 404 Not Found"));
  EXPECT_FALSE(fs::exists(target()));
}

TEST_F(DownloadTest, AWrongSizeIsSeenBeforeTheFirstByte) {
  DownloadTask task = this->task({"plain"});
  task.facts.size_bytes = content_.size() + 1;
  const std::string error = error_of<FormatError>([&] { download(task); });
  EXPECT_THAT(error, HasSubstr("has 500,000 bytes instead of 500,001"));
  EXPECT_EQ(progress_.bytes, 0U);
}

TEST_F(DownloadTest, AnAnnouncedLengthThatNeverComesIsAnError) {
  error_of<IoError>([this] { download(task({"longer"}, false)); });
  EXPECT_FALSE(fs::exists(target()));
}

TEST_F(DownloadTest, RefusalsGoToTheNextMirrorAtOnce) {
  download(task({"S404", "S403", "S410", "plain"}));
  expect_whole();
  EXPECT_THAT(requests(), SizeIs(4));
}

// "trying again" would be wrong for an address that no longer has the file.
TEST_F(DownloadTest, ANoteNamesTheAddressThatComesNext) {
  download(task({"S404", "wrong", "flaky"}));
  expect_whole();
  const std::string file = "/file.bin";
  EXPECT_THAT(progress_.notes, HasSubstr(server() + "/S404" + file + ": 404 Not Found; trying " + server() + "/wrong" +
                                         file + " next\n"));
  EXPECT_THAT(progress_.notes, HasSubstr("; trying " + server() + "/flaky" + file + " next\n"));
  EXPECT_THAT(progress_.notes, HasSubstr(server() + "/flaky" + file + ": 503 Service Unavailable; trying it again\n"));
  EXPECT_THAT(progress_.notes, testing::Not(HasSubstr("trying again")));
}

TEST_F(DownloadTest, TheLastAddressIsNoneThatIsTriedAgain) {
  error_of<IoError>([this] { download(task({"S404"})); });
  EXPECT_EQ(progress_.notes, "");
}

TEST_F(DownloadTest, ABusyServerIsGivenTheTimeItAsksFor) {
  const auto begin = std::chrono::steady_clock::now();
  download(task({"busy"}));
  expect_whole();
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
  EXPECT_THAT(requests(), SizeIs(3));
}

TEST_F(DownloadTest, WhileOneMirrorIsBusyAnotherIsTaken) {
  download(task({"busy", "plain"}));
  expect_whole();
  EXPECT_THAT(requests(), SizeIs(2));
}

TEST_F(DownloadTest, AServerThatAsksForADayIsNotWaitedFor) {
  download(task({"later", "plain"}));
  expect_whole();
  const auto begin = std::chrono::steady_clock::now();
  fs::remove(target());
  fs::remove(folder_ / "state/file.bin.fetched.json");
  try {
    download(task({"later", "wrong"}));
    ADD_FAILURE() << "no error";
  } catch (const IoError& error) {
    EXPECT_TRUE(error.is_transient());
    EXPECT_THAT(error.what(), AllOf(HasSubstr("\n  busy: " + server() +
                                              "/later/file.bin: 429 Too Many Requests, and asks to wait for "),
                                    HasSubstr(" h (run the same command after that)")));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST_F(DownloadTest, FaultsOfTheServerAreTriedAgain) {
  download(task({"flaky"}));
  expect_whole();
}

TEST_F(DownloadTest, RetriesEnd) {
  policy_.retries = 2;
  const std::string error = error_of<IoError>([this] { download(task({"S503"})); });
  EXPECT_THAT(error, HasSubstr("503 Service Unavailable"));
  EXPECT_THAT(requests(), SizeIs(3));
}

TEST_F(DownloadTest, AStalledTransferIsBrokenOffAndGoneOnWith) {
  options_.stall_seconds = 1;
  const auto begin = std::chrono::steady_clock::now();
  download(task({"stall"}));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  EXPECT_THAT(progress_.notes, HasSubstr("no data for 1 s"));
  expect_whole();
  EXPECT_THAT(requests().back(), HasSubstr("bytes=250000-"));
}

TEST_F(DownloadTest, AServerThatNeverAnswersIsGivenUp) {
  options_.stall_seconds = 1;
  policy_.retries = 1;
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(error_of<IoError>([this] { download(task({"silent"})); }), HasSubstr("no data for 1 s"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(6));
}

TEST_F(DownloadTest, SlowIsNotStalled) {
  options_.stall_seconds = 1;
  content_.resize(60'000);
  folder_.write("files/file.bin", content_);
  download(task({"drip"}));
  expect_whole();
  EXPECT_THAT(requests(), SizeIs(1));
}

TEST_F(DownloadTest, RedirectsAreFollowed) {
  download(task({"to"}));
  expect_whole();
}

TEST_F(DownloadTest, APageInsteadOfAnArchiveIsNoArchive) {
  folder_.write("files/a.zip", "PK");
  DownloadTask task{folder_ / "out/a.zip", folder_ / "state", {server() + "/page/a.zip"}, {}, true};
  const std::string error = error_of<FormatError>([&] { download(task); });
  EXPECT_THAT(error, HasSubstr("is a page of HTML, such as servers show for a login or an error"));
}

// Neither a digest nor a size tells that these are not the file.
TEST_F(DownloadTest, APageOrNothingAtAllGoesToTheNextMirror) {
  folder_.write("files/vocab.txt", "[PAD]\n[UNK]\n");
  DownloadTask task{folder_ / "out/vocab.txt", folder_ / "state", {}, {}, true};
  for (const char* fault : {"page", "empty", "plain"}) task.urls.push_back(server() + "/" + fault + "/vocab.txt");
  download(task);
  EXPECT_EQ(read_file_of(task.target), "[PAD]\n[UNK]\n");
  EXPECT_THAT(progress_.notes, HasSubstr("/page/vocab.txt: is a page of HTML"));
  EXPECT_THAT(progress_.notes, HasSubstr("/empty/vocab.txt: is empty; trying "));
  task.urls.pop_back();
  fs::remove(task.target);
  fs::remove(folder_ / "state/vocab.txt.fetched.json");
  error_of<FormatError>([&] { download(task); });
  EXPECT_FALSE(fs::exists(task.target));
}

TEST_F(DownloadTest, ASizeBeyondTheDiskGoesToTheNextMirror) {
  download(task({"huge", "plain"}, false));
  expect_whole();
  EXPECT_THAT(progress_.notes, HasSubstr("/huge/file.bin: needs 1000000000 MB, but "));
}

TEST_F(DownloadTest, ReportsAnAbsentServerSoon) {
  DownloadTask task = this->task({});
  task.urls = {"http://127.0.0.1:1/a", "http://name.invalid/a", "gopher://127.0.0.1/a"};
  const std::string error = error_of<IoError>([&] { download(task); });
  EXPECT_THAT(error, HasSubstr("http://127.0.0.1:1/a: "));
  EXPECT_THAT(error, HasSubstr("http://name.invalid/a: "));
  EXPECT_THAT(error, HasSubstr("gopher://127.0.0.1/a: "));
  EXPECT_THAT(error, HasSubstr("`mirror`"));
}

TEST_F(DownloadTest, ACancelledDownloadContinuesLater) {
  progress_.cancel_after = 20'000;
  EXPECT_THROW(download(task({"drip"})), Cancelled);
  EXPECT_FALSE(fs::exists(target()));
  const std::uint64_t there = fs::file_size(folder_ / "state/file.bin.part");
  EXPECT_GT(there, 0U);
  progress_.cancel_after = 0;
  // Another mirror has the same file: its digest is known.
  download(task({"plain"}));
  expect_whole();
  EXPECT_THAT(requests().back(), HasSubstr("bytes=" + std::to_string(there) + "-"));
  EXPECT_EQ(progress_.bytes, content_.size());
}

TEST_F(DownloadTest, AnotherMirrorIsNotStitchedWithoutADigest) {
  progress_.cancel_after = 20'000;
  EXPECT_THROW(download(task({"drip"}, false)), Cancelled);
  progress_.cancel_after = 0;
  download(task({"plain"}, false));
  expect_whole();
  EXPECT_THAT(requests().back(), HasSubstr("\"range\": null"));
}

TEST_F(DownloadTest, AWholePartNeedsNoServer) {
  folder_.write("state/file.bin.part", content_);
  folder_.write("state/file.bin.part.json",
                R"({"url": "http://127.0.0.1:1/x", "etag": "", "last-modified": "", "size": 500000})");
  download(task({"S404"}));
  expect_whole();
  EXPECT_THAT(requests(), SizeIs(0));
}

TEST_F(DownloadTest, APartWithoutAStateOrOfAnotherFileIsOfNoUse) {
  folder_.write("state/file.bin.part", "something else");
  download(task({"plain"}));
  expect_whole();
  fs::remove(target());
  folder_.write("state/file.bin.part", "something else");
  folder_.write("state/file.bin.part.json", "{ damaged");
  fs::remove(folder_ / "state/file.bin.fetched.json");
  download(task({"plain"}));
  expect_whole();
}

TEST_F(DownloadTest, AnEmptyFile) {
  content_.clear();
  folder_.write("files/file.bin", "x");
  DownloadTask task{target(), folder_ / "state", {"file:///dev/null"}, {}, true};
  task.facts.sha256 = digest_of(DigestKind::kSha256, "");
  download(task);
  expect_whole();
}

TEST_F(DownloadTest, WhoHoldsThePartIsWaitedFor) {
  auto held = ResumableFile::try_open(folder_ / "state/file.bin.part");
  ASSERT_TRUE(held);
  EXPECT_FALSE(ResumableFile::try_open(folder_ / "state/file.bin.part"));
  struct OtherProcess final : RecordingProgress {
    void note(std::string_view text) override {
      RecordingProgress::note(text);
      finish();
    }
    std::function<void()> finish;
  } progress;
  progress.finish = [&] {
    held->append(content_);
    held->publish(target());
    save_record({{content_.size(), digest_of(DigestKind::kSha256, content_)}, "x"}, target(), folder_ / "state");
  };
  download_all({task({"plain"})}, options_, policy_, progress);
  EXPECT_EQ(progress.notes, "another process is downloading file.bin; waiting for it\n");
  EXPECT_EQ(progress.bytes, 0U);
  expect_whole();
}

TEST_F(DownloadTest, SeveralFilesKeepToTheConnectionsOfAHost) {
  std::vector<DownloadTask> tasks;
  for (int i = 0; i < 6; ++i) {
    const std::string name = "f" + std::to_string(i);
    const std::string bytes = test_bytes(20'000, static_cast<unsigned>(i + 2));
    folder_.write("files/" + name, bytes);
    tasks.push_back({folder_ / ("out/" + name), folder_ / "state", {server() + "/drip/" + name}, {}, false});
    tasks.back().facts = {20'000, digest_of(DigestKind::kSha256, bytes)};
  }
  options_.connections = 2;
  const auto begin = std::chrono::steady_clock::now();
  download_all(tasks, options_, policy_, progress_);
  // Half a second each; three rounds of two.
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(1400));
  EXPECT_EQ(progress_.totals, std::vector<std::uint64_t>{120'000});
  EXPECT_EQ(progress_.bytes, 120'000U);
}

TEST_F(DownloadTest, EachContinuesWithoutTheOnesThatFail) {
  std::vector<DownloadTask> tasks = {task({"S404"}), task({"plain"})};
  tasks[0].target = folder_ / "out/absent.bin";
  download_all(tasks, options_, policy_, progress_, true);
  EXPECT_TRUE(read_file_of(target()) == content_);
  ASSERT_THAT(progress_.skips, SizeIs(1));
  EXPECT_THAT(progress_.skips.front(), HasSubstr("404"));
}

}  // namespace
}  // namespace bertprep::test
