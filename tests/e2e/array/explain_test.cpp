// explain as a user runs it. Its output for every row of small sets is compared with the text, the formatted file and
// the input.
#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

#include "e2e/e2e_test.h"
#include "support/json_lines.h"
#include "support/read_text.h"

namespace bertprep::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> explained_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

std::uint64_t number(const JsonValue& value) {
  return std::stoull(value.text);
}

bool has(const JsonValue& value, const std::string& key) {
  return std::find(value.keys.begin(), value.keys.end(), key) != value.keys.end();
}

class ExplainTest : public E2eTest {
 protected:
  fs::path phase1_of(const std::string& root, const std::string& name) {
    return fs::directory_iterator(path(root))->path() / name;
  }

  // Makes phase 1 of `input` in two training shards and a test shard, and explains every row.
  std::vector<JsonValue> explain_all(const std::string& format, const Arguments& input) {
    succeed(Arguments{"run", "--input"} + input +
            Arguments{"--format", format, "--name", "x", "--vocab", vocab(), "--sentences",
                      format == "sentences" ? "lines" : "icu", "--phase", "1", "--train-shards", "2", "--test-shards",
                      "1", "-o", path("root"), "--work", path("work")});
    std::vector<JsonValue> rows;
    for (const auto& entry : fs::directory_iterator(phase1_of("root", "x"))) {
      if (entry.path().extension() != ".hdf5") continue;
      const std::string shard =
          explained_lines(succeed({"inspect", entry.path(), "--rows", "0", "--json"}).out).front();
      const Finished finished = succeed({"explain", entry.path(), "--rows", "0:" + parse_json(shard).at("rows").text,
                                         "--work", path("work"), "--json"});
      for (const std::string& line : explained_lines(finished.out)) rows.push_back(parse_json(line));
    }
    EXPECT_GT(rows.size(), 50U);
    return rows;
  }

  // The pieces of every sentence in the rows, by `tokenize`.
  std::map<std::string, std::vector<std::string>> tokenize(const std::vector<JsonValue>& rows) {
    std::set<std::string> sentences;
    for (const JsonValue& row : rows) {
      for (const char* segment : {"a", "b"}) {
        for (const JsonValue& sentence : row.at(segment).at("sentences").items)
          sentences.insert(sentence.at("text").text);
      }
    }
    std::string input;
    for (const std::string& sentence : sentences) input += sentence + "\n";
    const std::vector<std::string> lines =
        explained_lines(succeed({"tokenize", "--vocab", vocab()}, {.folder = {}, .input = input}).out);
    std::map<std::string, std::vector<std::string>> pieces;
    std::size_t line = 0;
    for (const std::string& sentence : sentences) pieces[sentence] = words_of(lines.at(line++));
    return pieces;
  }

  // The sentences, joined and masked as reported, give the row.
  void expect_pieces(const std::vector<JsonValue>& rows) {
    const auto tokens = tokenize(rows);
    for (const JsonValue& row : rows) {
      std::vector<std::string> pieces{"[CLS]"};
      for (const char* segment : {"a", "b"}) {
        for (const JsonValue& sentence : row.at(segment).at("sentences").items) {
          const std::vector<std::string>& all = tokens.at(sentence.at("text").text);
          EXPECT_EQ(all.size(), number(sentence.at("tokens")));
          for (std::size_t k = number(sentence.at("first_token")); k < number(sentence.at("last_token")); ++k) {
            pieces.push_back(all.at(k));
          }
        }
        pieces.emplace_back("[SEP]");
      }
      for (const JsonValue& mask : row.at("masked").items) {
        std::string& piece = pieces.at(number(mask.at("position")));
        EXPECT_EQ(piece, mask.at("original").text);
        const std::string& as = mask.at("as").text;
        EXPECT_EQ(mask.at("shown").text == "[MASK]", as == "mask");
        if (as == "same") {
          EXPECT_EQ(mask.at("shown").text, piece);
        }
        piece = mask.at("shown").text;
      }
      EXPECT_EQ(pieces, row.at("pieces").texts());
    }
  }

