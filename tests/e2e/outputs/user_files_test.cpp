// For any input and any --keep, the user's files stay unchanged, with their bytes, times and inodes.
#include <sys/stat.h>

#include "e2e/e2e_test.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

// Path -> properties that reveal a change: type, inode, modification time, and the bytes.
std::map<std::string, std::string> facts_below(const fs::path& folder) {
  std::map<std::string, std::string> facts;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    struct stat status {};
    EXPECT_EQ(::lstat(entry.path().c_str(), &status), 0);
    std::string& fact = facts[entry.path().lexically_relative(folder).string()];
    fact = std::to_string(status.st_mode) + " " + std::to_string(status.st_ino);
    if (S_ISDIR(status.st_mode)) continue;
    fact += " " + std::to_string(status.st_mtim.tv_sec) + "." + std::to_string(status.st_mtim.tv_nsec);
    if (S_ISREG(status.st_mode)) fact += " " + read_bytes(entry.path());
  }
  return facts;
}

struct Way {
  const char* keep;  // "default": without --keep
  bool array;
};

void PrintTo(const Way& way, std::ostream* out) {
  *out << "keep '" << way.keep << "'" << (way.array ? ", array" : "");
}

// The steps of a run in which it does all its work.
std::vector<Arguments> steps_of(const Way& way) {
  if (!way.array) return {{}};
  std::vector<Arguments> steps = {{"--stage", "fetch", "--piece-size", "5000"}};
  for (const char* stage : {"format", "place", "shard", "instances", "finish"}) steps.push_back({"--stage", stage});
  return steps;
}

class UserFilesTest : public E2eTest, public testing::WithParamInterface<Way> {
 protected:
  void SetUp() override {
    int number = 0;
    for (const auto& book : fs::directory_iterator(sample("books"))) {
      books_.push_back(folder().write("user/books/" + book.path().filename().string(), read_bytes(book.path())));
      files_ += (number++ == 0 ? "" : ", ") + std::string("{\"url\": \"http://data.invalid/books/") +
                book.path().filename().string() + "\"}";
    }
    folder().write("user/books/shelf/own.txt", "My own book. It has two sentences.\n");
    notes_ = folder().write("user/notes.jsonl", read_bytes(sample("sample.jsonl")));
    folder().write("c.json", R"({"datasets": [
      {"name": "novels", "format": "books", "folder_format": "books", "files": [)" +
                                 files_ + R"(]},
      {"name": "notes", "format": "jsonl", "files": [{"url": "http://data.invalid/notes.jsonl"}]},
      {"name": "library", "format": "books", "folder_format": "books", "files": [
          {"url": "http://data.invalid/library.zip", "members": ["*.txt"]}]}]})");
  }
  // Trained once for all tests.
  static std::string small_vocab() {
    static const TempFolder folder;
    static const std::string file = (folder / "vocab.txt").string();
    if (!fs::exists(file)) {
      bertprep(
          {"vocab", "train", sample("sample.wikitext"), "--format", "wikitext", "--vocab-size", "600", "-o", file});
    }
    return file;
  }

  // Runs on `input`, by one process or stage by stage, and then checks the user's files.
  void run(const Arguments& input) {
    SCOPED_TRACE(testing::PrintToString(input));
    const auto before = own_.empty() ? facts_below(folder() / "user") : own_;
    Arguments command =
        Arguments{"run"} + input +
        Arguments{
            "--catalog",  path("c.json"),   "--vocab", small_vocab(),   "--sentences", "icu",     "--work", work_, "-o",
            path("root"), "--train-shards", "1",       "--test-shards", "1",           "--phase", "1",      "-q"};
    if (std::string(GetParam().keep) != "default") command = command + Arguments{"--keep", GetParam().keep};
    for (const Arguments& step : steps_of(GetParam())) succeed(command + step);
    const auto after = facts_below(folder() / "user");
    for (const auto& [name, fact] : before) EXPECT_TRUE(after.contains(name) && after.at(name) == fact) << name;
    EXPECT_TRUE(!own_.empty() || after.size() == before.size()) << "nothing is added";
    EXPECT_FALSE(read_tree(path("root")).empty());
    for (const char* made : {"work", "root"}) fs::remove_all(folder() / made);
  }
  bool keeps_downloads() const {
    const std::string keep = GetParam().keep;
    return keep == "default" || keep.find("download") != std::string::npos;
  }

  std::vector<fs::path> books_;
  std::string files_;
  std::string notes_;
  std::map<std::string, std::string> own_;  // where runs write among the user's files: facts of only the user's
  std::string work_ = path("work");
};

