// Unwritable places and full disks: a clear error, no file under a final name, and the same command resumes once there
// is room.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "e2e/e2e_test.h"
#include "support/private_mount.h"

namespace bertprep::test {
namespace {

using testing::IsEmpty;
namespace fs = std::filesystem;

class BadOutputTest : public E2eTest {
 protected:
  void SetUp() override {
    articles_ = folder().write("in/articles.txt", "One. Two.\nThree. Four.\nFive.\n");
    text_ = folder().write("in/text.txt", "One.\nTwo.\n\nThree.\nFour.\n\n");
    vocab();
  }

  // Every command that writes, with its output below `out`.
  std::vector<Arguments> commands_to(const std::string& out) {
    const Arguments few = {"--name", "n", "--sentences", "icu", "--train-shards", "1", "--test-shards", "1"};
    return {
        Arguments{"format", articles_, "--format", "articles", "-o", out + "/a.txt"},
        Arguments{"shard", articles_, "-o", out + "/text"} + few,
        Arguments{"instances", text_, "--vocab", vocab(), "-o", out + "/shards"},
        Arguments{"run", "--input", articles_, "--vocab", vocab(), "-o", out + "/root", "--work", out + "/work"} + few,
        Arguments{"vocab", "train", articles_, "--vocab-size", "20", "-o", out + "/v.txt"}};
  }

  std::string articles_;
  std::string text_;
};

TEST_F(BadOutputTest, FolderWithoutPermission) {
  fs::create_directory(folder() / "locked");
  fs::permissions(folder().path(), fs::perms{0755});
  fs::permissions(folder() / "locked", fs::perms{0555});
  for (const Arguments& command : commands_to(path("locked"))) {
    fail(1, command, {"locked", "Permission denied", "check the permissions of the folder or choose another one"},
         {.as_nobody = true});
  }
  EXPECT_THAT(names_of(read_tree(path("locked"))), IsEmpty());
}

TEST_F(BadOutputTest, FolderOnAReadOnlyFileSystem) {
  fs::create_directory(folder() / "fixed");
  const auto mounted = PrivateMount::read_only(folder() / "fixed");
  if (!mounted) GTEST_SKIP() << "skipped: this user may not mount";
  for (const Arguments& command : commands_to(path("fixed"))) {
    fail(1, command, {"fixed", "Read-only file system", "choose another one"});
  }
}

TEST_F(BadOutputTest, FolderBelowAFile) {
  folder().write("file", "bytes");
  for (const Arguments& command : commands_to(path("file"))) fail(1, command, {path("file"), "Not a directory"});
  EXPECT_EQ(read_bytes(path("file")), "bytes");
}

// Before the text stages, which take hours for a large dump.
TEST_F(BadOutputTest, ARunTriesItsOutputFirst) {
  const auto run_to = [&](const std::string& root) {
    return Arguments{"run",    "--input", articles_, "--vocab", vocab(),       "-o", path(root),
                     "--work", path("w"), "--name",  "n",       "--sentences", "icu"};
  };
  folder().write("file", "bytes");
  fs::create_symlink(path("absent"), path("link"));
  fail(1, run_to("file"), {path("file"), "is not a folder"});
  fail(1, run_to("link"), {path("link"), "is a link to " + path("absent") + ", which does not exist"});
  fail(1, run_to("link/root"), {path("link"), "is a link to "});
  EXPECT_FALSE(fs::exists(path("w")));
  EXPECT_FALSE(fs::exists(path("absent")));
  fs::permissions(folder().path(), fs::perms{0777});
  fs::create_directory(folder() / "locked");
  fs::permissions(folder() / "locked", fs::perms{0555});
  fail(1, run_to("locked"), {path("locked"), "Permission denied"}, {.as_nobody = true});
  fail(1, run_to("file") + Arguments{"--stage", "fetch"}, {path("file"), "is not a folder"});
  EXPECT_FALSE(fs::exists(path("w")));
}

TEST_F(BadOutputTest, APageTriesItsFolderFirst) {
  fs::create_symlink(path("absent"), path("link"));
  // Their input is not there either: the output comes first.
  fail(1, {"report", path("shards"), "-o", path("link/page.html")}, {path("link"), "is a link to "});
}

// A device, such as /dev/null, would be lost to the whole system.
TEST_F(BadOutputTest, PipesAndDevicesAreNotReplaced) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  for (const Arguments& command : {Arguments{"format"}, Arguments{"vocab", "train"}}) {
    fail(1, command + Arguments{articles_, "--force", "-o", path("pipe")}, {path("pipe"), "is not a file"});
    EXPECT_TRUE(fs::is_fifo(path("pipe"))) << command.front();
  }
}

TEST_F(BadOutputTest, FolderThatIsAFile) {
  folder().write("file", "bytes");
  fail(1, {"instances", text_, "--vocab", vocab(), "-o", path("file")}, {path("file")});
  EXPECT_EQ(read_bytes(path("file")), "bytes");
}

// Full disks, by a limit on the size of files and on an actual disk.
class FullDiskTest : public E2eTest {
 protected:
  // The files below root and work that have their final names. Hidden folders are for communication between runs.
  FileTree finished_files(const std::string& root, const std::string& work) const {
    FileTree files;
    for (const auto& name : {root, work}) {
      for (auto& [file, bytes] : read_tree(path(name))) {
        if (("/" + file).find("/.") == std::string::npos) files[(name == root ? "root/" : "work/") + file] = bytes;
      }
    }
    return files;
  }