  // Sentences are where they are reported: in the text shard, and in the article of the formatted file, whose line of
  // origins is that of the row. `is_of(origin, sentence)` tells whether the input has it there.
  template <class IsOf>
  void expect_places(const std::vector<JsonValue>& rows, const IsOf& is_of) {
    std::map<std::string, std::vector<std::string>> texts;
    std::map<std::string, std::vector<std::string>> formatted_texts;
    std::set<std::pair<std::string, std::string>> checked;  // origins and sentences
    for (const JsonValue& row : rows) {
      std::vector<std::string>& text = texts[row.at("text_shard").text];
      if (text.empty()) text = explained_lines(read_text(row.at("text_shard").text));
      const bool is_other = row.at("next").text == "other-article";
      EXPECT_EQ(row.at("next_sentence_label").text, is_other ? "1" : "0");
      EXPECT_EQ(row.at("a").at("article").text != row.at("b").at("article").text, is_other);
      for (const char* name : {"a", "b"}) {
        const JsonValue& segment = row.at(name);
        ASSERT_FALSE(has(segment, "not_recorded")) << segment.at("not_recorded").text;
        std::vector<std::string>& articles = formatted_texts[segment.at("formatted").text];
        if (articles.empty()) articles = articles_of(segment.at("formatted").text);
        for (const JsonValue& sentence : segment.at("sentences").items) {
          const std::string& words = sentence.at("text").text;
          const std::uint64_t line = number(sentence.at("line"));
          EXPECT_GE(line, number(segment.at("first_line")));
          EXPECT_LE(line, number(segment.at("last_line")));
          EXPECT_EQ(text.at(line - 1), words);
          EXPECT_THAT(articles.at(number(segment.at("article")) - 1), HasSubstr(words));
          const JsonValue& origin = segment.at("origin");
          const std::string place = has(origin, "byte") ? origin.at("byte").text : origin.at("title").text;
          if (!checked.insert({origin.at("source").text + place, words}).second) continue;
          EXPECT_TRUE(is_of(origin, words)) << origin.at("source").text << "\n" << words;
        }
      }
    }
  }

  // The articles of a formatted file.
  static std::vector<std::string> articles_of(const std::string& formatted) {
    std::vector<std::string> articles;
    std::string article;
    for (const std::string& line : explained_lines(read_text(formatted))) {
      const bool is_blank = line.find_first_not_of(' ') == std::string::npos;
      if (formatted.find("one_sentence_per_line") == std::string::npos) {
        if (!is_blank) articles.push_back(line);
      } else if (is_blank) {
        articles.push_back(std::exchange(article, {}));
      } else {
        article += line + "\n";
      }
    }
    return articles;
  }

  // The bytes of the input from the place of the origin on.
  static std::string from_place(const JsonValue& origin) {
    const std::string bytes = read_text(origin.at("source").text);
    const std::uint64_t byte = number(origin.at("byte"));
    EXPECT_EQ(static_cast<std::uint64_t>(std::count(bytes.begin(), bytes.begin() + static_cast<long>(byte), '\n')) + 1,
              number(origin.at("line")));
    return bytes.substr(byte);
  }
};

// Ignores white space.
bool contains(const std::string& text, const std::string& sentence) {
  const auto squeezed = [](const std::string& s) {
    std::string words;
    for (const std::string& word : words_of(s)) words += word + " ";
    return words;
  };
  return squeezed(text).find(squeezed(sentence)) != std::string::npos;
}

bool is_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || static_cast<unsigned char>(c) >= 0x80;
}

std::string letters_of(const std::string& text) {
  std::string letters;
  std::copy_if(text.begin(), text.end(), std::back_inserter(letters), is_letter);
  return letters;
}

TEST_F(ExplainTest, RowsOfWikitext) {
  const auto rows = explain_all("wikitext", {sample("sample.wikitext")});
  expect_pieces(rows);
  expect_places(rows, [](const JsonValue& origin, const std::string& sentence) {
    const std::string text = from_place(origin);
    EXPECT_TRUE(text.starts_with(" = " + origin.at("title").text + " = \n"));
    std::string article;
    for (const std::string& line : explained_lines(text.substr(1))) {
      if (line.starts_with(" = ") && !line.starts_with(" = = ") && article.size() > 1) break;
      article += line + "\n";
    }
    return contains(article, sentence);
  });
}

TEST_F(ExplainTest, RowsOfJsonLines) {
  const auto rows = explain_all("jsonl", {sample("sample.jsonl")});
  expect_pieces(rows);
  expect_places(rows, [](const JsonValue& origin, const std::string& sentence) {
    const std::string record = from_place(origin);
    return contains(parse_json(record.substr(0, record.find('\n'))).at("text").text, sentence);
  });
}