TEST_P(UserFilesTest, GivenAsInput) {
  run({"--input", path("user/books"), "--format", "books", "--name", "mine"});
  run({"--input", books_.front(), books_.back(), "--format", "books", "--name", "mine"});
  run({"--input", notes_, "--name", "mine"});
}

TEST_P(UserFilesTest, TakenInsteadOfADownload) {
  run({"novels", "--from-file", path("user/books")});
  run({"library", "--from-file", path("user/books")});
  run({"notes", "--from-file", notes_});
  run({"notes", "--from-file", path("user")});
}

TEST_P(UserFilesTest, BehindAMirror) {
  run({"novels", "--mirror", "file://" + path("user")});
  run({"notes", "--mirror", "file://" + path("user")});
}

TEST_P(UserFilesTest, BehindSymlinks) {
  fs::create_directory_symlink(folder() / "user/books", folder() / "link");
  fs::create_directories(folder() / "links");
  for (const fs::path& book : books_) fs::create_symlink(book, folder() / "links" / book.filename());
  run({"--input", path("link"), "--format", "books", "--name", "mine"});
  run({"--input", path("links"), "--format", "books", "--name", "mine"});
  run({"novels", "--from-file", path("link")});
  run({"novels", "--from-file", path("links")});
}

// Links below WORK lead out of it.
TEST_P(UserFilesTest, BehindSymlinksInWork) {
  fs::create_directories(folder() / "work/download");
  fs::create_directory_symlink(folder() / "user/books", folder() / "work/download/novels");
  run({"novels"});
  fs::create_directories(folder() / "work/download/novels");
  for (const fs::path& book : books_) fs::create_symlink(book, folder() / "work/download/novels" / book.filename());
  run({"novels"});

  // The user's own store of downloads: they were fetched to it, but not into this WORK.
  succeed({"fetch", "novels", "--catalog", path("c.json"), "--mirror", "file://" + path("user"), "--folder",
           path("user/store"), "-q"});
  fs::create_directories(folder() / "work");
  fs::create_directory_symlink(folder() / "user/store", folder() / "work/download");
  run({"novels"});
}

TEST_P(UserFilesTest, InsideWork) {
  work_ = path("user/work");
  const std::string notes = folder().write("user/work/notes.jsonl", read_bytes(notes_));
  folder().write("user/work/download/notes/notes.jsonl", read_bytes(notes_));
  for (const fs::path& book : books_) {
    folder().write("user/work/download/novels/" + book.filename().string(), read_bytes(book));
  }
  own_ = facts_below(folder() / "user");
  run({"--input", notes, "--name", "mine"});
  run({"--input", path("user/work/download/notes"), "--name", "mine2"});
  run({"notes"});
  run({"notes", "--from-file", notes});
  run({"novels"});
  run({"novels", "--from-file", path("user/work/download/novels")});
}

// The run's own downloads and unpacked files are removed.
TEST_P(UserFilesTest, DownloadsGoUnlessTheyAreKept) {
  work_ = path("kept");
  run({"novels", "--mirror", "file://" + path("user")});
  for (const fs::path& book : books_) {
    EXPECT_EQ(fs::exists(folder() / "kept/download/novels" / book.filename()), keeps_downloads());
  }
}

INSTANTIATE_TEST_SUITE_P(Keep, UserFilesTest,
                         testing::Values(Way{"default", false}, Way{"", false}, Way{"sharded", false},
                                         Way{"formatted", false}, Way{"extracted", false}, Way{"download", false},
                                         Way{"download,formatted,sharded", false}, Way{"default", true}, Way{"", true},
                                         Way{"sharded", true}, Way{"formatted", true}, Way{"download", true},
                                         Way{"download,formatted,sharded", true}));

}  // namespace
}  // namespace bertprep::test
