// Addresses as inputs, against tests/support/cloud_server.py.
#include <algorithm>
#include <cstdlib>
#include <optional>

#include "unit/fetch/fetch_fixture.h"

namespace bertprep::test {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
namespace fs = std::filesystem;

// Sets variables for its lifetime; those of a test are alone in deciding.
class Variables {
 public:
  Variables() {
    for (const char* name : {"HF_TOKEN",
                             "HUGGING_FACE_HUB_TOKEN",
                             "HF_TOKEN_PATH",
                             "HF_HOME",
                             "HF_HUB_OFFLINE",
                             "XDG_CACHE_HOME",
                             "AWS_ACCESS_KEY_ID",
                             "AWS_SECRET_ACCESS_KEY",
                             "AWS_SESSION_TOKEN",
                             "AWS_PROFILE",
                             "AWS_REGION",
                             "AWS_DEFAULT_REGION",
                             "AWS_NO_SIGN_REQUEST",
                             "AWS_ENDPOINT_URL_S3",
                             "AWS_CONFIG_FILE",
                             "AWS_SHARED_CREDENTIALS_FILE",
                             "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
                             "AWS_CONTAINER_CREDENTIALS_FULL_URI",
                             "AWS_CONTAINER_AUTHORIZATION_TOKEN",
                             "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
                             "AWS_EC2_METADATA_SERVICE_ENDPOINT"}) {
      ::unsetenv(name);
    }
  }
  static void set(const char* name, const std::string& value) { ::setenv(name, value.c_str(), 1); }
};

class FetchInputsTest : public FetchTest {
 protected:
  FetchInputsTest() {
    fs::remove_all(folder_ / "files");
    folder_.write("files/README.md", "# A set\n");
    folder_.write("files/.gitattributes", "x\n");
    folder_.write("files/data/a b+c.txt", "one\n");
    folder_.write("files/data/b.txt", "two\n");
    folder_.write("files/data/more/c.txt", "three\n");
    folder_.write("files/data2.txt", "other\n");
    server_.emplace(folder_ / "files", folder_.path(), "cloud_server.py");
    Variables::set("HOME", folder_.path());
    Variables::set("HF_ENDPOINT", server_->url() + "/");
    Variables::set("AWS_ENDPOINT_URL", server_->url());
    Variables::set("AWS_EC2_METADATA_DISABLED", "true");
    options_.retries = 1;
  }

  FetchedPart fetch(const std::string& address) {
    const std::vector<fs::path> inputs{address};
    return fetch_inputs(inputs, folder_ / "dl", options_, progress_);
  }
  template <class Error>
  std::string refusal(const std::string& address) {
    return error_of<Error>([&] { fetch(address); });
  }
  // What the inputs hold, with their names below the last folder of the address.
  std::vector<std::string> texts(const FetchedPart& part) {
    std::vector<std::string> all;
    for (const fs::path& input : part.files) {
      if (!fs::is_directory(input)) {
        all.push_back(input.filename().string() + "=" + read_file_of(input));
        continue;
      }
      for (const auto& entry : fs::recursive_directory_iterator(input)) {
        if (!entry.is_regular_file() || entry.path().native().find("/.") != std::string::npos) continue;
        all.push_back(entry.path().lexically_relative(input).string() + "=" + read_file_of(entry.path()));
      }
    }
    std::ranges::sort(all);
    return all;
  }
  std::vector<std::string> asked() const { return server_->requests(); }
  std::size_t count_asked(const std::string& words) const {
    const std::vector<std::string> all = asked();
    return static_cast<std::size_t>(
        std::ranges::count_if(all, [&](const std::string& one) { return one.find(words) != std::string::npos; }));
  }
  void give_keys() {
    Variables::set("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE");
    Variables::set("AWS_SECRET_ACCESS_KEY", "secret/of+example");
  }