TEST_F(ExplainTest, RowsOfATable) {
  succeed({"format", sample("sample.jsonl"), "--format", "jsonl", "-o", path("one.txt")});
  std::string table = "id,text\n";
  int id = 0;
  for (const std::string& line : explained_lines(read_text(path("one.txt")))) {
    std::string field;
    for (const char c : line) field += c == '"' ? "\"\"" : std::string(1, c);
    table += std::to_string(++id) + ",\"" + field + " \"\n";
  }
  const auto rows = explain_all("csv", {folder().write("sample.csv", table)});
  expect_pieces(rows);
  expect_places(rows, [](const JsonValue& origin, const std::string& sentence) {
    const std::string record = from_place(origin);
    EXPECT_TRUE(record.starts_with(origin.at("page_id").text + ",\""));
    std::string text;
    for (const char c : record) {
      if (c != '"' || !text.ends_with('"')) text += c;
    }
    return contains(text, sentence);
  });
}

TEST_F(ExplainTest, RowsOfCitations) {
  succeed({"format", sample("sample.jsonl"), "--format", "jsonl", "-o", path("one.txt")});
  std::string set = "<PubmedArticleSet>\n";
  int id = 100;
  for (const std::string& line : explained_lines(read_text(path("one.txt")))) {
    std::string text;
    for (const char c : line) text += c == '&' ? "&amp;" : c == '<' ? "&lt;" : std::string(1, c);
    set += "<PubmedArticle><MedlineCitation><PMID>" + std::to_string(++id) +
           "</PMID><Article><Abstract><AbstractText>" + text +
           " </AbstractText></Abstract></Article></MedlineCitation></PubmedArticle>\n";
  }
  const auto rows = explain_all("pubmed", {folder().write("sample.xml", set + "</PubmedArticleSet>\n")});
  expect_pieces(rows);
  expect_places(rows, [](const JsonValue& origin, const std::string& sentence) {
    const std::string record = from_place(origin);
    const std::string pmid = "<PMID>" + origin.at("page_id").text + "</PMID>";
    EXPECT_TRUE(record.starts_with("<PubmedArticle><MedlineCitation>" + pmid));
    return letters_of(record).find(letters_of(sentence)) != std::string::npos;
  });
}

TEST_F(ExplainTest, RowsOfADump) {
  const auto rows = explain_all("mediawiki", {sample("sample_wiki.xml")});
  expect_pieces(rows);
  const std::string dump = read_text(sample("sample_wiki.xml"));
  expect_places(rows, [&](const JsonValue& origin, const std::string& sentence) {
    const std::size_t begin = dump.find("<title>" + origin.at("title").text + "</title>");
    if (begin == std::string::npos) return false;
    const std::string page = dump.substr(begin, dump.find("</page>", begin) - begin);
    EXPECT_THAT(page, HasSubstr("<id>" + origin.at("page_id").text + "</id>"));
    EXPECT_THAT(origin.at("url").text, testing::EndsWith("curid=" + origin.at("page_id").text));
    // Markup separates some of its words.
    std::string words = sentence;
    for (char& c : words) c = is_letter(c) ? c : ' ';
    std::size_t found = 0;
    for (const std::string& word : words_of(words)) found += page.find(word) != std::string::npos ? 1 : 0;
    return 3 * found >= 2 * words_of(words).size();
  });
}

TEST_F(ExplainTest, RowsOfBooks) {
  const auto rows = explain_all("books", {sample("books")});
  expect_pieces(rows);
  expect_places(rows, [](const JsonValue& origin, const std::string& sentence) {
    EXPECT_EQ(fs::path(origin.at("source").text).stem(), origin.at("title").text);
    // Lines and divided words were joined.
    return letters_of(read_text(origin.at("source").text)).find(letters_of(sentence)) != std::string::npos;
  });
}

TEST_F(ExplainTest, RowsOfArticles) {
  succeed({"format", sample("sample.wikitext"), "--format", "wikitext", "-o", path("one.txt")});
  succeed({"format", sample("sample.jsonl"), "--format", "jsonl", "-o", path("two.txt")});
  const auto rows = explain_all("articles", {path("one.txt"), path("two.txt")});
  expect_pieces(rows);
  expect_places(rows, [](const JsonValue& origin, const std::string& sentence) {
    const std::string text = from_place(origin);
    return text.substr(0, text.find('\n')).find(sentence) != std::string::npos;
  });
}

TEST_F(ExplainTest, RowsOfSentences) {
  const auto texts = make_text_shards();
  const auto rows = explain_all("sentences", {texts[0], texts[1], texts[2]});
  expect_pieces(rows);
  expect_places(rows, [](const JsonValue& origin, const std::string& sentence) {
    const std::string text = from_place(origin);
    return text.substr(0, text.find("\n\n")).find(sentence) != std::string::npos;
  });
}

