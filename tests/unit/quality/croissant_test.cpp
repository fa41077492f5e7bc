// The document of Croissant 1.1 against the golden one, which the official validator accepts.
#include "quality/croissant.h"

#include <gmock/gmock.h>

#include <fstream>

#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/json.h"
#include "support/golden_data.h"
#include "support/temp_folder.h"

namespace bertprep::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::ThrowsMessage;

Manifest small_manifest() {
  Manifest manifest;
  manifest.dataset = "a \"set\"";
  manifest.recipe = {{"stage-version", "3"}};
  manifest.shards = {{"x_test_0.hdf5", 0, 3, sha256_of("abc"), ""}, {"x_training_0.hdf5", 1, 2, sha256_of("de"), ""}};
  manifest.vocabulary = ManifestVocab{.name = "v", .sha256 = sha256_of("words"), .size = 1};
  return manifest;
}

// The golden's manifest is not sealed.
Manifest golden_manifest(const std::filesystem::path& file) {
  const Json json = Json::parse(read_bytes(file), file.string());
  Manifest manifest;
  manifest.dataset = json.at("dataset").text();
  for (const auto& [name, value] : json.at("recipe").members()) manifest.recipe.emplace_back(name, value.text());
  for (const Json& shard : json.at("shards").items()) {
    manifest.shards.push_back({shard.at("file").text(), shard.at("rows").as_unsigned(), shard.at("bytes").as_unsigned(),
                               shard.at("sha256").text(), shard.at("text_sha256").text()});
  }
  return manifest;
}

TEST(CroissantTest, IsTheGolden) {
  const std::filesystem::path folder = shared_folder() / "goldens/outputs/croissant";
  if (shared_folder().empty() || !std::filesystem::is_directory(folder)) {
    GTEST_SKIP() << "skipped: no golden (set BERTPREP_SHARED to the folder with goldens/outputs/croissant)";
  }
  const Manifest manifest = golden_manifest(folder / "manifest.json");
  std::vector<PublishedFile> files;
  for (const ManifestShard& shard : manifest.shards) {
    files.push_back({shard.file, shard.bytes, shard.sha256, "application/x-hdf5"});
  }
  const CroissantFacts facts{.license = "https://creativecommons.org/licenses/by-sa/3.0/",
                             .url = "https://example.org/sample",
                             .creator = "Example",
                             .date = "2026-11-22",
                             .description = {}};
  EXPECT_EQ(croissant_json(manifest, files, facts), read_bytes(folder / "croissant.json"));
}

TEST(CroissantTest, LeavesOutUnknownParts) {
  const Manifest manifest = small_manifest();
  const std::string document = croissant_json(manifest, {}, {});
  const Json json = Json::parse(document, "");
  EXPECT_EQ(json.at("name").text(), "a \"set\"");
  EXPECT_EQ(json.at("version").text(), "3.0.0");
  EXPECT_EQ(json.at("description").text(),
            "BERT pretraining rows: masked language model and next sentence prediction, 1 row in 2 HDF5 files.");
  for (const char* key : {"license", "url", "creator", "datePublished"}) EXPECT_EQ(json.find(key), nullptr) << key;
  EXPECT_THAT(document, Not(HasSubstr("http://schema.org")));
  EXPECT_EQ(Json::parse(croissant_json(manifest, {}, {.description = "Mine."}), "").at("description").text(), "Mine.");
}

TEST(CroissantTest, DigestsAreThoseOfTheFiles) {
  const TempFolder folder;
  const Manifest manifest = small_manifest();
  std::ofstream(folder / "x_test_0.hdf5") << "abc";
  std::ofstream(folder / "x_training_0.hdf5") << "de";
  std::ofstream(folder / "vocab.txt") << "words";
  Progress progress;
  const auto files = published_files(folder.path(), manifest, progress);
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files[0].bytes, 3U);
  EXPECT_EQ(files[1].sha256, sha256_of("de"));
  EXPECT_EQ(files[2].name, "vocab.txt");
  EXPECT_EQ(files[2].media_type, "text/plain");
  for (const char* changed : {"vocab.txt", "x_training_0.hdf5"}) {
    std::ofstream(folder / changed) << "ed";
    EXPECT_THAT([&] { published_files(folder.path(), manifest, progress); },
                ThrowsMessage<FormatError>(HasSubstr(std::string(changed) + ": has sha256 ")));
  }
  std::filesystem::remove(folder / "x_test_0.hdf5");
  EXPECT_THROW(published_files(folder.path(), manifest, progress), IoError);
}

TEST(CroissantTest, NamesOutdatedFiles) {
  Manifest manifest = small_manifest();
  const std::vector<PublishedFile> files{{"x_training_0.hdf5", 2, sha256_of("de"), "application/x-hdf5"},
                                         {"vocab.txt", 5, sha256_of("words"), "text/plain"},
                                         {"README.md", 5, sha256_of("readme"), "text/plain"}};
  const std::string document = croissant_json(manifest, files, {});
  EXPECT_THAT(outdated_files(document, "", manifest), IsEmpty());
  manifest.shards[1].sha256 = sha256_of("other");
  manifest.vocabulary->sha256 = sha256_of("other");
  EXPECT_THAT(outdated_files(document, "", manifest), ElementsAre("vocab.txt", "x_training_0.hdf5"));
  for (const char* other : {"[]", "{}", R"({"distribution": 1})", R"({"distribution": [1, {"contentUrl": 1}]})"}) {
    EXPECT_THAT(outdated_files(other, "", manifest), IsEmpty()) << other;
  }
  EXPECT_THROW(outdated_files("{", "", manifest), FormatError);
}

TEST(CroissantTest, RefusesWhatIsNoUrlOrDay) {
  EXPECT_NO_THROW(validate(CroissantFacts{}));
  EXPECT_NO_THROW(validate({.license = "https://x.org/a", .url = "http://x.org", .date = "2024-02-29"}));
  for (const char* url : {"CC BY-SA", "https://", "https://x.org/a b", "ftp://x.org"}) {
    EXPECT_THROW(validate({.license = url}), ConfigError) << url;
    EXPECT_THROW(validate({.url = url}), ConfigError) << url;
  }
  for (const char* day : {"2026-02-29", "2026-13-01", "2026-1-01", "22.11.2026", "2026-11-+2", "today"}) {
    EXPECT_THROW(validate({.date = day}), ConfigError) << day;
  }
}

}  // namespace
}  // namespace bertprep::test