  Variables variables_;
  std::optional<FaultServer> server_;
};

constexpr const char* kSet = "hf://datasets/org/set";

TEST_F(FetchInputsTest, FilesOfTheHubKeepTheirPaths) {
  const FetchedPart all = fetch(kSet);
  EXPECT_THAT(texts(all), ElementsAre("README.md=# A set\n", "data/a b+c.txt=one\n", "data/b.txt=two\n",
                                      "data/more/c.txt=three\n", "data2.txt=other\n"));
  EXPECT_EQ(all.downloads.size(), 5U);
  EXPECT_THAT(progress_.notes, AllOf(HasSubstr("5 files of 28 bytes, commit aaaa"), HasSubstr("1 hidden file left out"),
                                     Not(HasSubstr("unchecked"))));
  EXPECT_THAT(texts(fetch(std::string(kSet) + "/data")),
              ElementsAre("a b+c.txt=one\n", "b.txt=two\n", "more/c.txt=three\n"));
  EXPECT_THAT(texts(fetch(std::string(kSet) + "/data/a b+c.txt")), ElementsAre("a b+c.txt=one\n"));
  EXPECT_THAT(texts(fetch(std::string(kSet) + "/data2.txt")), ElementsAre("data2.txt=other\n"));
  EXPECT_THAT(texts(fetch(std::string(kSet) + "/data/*.txt")),
              ElementsAre("a b+c.txt=one\n", "b.txt=two\n", "c.txt=three\n"));
  fetch(std::string(kSet) + "@refs/convert/parquet/data");
  EXPECT_THAT(asked().back(), HasSubstr("/blob/"));
  EXPECT_THAT(progress_.notes, HasSubstr("commit bbbb"));
}

TEST_F(FetchInputsTest, ArePinnedWithTheDigestsOfTheirFiles) {
  const FetchedPart part = fetch(std::string(kSet) + "/data");
  ASSERT_EQ(part.remote.size(), 1U);
  EXPECT_EQ(part.remote[0].address, "hf://datasets/org/set@" + std::string(40, 'a') + "/data");
  ASSERT_EQ(part.remote[0].files.size(), 3U);
  EXPECT_EQ(part.remote[0].files[1].file.filename(), "b.txt");
  EXPECT_EQ(part.remote[0].files[1].bytes, 4U);
  EXPECT_EQ(part.remote[0].files[1].sha256, "27dd8ed44a83ff94d557f9fd0412ed5a8cbca69ea04922d88c01184a07300a5a");
}

TEST_F(FetchInputsTest, OnlyWhatIsReadIsFetched) {
  RemoteChoice choice;
  choice.why_left_out = [](std::string_view path) {
    return path.starts_with("more/") ? std::nullopt : std::optional<std::string>("left out by the test");
  };
  const std::vector<fs::path> inputs{std::string(kSet) + "/data"};
  const FetchedPart part = fetch_inputs(inputs, folder_ / "dl", options_, progress_, choice);
  EXPECT_THAT(texts(part), ElementsAre("more/c.txt=three\n"));
  ASSERT_EQ(part.left_out.size(), 2U);
  EXPECT_THAT(part.left_out[0].where, HasSubstr("a b+c.txt"));
  EXPECT_EQ(count_asked("/resolve/"), 1U);
  EXPECT_EQ(describe_inputs(inputs, options_, progress_, choice).download_bytes, 6U);
  choice.why_left_out = [](std::string_view) { return std::optional<std::string>("left out by the test"); };
  EXPECT_THAT(error_of<IoError>([&] { fetch_inputs(inputs, folder_ / "dl", options_, progress_, choice); }),
              HasSubstr("left out by the test"));
}

TEST_F(FetchInputsTest, SomeAreFetchedLater) {
  const std::vector<fs::path> inputs{kSet};
  RemoteChoice choice;
  choice.fetches = [](const RemoteFile& file) { return file.file.filename() == "b.txt"; };
  const FetchedPart some = fetch_inputs(inputs, folder_ / "dl", options_, progress_, choice);
  EXPECT_EQ(some.downloads.size(), 5U);
  EXPECT_THAT(texts(some), ElementsAre("data/b.txt=two\n"));
  const std::size_t listings = count_asked("/api/");
  EXPECT_EQ(fetch(kSet).files, some.files);
  EXPECT_EQ(count_asked("/resolve/"), 5U);
  EXPECT_EQ(count_asked("/api/"), listings);
}

TEST_F(FetchInputsTest, TheCatalogueHasNamesForThem) {
  folder_.write("mine.json", R"({"inputs": [{"name": "mine", "address": "hf://datasets/org/set/{}/*.txt",
                                             "parts": ["data", "x-*"], "example": "data"}]})");
  options_.catalog = folder_ / "mine.json";
  EXPECT_EQ(texts(fetch("mine:data")).size(), 3U);
  EXPECT_THAT(refusal<ConfigError>("mine:dta"), AllOf(HasSubstr("did you mean 'data'?"), HasSubstr("data, x-*")));
  EXPECT_THAT(refusal<ConfigError>("mien:data"), HasSubstr("did you mean 'mine:data'?"));
  EXPECT_THAT(refusal<ConfigError>("wikipdia:20231101.de"), HasSubstr("did you mean 'wikipedia:20231101.de'?"));
  EXPECT_THAT(refusal<ConfigError>("wikipedia:de"), HasSubstr("20231101.*"));
  for (const DatasetFacts& facts : known_datasets(options_)) {
    if (is_address(facts.name)) check_address(facts.name, options_);
  }
}