TEST_F(ExplainTest, ShowsARowAsText) {
  succeed(run_sample());
  const fs::path shard = phase1() / "sample_training_0.hdf5";
  const Finished finished = succeed({"explain", shard.string() + ":0", "--work", path("work")});
  EXPECT_THAT(finished.out,
              AllOf(HasSubstr("sample_training_0.hdf5: row 0\n  next sentence: "), HasSubstr("masked by [MASK]: "),
                    HasSubstr("made in pass "), HasSubstr("A comes from"), HasSubstr("sample.wikitext, line ")));
  EXPECT_EQ(succeed({"explain", path("root") + ":0", "--work", path("work")}).out, finished.out);
  EXPECT_EQ(succeed({"explain", shard, "--rows", "0", "--work", path("work")}).out, finished.out);
  EXPECT_THAT(succeed({"explain", shard.string() + ":1:3", "--work", path("work")}).out,
              AllOf(HasSubstr(": row 1\n"), HasSubstr(": row 2\n"), Not(HasSubstr(": row 3\n"))));
}

TEST_F(ExplainTest, GivesTheRangeOfRows) {
  succeed(run_sample());
  const std::string shard = (phase1() / "sample_training_0.hdf5").string();
  fail(2, {"explain", shard}, {"no row is given", ":0"});
  fail(2, {"explain", shard + ":3:3"}, {"holds no row"});
  fail(2, {"explain", ":3"}, {"names no shard"});
  fail(1, {"explain", shard + ":123456"}, {"there is no row 123456", "counted from 0"});
  fail(1, {"explain", path("none.hdf5") + ":3"}, {"can't be opened"});
}

// The command in the message brings the text back.
TEST_F(ExplainTest, TextThatIsGoneCanBeBroughtBack) {
  succeed(run_sample());
  const std::string row = (phase1() / "sample_training_0.hdf5").string() + ":5";
  const std::string before = succeed({"explain", row, "--work", path("work")}).out;
  fs::path text;
  for (const auto& entry : fs::directory_iterator(path("work"))) {
    if (entry.path().filename().string().starts_with("sharded")) text = entry.path() / "sample";
  }
  fs::remove_all(text);
  const Finished gone = fail(1, {"explain", row, "--work", path("work")}, {"is gone", "restore it with 'bertprep "});
  const std::size_t begin = gone.err.find("'bertprep ") + 10;
  succeed(words_of(gone.err.substr(begin, gone.err.find('\'', begin) - begin)));
  EXPECT_EQ(succeed({"explain", row, "--work", path("work")}).out, before);

  std::ofstream(text / "sample_training_0.txt", std::ios::app) << "More.\n";
  fail(1, {"explain", row, "--work", path("work")}, {"is not the text that the shard was made from", "restore it"});
  fs::remove_all(path("work"));
  fail(1, {"explain", row, "--work", path("work")},
       {"work: the work folder of the run is not there", "name it with --work", "--keep formatted,sharded"});
}

TEST_F(ExplainTest, TextShardsOfTheUsersOwn) {
  std::ofstream(folder() / "own.txt") << "A cat sat.\nA dog ran.\n\nThe sun shone.\nIt was warm.\n";
  succeed({"instances", path("own.txt"), "--vocab", vocab(), "-o", path("out")});
  const std::string row = path("out/own.hdf5") + ":0";
  fail(2, {"explain", row}, {"it is not recorded where the text is", "--text"});
  for (const std::string& text : {path("own.txt"), folder().path().string()}) {
    EXPECT_THAT(succeed({"explain", row, "--text", text}).out,
                AllOf(HasSubstr("    lines 1 to 2 of "), HasSubstr("is not recorded")));
  }
}

TEST_F(ExplainTest, RowsWithoutTextAreRefused) {
  succeed(run_sample());
  succeed({"reshard", phase1(), "--shards", "2", "-o", path("dealt")});
  fail(1, {"explain", path("dealt") + ":0"}, {"redistributed by 'bertprep reshard'", "that reshard read"});
  const std::string row = (phase1() / "sample_training_0.hdf5").string() + ":0";
  fail(1, {"explain", row, "--vocab", "sample-uncased"}, {"was made with the vocabulary with the SHA-256"});
  fs::remove(phase1() / "manifest.json");
  fail(1, {"explain", row, "--vocab", vocab()}, {"no manifest.json"});
}

}  // namespace
}  // namespace bertprep::test