  // Every file with a final name has the bytes of the undisturbed run.
  void expect_only_whole_files(const std::string& root, const std::string& work) {
    const FileTree whole = finished_files("root", "work");
    for (const auto& [name, bytes] : finished_files(root, work)) {
      ASSERT_TRUE(whole.contains(name)) << name;
      EXPECT_TRUE(whole.at(name) == bytes) << name << " is not whole";
    }
  }
};

TEST_F(FullDiskTest, LimitOnTheSizeOfFiles) {
  succeed(run_sample());
  // From a limit below the size of the formatted text, to one that only a few files exceed.
  for (const std::uint64_t limit : {1000, 20'000, 40'000, 60'000, 80'000, 90'000}) {
    const std::string name = std::to_string(limit);
    fail(1, run_sample("root" + name, "work" + name), {"File too large"}, {.file_size_limit_bytes = limit});
    expect_only_whole_files("root" + name, "work" + name);
    expect_nothing_unfinished(folder().path());
    succeed(run_sample("root" + name, "work" + name));
    EXPECT_EQ(difference(finished_files("root", "work"), finished_files("root" + name, "work" + name)), "");
  }
}

TEST_F(FullDiskTest, SmallDisk) {
  const auto disk = PrivateMount::small_disk(folder() / "disk", 64);
  if (!disk) GTEST_SKIP() << "skipped: this user may not mount";
  succeed(run_sample());
  const Arguments command = run_sample("disk/root", "disk/work");
  for (const int kilobytes : {64, 160, 300, 500, 900}) {
    disk->grow_to(kilobytes);
    fail(1, command, {path("disk"), "No space left on device", "free some space or choose another folder"});
    expect_only_whole_files("disk/root", "disk/work");
    expect_nothing_unfinished(folder() / "disk");
  }
  disk->grow_to(4096);
  succeed(command);
  EXPECT_EQ(difference(finished_files("root", "work"), finished_files("disk/root", "disk/work")), "");
  EXPECT_EQ(difference(read_results(path("root")), read_results(path("disk/root"))), "");
}

TEST_F(FullDiskTest, EveryCommandSaysSo) {
  const std::vector<std::string> shards = make_text_shards();
  const std::string articles = path("text-articles.txt");
  const std::vector<Arguments> commands = {
      {"format", articles, "--format", "articles", "-o", path("full/a.txt")},
      {"shard", articles, "--name", "n", "--sentences", "icu", "--train-shards", "1", "--test-shards", "1", "-o",
       path("full/text")},
      {"instances", shards[0], "--vocab", vocab(), "-o", path("full/shards")},
      {"vocab", "train", articles, "--vocab-size", "600", "-o", path("full/v.txt")}};
  for (const Arguments& command : commands) {
    fail(1, command, {"full", "File too large"}, {.file_size_limit_bytes = 2000});
    fs::remove_all(path("full/.bertprep"));
    EXPECT_THAT(names_of(read_tree(path("full"))), IsEmpty());
    succeed(command);
    EXPECT_FALSE(read_tree(path("full")).empty());
    fs::remove_all(path("full"));
  }
}

}  // namespace
}  // namespace bertprep::test
