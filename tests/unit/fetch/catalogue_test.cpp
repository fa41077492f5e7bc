#include "fetch/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bertprep/base/error.h"
#include "bertprep/fetch/fetch.h"
#include "support/temp_folder.h"
#include "support/thrown.h"

namespace bertprep::test {
namespace {

using testing::HasSubstr;

std::string fault_of(const std::string& json) {
  Catalogue catalogue;
  return thrown_by<FormatError>([&] { add_to_catalogue(Json::parse(json, "c.json"), "c.json", catalogue); });
}

std::string entry(const std::string& fields) {
  return R"({"datasets": [{"name": "n", )" + fields + "}]}";
}

TEST(Catalogue, TheProjectsOwn) {
  const Catalogue catalogue = load_catalogue({});
  const CatalogueEntry* wikitext = catalogue.find("wikitext-2");
  ASSERT_NE(wikitext, nullptr);
  ASSERT_EQ(wikitext->files.size(), 1U);
  EXPECT_EQ(wikitext->files[0].facts.md5, "542ccefacc6c27f945fb54453812b3cd");
  EXPECT_EQ(wikitext->files[0].facts.sha1, "3c914d17d80b1459be871a5039ac23e752a53cbe");
  ASSERT_EQ(wikitext->files[0].members.size(), 3U);
  EXPECT_EQ(wikitext->files[0].members[0].name, "wiki.train.tokens");
  EXPECT_EQ(wikitext->files[0].members[1].name, "wiki.valid.tokens");
  EXPECT_EQ(wikitext->files[0].members[2].name, "wiki.test.tokens");
  ASSERT_NE(catalogue.find("bookswiki"), nullptr);
  EXPECT_EQ(catalogue.find("bookswiki")->name, "books_wiki_en_corpus");
  EXPECT_EQ(catalogue.find("bookswiki")->parts, (std::vector<std::string>{"bookscorpus", "wikicorpus_en"}));
  EXPECT_FALSE(catalogue.punkt.mirrors.empty());
  EXPECT_FALSE(catalogue.dumps.roots.empty());
  EXPECT_EQ(catalogue.vocabs.front().files.front().facts.sha256.substr(0, 8), "07eced37");
  for (const CatalogueEntry& one : catalogue.datasets) {
    for (const std::string& part : one.parts) {
      EXPECT_TRUE(part.starts_with("wikicorpus_") || catalogue.find(part) != nullptr) << part;
    }
  }
}

TEST(Catalogue, TheUsersEntriesComeFirst) {
  const TempFolder folder;
  FetchOptions options;
  options.catalog = folder.write("c.json", entry(R"("aliases": ["wikitext-2"], "files": [{"url": "http://h/x.txt"}])"));
  const Catalogue catalogue = load_catalogue(options);
  ASSERT_NE(catalogue.find("wikitext-2"), nullptr);
  EXPECT_EQ(catalogue.find("wikitext-2")->name, "n");
  EXPECT_EQ(catalogue.find("n")->format, "auto");
  EXPECT_EQ(catalogue.find("n")->files[0].name, "x.txt");
  EXPECT_NE(catalogue.find("wikitext-103"), nullptr);
}

TEST(Catalogue, FaultsAreNamed) {
  EXPECT_EQ(fault_of(entry(R"("files": [{"url": "http://h/x.txt"}])")), "nothing thrown");
  EXPECT_THAT(fault_of(R"({"dataset": []})"), HasSubstr("unknown key 'dataset'"));
  EXPECT_THAT(fault_of(R"({"version": 2})"), HasSubstr("version 2"));
  EXPECT_THAT(fault_of(entry(R"("title": 5, "files": [{"url": "u"}])")), HasSubstr("'title' is not a string"));
  EXPECT_THAT(fault_of(entry(R"("title": "t")")), HasSubstr("either 'files', 'listing' or 'parts'"));
  EXPECT_THAT(fault_of(entry(R"("files": [{"name": "x"}])")), HasSubstr("no 'mirrors'"));
  EXPECT_THAT(fault_of(entry(R"("files": [{"url": "u", "sha256": "abc"}])")),
              HasSubstr("'sha256' is not a valid digest"));
  EXPECT_THAT(fault_of(entry(R"("files": [{"url": "u", "nam": "x"}])")), HasSubstr("unknown key 'nam'"));
  for (const char* name : {"../x", "a/b", ".x", "..", ""}) {
    EXPECT_THAT(fault_of(entry(R"("files": [{"url": "http://h/", "name": ")" + std::string(name) + "\"}]")),
                HasSubstr("can't be the name of a file"));
  }
  EXPECT_THAT(fault_of(R"({"datasets": [{"name": "../x", "files": [{"url": "u"}]}]})"), HasSubstr("can't be the name"));
  EXPECT_THAT(fault_of("[]"), HasSubstr("not a JSON object"));
}

TEST(Catalogue, PartsThatNeverEndAreRefused) {
  const TempFolder folder;
  const auto load = [&](const std::string& datasets) {
    FetchOptions options;
    options.catalog = folder.write("c.json", R"({"datasets": [)" + datasets + "]}");
    return load_catalogue(options);
  };
  const std::string two = R"({"name": "a", "parts": ["b"]}, {"name": "b", "parts": ["wikitext-2", "wikitext-2"]})";
  EXPECT_EQ(load(two).find("a")->parts.size(), 1U);
  EXPECT_THROW(load(R"({"name": "a", "parts": ["a"]})"), FormatError);
  EXPECT_THROW(load(R"({"name": "a", "parts": ["b"]}, {"name": "b", "aliases": ["c"], "parts": ["wikitext-2", "a"]})"),
               FormatError);
  std::string chain;
  for (int i = 0; i < 1000; ++i) {
    chain += R"({"name": "n)" + std::to_string(i + 1) + R"(", "parts": ["n)" + std::to_string(i) + R"("]}, )";
  }
  EXPECT_THROW(load(chain + R"({"name": "n0", "parts": ["wikitext-2"]})"), FormatError);
}

TEST(Catalogue, UnknownNamesAreUsageErrors) {
  Progress progress;
  EXPECT_THROW(fetch_dataset("wikitext", "unused", {}, progress), ConfigError);
  EXPECT_THROW(describe_dataset("wikitext", {}, progress), ConfigError);
  EXPECT_THROW(fetch_vocab("bert-huge", "unused", {}, progress), ConfigError);
  FetchOptions options;
  options.mirror = "127.0.0.1:8080";
  EXPECT_THROW(fetch_dataset("wikitext-2", "unused", options, progress), ConfigError);
  EXPECT_FALSE(std::filesystem::exists("unused"));
}

TEST(Catalogue, DescribesKnownDatasetsOffline) {
  Progress progress;
  const DatasetFacts facts = describe_dataset("wikitext-2", {}, progress);
  EXPECT_EQ(facts.download_bytes, 4475746U);
  EXPECT_EQ(facts.articles, 720U);
  EXPECT_GT(known_datasets({}).size(), 6U);
}

}  // namespace
}  // namespace bertprep::test