TEST_F(FetchInputsTest, WhatDoesNotFitOnTheDiskIsNotBegun) {
  EXPECT_THAT(refusal<IoError>("hf://datasets/org/huge/data"),
              AllOf(HasSubstr("the download needs"), HasSubstr("are free on its disk")));
  EXPECT_EQ(count_asked("/resolve/"), 0U);
}

TEST_F(FetchInputsTest, WhatWasFetchedNeedsNoServer) {
  const FetchedPart first = fetch(kSet);
  server_.reset();
  options_.offline = true;
  EXPECT_EQ(fetch(kSet).files, first.files);
  fs::remove(first.downloads.back());
  EXPECT_THAT(refusal<OfflineError>(kSet), HasSubstr("'bertprep fetch hf://datasets/org/set --folder "));
  EXPECT_THAT(refusal<OfflineError>("hf://datasets/org/other"), HasSubstr("org/other"));
  options_.offline = false;
  Variables::set("HF_HUB_OFFLINE", "1");
  EXPECT_THAT(refusal<OfflineError>(kSet), HasSubstr("offline"));
}

TEST_F(FetchInputsTest, OnlyTheHubGetsTheToken) {
  folder_.write(".cache/huggingface/token", "hf_example\n");
  EXPECT_EQ(fetch("hf://datasets/org/gated/data").downloads.size(), 3U);
  EXPECT_EQ(fetch("hf://datasets/org/hidden/data").downloads.size(), 3U);
  std::size_t at_others = 0;
  for (const std::string& request : asked()) {
    const bool is_other = request.find("\"host\": \"localhost:") != std::string::npos;
    EXPECT_EQ(request.find("Bearer hf_example") == std::string::npos, is_other) << request;
    at_others += is_other ? 1 : 0;
  }
  EXPECT_EQ(at_others, 6U);
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "dl")) {
    if (!entry.is_regular_file()) continue;
    EXPECT_THAT(read_file_of(entry.path()), Not(HasSubstr("hf_example"))) << entry.path();
  }
}

TEST_F(FetchInputsTest, RefusalsOfTheHubSayWhatToDo) {
  EXPECT_THAT(refusal<IoError>("hf://datasets/org/gated/data"),
              AllOf(HasSubstr("asks for consent"), HasSubstr("accept its conditions"), HasSubstr("HF_TOKEN")));
  EXPECT_THAT(refusal<IoError>("hf://datasets/org/hidden"), AllOf(HasSubstr("RepoNotFound"), HasSubstr("HF_TOKEN")));
  EXPECT_THAT(refusal<IoError>("hf://datasets/org/set@v9"), HasSubstr("no such revision"));
  EXPECT_THAT(refusal<IoError>("hf://datasets/org/set/nothing"), HasSubstr("has no files"));
  EXPECT_THAT(refusal<FormatError>("hf://datasets/org/bad/data"), HasSubstr("has the sha256"));
  Variables::set("HF_TOKEN", "hf_wrong");
  EXPECT_THAT(refusal<IoError>("hf://datasets/org/gated/data"),
              AllOf(HasSubstr("account without access"), Not(HasSubstr("hf_wrong"))));
}

TEST_F(FetchInputsTest, TheHubMayAskToWait) {
  EXPECT_EQ(fetch("hf://datasets/org/busy/data").downloads.size(), 3U);
}

TEST_F(FetchInputsTest, ObjectsOfS3AreListedAndSigned) {
  give_keys();
  EXPECT_THAT(texts(fetch("s3://signed")),
              ElementsAre("README.md=# A set\n", "data/a b+c.txt=one\n", "data/b.txt=two\n", "data/more/c.txt=three\n",
                          "data2.txt=other\n"));
  EXPECT_THAT(texts(fetch("s3://signed/data/")), ElementsAre("a b+c.txt=one\n", "b.txt=two\n", "more/c.txt=three\n"));
  EXPECT_THAT(texts(fetch("s3://signed/data/a b+c.txt")), ElementsAre("a b+c.txt=one\n"));
  EXPECT_THAT(texts(fetch("s3://signed/da*2.txt")), ElementsAre("data2.txt=other\n"));
  EXPECT_THAT(refusal<IoError>("s3://signed/dat"), HasSubstr("give s3://signed/dat*"));
  EXPECT_THAT(progress_.notes, Not(HasSubstr("unchecked")));
  const std::vector<std::string> before = asked();
  ::unsetenv("AWS_ACCESS_KEY_ID");
  EXPECT_EQ(fetch("s3://signed/data/").downloads.size(), 3U);
  EXPECT_EQ(asked().size(), before.size());
}

