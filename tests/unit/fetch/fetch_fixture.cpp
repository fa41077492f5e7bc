#include "unit/fetch/fetch_fixture.h"

#include <fstream>
#include <random>
#include <sstream>

#include "support/run_program.h"

namespace bertprep::test {

namespace fs = std::filesystem;

std::string test_bytes(std::size_t size, unsigned seed) {
  std::minstd_rand random(seed);
  std::string bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>(random() >> 8U);
  return bytes;
}

void make_zip(const fs::path& zip, const std::vector<std::pair<std::string, std::string>>& members) {
  const TempFolder files;
  std::vector<std::string> command = {"/usr/bin/python3", "-c",
                                      "import sys,zipfile\n"
                                      "z=zipfile.ZipFile(sys.argv[1],'w',zipfile.ZIP_DEFLATED)\n"
                                      "for i in range(2,len(sys.argv),2): z.write(sys.argv[i],sys.argv[i+1])\n"
                                      "z.close()",
                                      zip};
  for (std::size_t i = 0; i < members.size(); ++i) {
    command.push_back(files.write(std::to_string(i), members[i].second));
    command.push_back(members[i].first);
  }
  const Finished finished = run_program(command);
  if (finished.exit_status != 0) throw std::runtime_error(finished.err);
}

std::string read_file_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

FetchTest::FetchTest() : content_(test_bytes()) {
  folder_.write("files/file.bin", content_);
  policy_.first_pause = std::chrono::milliseconds(5);
  policy_.longest_pause = std::chrono::milliseconds(50);
  policy_.retries = 4;
  options_.stall_seconds = 2;
  fs::create_directories(folder_ / "out");
  fs::create_directories(folder_ / "state");
}

std::string FetchTest::server() const {
  if (!server_) server_.emplace(folder_ / "files", folder_.path());
  return server_->url();
}

DownloadTask FetchTest::task(const std::vector<std::string>& faults, bool with_digest) const {
  DownloadTask task{target(), folder_ / "state", {}, {}, true};
  for (const std::string& fault : faults) task.urls.push_back(server() + "/" + fault + "/file.bin");
  if (with_digest) task.facts.sha256 = digest_of(DigestKind::kSha256, content_);
  return task;
}

std::vector<std::string> FetchTest::requests() const {
  const Finished log = run_program(
      {"/usr/bin/python3", "-c", "import sys,urllib.request as u;print(u.urlopen(sys.argv[1]).read().decode(),end='')",
       server() + "/log"});
  std::istringstream lines(log.out);
  std::vector<std::string> all;
  for (std::string line; std::getline(lines, line);) all.push_back(line);
  return all;
}

void FetchTest::expect_whole() const {
  EXPECT_TRUE(read_file_of(target()) == content_);
  std::vector<std::string> left;
  for (const auto& entry : fs::directory_iterator(folder_ / "state")) left.push_back(entry.path().filename());
  EXPECT_THAT(left, testing::ElementsAre("file.bin.fetched.json"));
}

}  // namespace bertprep::test
