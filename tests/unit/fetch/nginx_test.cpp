// Against a real server: plain and TLS, ranges, redirects, its own refusals.
#include "bertprep/base/error.h"
#include "unit/fetch/fetch_fixture.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

class NginxTest : public FetchTest {
 protected:
  void SetUp() override {
    if (!Nginx::is_installed()) GTEST_SKIP() << "skipped: nginx is not installed (scripts/install-deps.sh --tests)";
  }
  void TearDown() override { ::unsetenv("CURL_CA_BUNDLE"); }
  DownloadTask from(const std::string& url, bool with_digest = true) const {
    DownloadTask task = this->task({}, with_digest);
    task.urls = {url};
    return task;
  }
};

TEST_F(NginxTest, ContinuesByRangeAfterABreak) {
  const Nginx nginx(folder_ / "files", folder_ / "nginx", "200k");
  progress_.cancel_after = 50'000;
  EXPECT_THROW(download(from(nginx.url() + "/file.bin", false)), Cancelled);
  progress_.cancel_after = 0;
  download(from(nginx.url() + "/file.bin", false));
  expect_whole();
  EXPECT_THAT(nginx.requests(), HasSubstr("\" 206 "));
  EXPECT_THAT(nginx.requests(), HasSubstr("bertprep/"));
}

TEST_F(NginxTest, AFileThatWasReplacedMeanwhileBeginsAnew) {
  const Nginx nginx(folder_ / "files", folder_ / "nginx", "200k");
  progress_.cancel_after = 50'000;
  EXPECT_THROW(download(from(nginx.url() + "/file.bin", false)), Cancelled);
  progress_.cancel_after = 0;
  content_ = test_bytes(300'000, 7);
  folder_.write("files/file.bin", content_);
  download(from(nginx.url() + "/file.bin", false));
  expect_whole();
  EXPECT_THAT(progress_.notes, HasSubstr("has changed on the server"));
}

TEST_F(NginxTest, CertificatesAreChecked) {
  const Nginx nginx(folder_ / "files", folder_ / "nginx");
  const std::string url = nginx.tls_url() + "/file.bin";
  EXPECT_THAT(error_of<IoError>([&] { download(from(url)); }), HasSubstr("ertificate"));
  ::setenv("CURL_CA_BUNDLE", nginx.certificate().c_str(), 1);
  download(from(url));
  expect_whole();
  ::unsetenv("CURL_CA_BUNDLE");
  fs::remove(target());
  fs::remove(folder_ / "state/file.bin.fetched.json");
  options_.verify_certificates = false;
  download(from(url));
  expect_whole();
}

TEST_F(NginxTest, FollowsRedirectsButNotForEver) {
  const Nginx nginx(folder_ / "files", folder_ / "nginx");
  download(from(nginx.url() + "/moved/file.bin"));
  expect_whole();
  fs::remove(target());
  fs::remove(folder_ / "state/file.bin.fetched.json");
  EXPECT_THAT(error_of<IoError>([&] { download(from(nginx.url() + "/loop/file.bin")); }), HasSubstr("redirects"));
}

TEST_F(NginxTest, SaysNoInItsOwnWay) {
  const Nginx nginx(folder_ / "files", folder_ / "nginx");
  EXPECT_THAT(error_of<IoError>([&] { download(from(nginx.url() + "/absent")); }), HasSubstr("404 Not Found"));
  EXPECT_THAT(error_of<IoError>([&] { download(from(nginx.url() + "/forbidden/x")); }), HasSubstr("403 Forbidden"));
}

}  // namespace
}  // namespace bertprep::test