TEST_F(FetchInputsTest, KeysComeFromWhereTheToolsOfAwsFindThem) {
  EXPECT_THAT(refusal<IoError>("s3://signed/data/"), HasSubstr("AWS_NO_SIGN_REQUEST"));
  folder_.write(".aws/credentials",
                "[default]\naws_access_key_id = AKIDEXAMPLE\n  aws_secret_access_key=wrong\n"
                "# [x]\n[work]\naws_access_key_id=AKIDEXAMPLE\n"
                "aws_secret_access_key = secret/of+example\n");
  folder_.write(".aws/config", "[profile work]\nregion = eu-north-1\n[profile role]\nrole_arn = x\n");
  EXPECT_THAT(refusal<IoError>("s3://signed/data/"),
              AllOf(HasSubstr("SignatureDoesNotMatch"), HasSubstr("AWS_SECRET_ACCESS_KEY"), Not(HasSubstr("wrong"))));
  Variables::set("AWS_PROFILE", "work");
  EXPECT_EQ(fetch("s3://signed/data/").downloads.size(), 3U);
  EXPECT_THAT(asked().back(), HasSubstr("/eu-north-1/s3/aws4_request"));
  Variables::set("AWS_PROFILE", "role");
  EXPECT_THAT(refusal<ConfigError>("s3://signed/data2.txt"), HasSubstr("export-credentials"));
  Variables::set("AWS_PROFILE", "none");
  EXPECT_THAT(refusal<ConfigError>("s3://signed/data2.txt"), HasSubstr("no profile 'none'"));
}

TEST_F(FetchInputsTest, ContainersAndMachinesHaveKeys) {
  Variables::set("AWS_CONTAINER_CREDENTIALS_FULL_URI", server_->url() + "/container");
  Variables::set("AWS_CONTAINER_AUTHORIZATION_TOKEN", "token");
  EXPECT_EQ(fetch("s3://session/data/").downloads.size(), 3U);
  Variables::set("AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://127.0.0.1.host.invalid/container");
  EXPECT_THAT(refusal<ConfigError>("s3://session/data2.txt"), HasSubstr("this machine"));
  ::unsetenv("AWS_CONTAINER_CREDENTIALS_FULL_URI");
  ::unsetenv("AWS_EC2_METADATA_DISABLED");
  Variables::set("AWS_EC2_METADATA_SERVICE_ENDPOINT", server_->url());
  EXPECT_EQ(fetch("s3://session/data/more").downloads.size(), 1U);
}

TEST_F(FetchInputsTest, RefusalsOfS3SayWhatToDo) {
  Variables::set("AWS_NO_SIGN_REQUEST", "YES");
  EXPECT_EQ(fetch("s3://open/data").downloads.size(), 3U);
  EXPECT_THAT(refusal<IoError>("s3://signed"), AllOf(HasSubstr("AccessDenied"), HasSubstr("AWS_NO_SIGN_REQUEST")));
  EXPECT_THAT(refusal<IoError>("s3://nowhere"), AllOf(HasSubstr("NoSuchBucket"), HasSubstr("check the bucket's name")));
  EXPECT_THAT(refusal<IoError>("s3://moved"), HasSubstr("set AWS_REGION"));
  EXPECT_THAT(refusal<IoError>("s3://moved"), HasSubstr("eu-north-1"));
}

TEST_F(FetchInputsTest, AFileOfAServerByItsAddress) {
  const std::string address = server_->url() + "/web/data/b.txt?key=secret";
  EXPECT_THAT(texts(fetch(address)), ElementsAre("b.txt=two\n"));
  const std::size_t before = asked().size();
  EXPECT_THAT(texts(fetch(address)), ElementsAre("b.txt=two\n"));
  EXPECT_EQ(asked().size(), before);
  EXPECT_THAT(refusal<IoError>(server_->url() + "/web/data/b.txt?key=wrong"),
              AllOf(HasSubstr("403"), Not(HasSubstr("wrong"))));
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "dl")) {
    EXPECT_THAT(entry.path().string(), Not(HasSubstr("secret")));
    if (!entry.is_regular_file()) continue;
    EXPECT_THAT(read_file_of(entry.path()), Not(HasSubstr("secret"))) << entry.path();
  }
}

TEST_F(FetchInputsTest, SizesAreKnownBefore) {
  const std::vector<fs::path> inputs{kSet, server_->url() + "/web/data/b.txt?key=secret",
                                     folder_ / "files/data/more/c.txt"};
  const DatasetFacts facts = describe_inputs(inputs, options_, progress_);
  EXPECT_EQ(facts.download_bytes, 32U);
  EXPECT_EQ(facts.text_bytes, 38U);
  EXPECT_FALSE(fs::exists(folder_ / "dl"));
}

}  // namespace
}  // namespace bertprep::test
