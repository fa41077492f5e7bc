#include "text/punkt.h"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/number_text.h"
#include "bertprep/base/error.h"
#include "io/digest.h"
#include "io/input_file.h"
#include "text/punkt_words.h"
#include "unicode/byte_search.h"
#include "unicode/code_points.h"
#include "unicode/utf8_text.h"

namespace bertprep {
namespace {

constexpr const char* kHint = "fetch the Punkt parameters again, they are damaged";

// In which case and position a word occurred in the training text; the bits of NLTK's ortho_context.
enum OrthographicContext : std::uint8_t {
  kMiddleUpper = 4,
  kAnyUpper = 2 + 4 + 8,
  kBeginLower = 16,
  kAnyLower = 16 + 32 + 64,
};

// PunktParameters: what Punkt has learned about a language, in NLTK's punkt_tab layout.
//
// A folder with four UTF-8 files of LF lines: abbrev_types.txt and sent_starters.txt (one word per line),
// collocations.tab (two words separated by a tab), ortho_context.tab (a word, a tab, the OrthographicContext bits as a
// number).
class PunktParameters {
 public:
  // Throws IoError for a missing folder or file, FormatError for a damaged one; both name it.
  static PunktParameters load(const std::filesystem::path& folder);

  // Words are in lower case, "##number##" for numbers.
  bool is_abbreviation(std::string_view word) const { return abbreviations_.contains(word); }
  bool is_sentence_starter(std::string_view word) const { return sentence_starters_.contains(word); }
  bool is_collocation(std::string_view first, std::string_view second) const {
    const auto found = collocations_.find(first);
    return found != collocations_.end() && found->second.contains(second);
  }
  std::uint8_t orthographic_context(std::string_view word) const {
    const auto found = orthographic_contexts_.find(word);
    return found == orthographic_contexts_.end() ? std::uint8_t{0} : found->second;
  }

  // SHA-256 over the names, sizes and bytes of the four files.
  const std::string& sha256() const { return sha256_; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  using Words = std::unordered_set<std::string, Hash, std::equal_to<>>;
  template <class Value>
  using WordMap = std::unordered_map<std::string, Value, Hash, std::equal_to<>>;

  Words abbreviations_;
  Words sentence_starters_;
  WordMap<Words> collocations_;  // first word -> second words
  WordMap<std::uint8_t> orthographic_contexts_;
  std::string sha256_;
};

// The lines of one parameter file, each with its position.
class ParameterFile {
 public:
  ParameterFile(const std::filesystem::path& folder, const char* name, Sha256& digest)
      : path_((folder / name).string()), bytes_(read_file(path_)) {
    require_valid_utf8(bytes_, path_);
    digest.update(std::string(name) + ' ' + std::to_string(bytes_.size()) + '\n');
    digest.update(bytes_);
  }

  // The next line; false at the end. Valid lines are never empty.
  bool next(std::string_view& line) {
    if (begin_ == bytes_.size()) return false;
    const std::size_t end = std::min(bytes_.find('\n', begin_), bytes_.size());
    ++line_number_;
    line = std::string_view(bytes_).substr(begin_, end - begin_);
    if (line.empty()) fail("empty line");
    if (line.back() == '\r') fail("line ends in CR LF, not in LF");
    begin_ = std::min(end + 1, bytes_.size());
    return true;
  }

  bool next_word(std::string_view& word) {
    if (!next(word)) return false;
    if (word.find('\t') != std::string_view::npos) fail("a tab where one word is expected");
    return true;
  }

  bool next_pair(std::string_view& first, std::string_view& second) {
    std::string_view line;
    if (!next(line)) return false;
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos) fail("no tab between two columns");
    first = line.substr(0, tab);
    second = line.substr(tab + 1);
    if (second.find('\t') != std::string_view::npos) fail("more than two columns");
    return true;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw FormatError(what, path_ + ':' + std::to_string(line_number_), kHint);
  }

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::string bytes_;
  std::size_t begin_ = 0;
  std::size_t line_number_ = 0;
};

std::uint8_t parse_context(const ParameterFile& file, std::string_view text) {
  const auto bits = number_in<std::uint8_t>(text);
  if (!bits) file.fail(std::string(text) + " is not an orthographic context, which is a number from 0 to 255");
  return *bits;
}

void require_folder(const std::filesystem::path& folder) {
  std::error_code ignored;
  if (std::filesystem::is_directory(folder, ignored)) return;
  throw IoError("no such folder of Punkt parameters", folder.string(),
                "give `punkt` a folder with abbrev_types.txt, collocations.tab, ortho_context.tab and "
                "sent_starters.txt, or use `sentences` icu");
}

PunktParameters PunktParameters::load(const std::filesystem::path& folder) {
  require_folder(folder);
  PunktParameters parameters;
  Sha256 digest;
  std::string_view word, second;

  ParameterFile abbreviations(folder, "abbrev_types.txt", digest);
  while (abbreviations.next_word(word)) parameters.abbreviations_.emplace(word);

  ParameterFile collocations(folder, "collocations.tab", digest);
  while (collocations.next_pair(word, second)) parameters.collocations_[std::string(word)].emplace(second);

  ParameterFile contexts(folder, "ortho_context.tab", digest);
  while (contexts.next_pair(word, second)) {
    parameters.orthographic_contexts_[std::string(word)] = parse_context(contexts, second);
  }
  if (parameters.orthographic_contexts_.empty()) throw FormatError("file is empty", contexts.path(), kHint);

  ParameterFile starters(folder, "sent_starters.txt", digest);
  while (starters.next_word(word)) parameters.sentence_starters_.emplace(word);

  parameters.sha256_ = digest.finish();
  return parameters;
}

bool is_one_of(std::string_view text, std::string_view characters) {
  return text.size() == 1 && characters.find(text.front()) != std::string_view::npos;
}

// PunktDecision: decides by the surrounding words whether a mark ends a sentence.
//
// NLTK 3.8, PunktSentenceTokenizer.text_contains_sentbreak, after Kiss and Strunk (2006), "Unsupervised Multilingual
// Sentence Boundary Detection": first every token is judged alone, then each with its successor.
class PunktDecision {
 public:
  // `parameters` must outlive the object. Not thread-safe: two tokens are reused.
  explicit PunktDecision(const PunktParameters& parameters) : parameters_(parameters) {}

  // True if some word of `context` ends a sentence and another word follows.
  bool contains_break(std::string_view context) {
    PunktWords words(context);
    std::string_view word;
    if (!words.next(word)) return false;
    current_.assign(word);
    judge_alone(current_);
    while (words.next(word)) {
      following_.assign(word);
      judge_alone(following_);
      judge_with_next(current_, following_);
      if (current_.sentence_break) return true;
      std::swap(current_, following_);
    }
    return false;
  }

 private:
  enum class StartsSentence { Yes, No, Unknown };

  void judge_alone(PunktToken& token) const {
    if (is_one_of(token.text(), ".?!")) {
      token.sentence_break = true;
    } else if (token.ends_in_period() && !token.text().ends_with("..")) {
      token.abbreviation = is_abbreviation(token);
      token.sentence_break = !token.abbreviation;
    }
  }

  void judge_with_next(PunktToken& token, const PunktToken& next) const {
    if (!token.ends_in_period()) return;
    const std::string_view next_type = next.type_without_sentence_period();
    if (parameters_.is_collocation(token.type_without_period(), next_type)) {
      token.sentence_break = false;
      token.abbreviation = true;
      return;
    }
    if ((token.abbreviation || token.is_ellipsis()) && !token.is_initial()) {
      if (starts_sentence(next) == StartsSentence::Yes ||
          (next.starts_upper() && parameters_.is_sentence_starter(next_type))) {
        token.sentence_break = true;
        return;
      }
    }
    judge_initial_or_number(token, next);
  }

  void judge_initial_or_number(PunktToken& token, const PunktToken& next) const {
    const bool is_initial = token.is_initial();
    if (!is_initial && token.type_without_period() != "##number##") return;
    const StartsSentence starts = starts_sentence(next);
    const auto never_lower = [&] {
      return (parameters_.orthographic_context(next.type_without_sentence_period()) & kAnyLower) == 0;
    };
    if (starts == StartsSentence::No ||
        (starts == StartsSentence::Unknown && is_initial && next.starts_upper() && never_lower())) {
      token.sentence_break = false;
      token.abbreviation = true;
    }
  }

  bool is_abbreviation(const PunktToken& token) const {
    // A final period does not affect final sigma, so the lower case of the word is that of the token without it.
    std::string_view word = token.lowered();
    word.remove_suffix(1);
    if (parameters_.is_abbreviation(word)) return true;
    const std::size_t hyphen = word.rfind('-');
    return hyphen != std::string_view::npos && parameters_.is_abbreviation(word.substr(hyphen + 1));
  }

  StartsSentence starts_sentence(const PunktToken& token) const {
    if (is_one_of(token.text(), ";:,.!?")) return StartsSentence::No;
    const std::uint8_t seen = parameters_.orthographic_context(token.type_without_sentence_period());
    if (token.starts_upper() && (seen & kAnyLower) != 0 && (seen & kMiddleUpper) == 0) return StartsSentence::Yes;
    if (token.starts_lower() && ((seen & kAnyUpper) != 0 || (seen & kBeginLower) == 0)) return StartsSentence::No;
    return StartsSentence::Unknown;
  }

  const PunktParameters& parameters_;
  PunktToken current_;
  PunktToken following_;
};

// The first . ? or ! from `at` on, or the end of the text.
std::size_t find_mark(std::string_view text, std::size_t at) {
  return std::min(find_any<'.', '?', '!'>(text, at), text.size());
}

// Offsets are bytes of the article.
struct PunktContext {
  std::size_t word_begin = 0;   // of the word before the mark
  std::size_t mark = 0;         // the . ? or !
  std::size_t context_end = 0;  // end of the punctuation or the word after the mark
  std::size_t next_begin = 0;   // where the next sentence begins if this one ends here
};

// PunktContexts: the positions in an article where a sentence may end, with the words around them.
//
// NLTK 3.8, PunktSentenceTokenizer._match_potential_end_contexts: a mark (. ? !) followed by punctuation, or by white
// space and a word, with the word before it. Of marks with the same word before them, only the last one counts.
class PunktContexts {
 public:
  // `article` must be valid UTF-8 and outlive the object.
  explicit PunktContexts(std::string_view article) : article_(article) {}

  // The next context, from left to right; false at the end. Total time is linear in the article.
  bool next(PunktContext& context) {
    PunktContext candidate;
    while (find_candidate(candidate)) {
      const bool is_apart = has_pending_ && pending_.mark <= candidate.word_begin;
      context = std::exchange(pending_, candidate);
      has_pending_ = true;
      if (is_apart) return true;
    }
    context = pending_;
    return std::exchange(has_pending_, false);
  }

 private:
  bool find_candidate(PunktContext& candidate) {
    for (at_ = find_mark(article_, at_); at_ < article_.size(); at_ = find_mark(article_, at_ + 1)) {
      candidate.mark = at_;
      if (!complete_after_mark(candidate)) continue;
      candidate.word_begin = find_word_begin(at_);
      ++at_;
      return true;
    }
    return false;
  }

  bool complete_after_mark(PunktContext& candidate) const {
    const std::size_t after = candidate.mark + 1;
    if (after == article_.size()) return false;
    if (punkt::is_a(punkt::kNonWord, article_[after])) {
      candidate.context_end = after + 1;
      candidate.next_begin = after;
      return true;
    }
    const std::size_t word = unicode::skip_spaces(article_, after);
    if (word == after || word == article_.size()) return false;
    candidate.context_end = unicode::find_space(article_, word);
    candidate.next_begin = word;
    return true;
  }

  // Looks back to the previous candidate at most. As in the reference, white space at the very start of that span is
  // ignored; if there is no other, the word is the one before the previous candidate.
  std::size_t find_word_begin(std::size_t mark) const {
    const std::size_t span_begin = pending_.mark;
    std::size_t begin = mark;
    while (begin > span_begin + 1 && !punkt::is_a(punkt::kBlank, article_[begin - 1])) --begin;
    return begin > span_begin + 1 ? begin : pending_.word_begin;
  }

  std::string_view article_;
  std::size_t at_ = 0;
  bool has_pending_ = false;
  PunktContext pending_;  // the last candidate, returned unless the next one has the same word before it
};

struct Slice {
  std::size_t begin;
  std::size_t end;
};

// Closing quotes and brackets at the start of a slice belong to the sentence before it, if white space, "--" or nothing
// follows them.
struct Closers {
  std::size_t end;   // of the quotes and brackets
  std::size_t rest;  // where the slice begins without them
};

std::optional<Closers> find_closers(std::string_view article, Slice slice) {
  const std::string_view text = article.substr(0, slice.end);
  std::size_t end = slice.begin;
  while (end < slice.end && punkt::is_a(punkt::kCloser, text[end])) ++end;
  if (end == slice.begin) return std::nullopt;
  const std::size_t rest = unicode::skip_spaces(text, end);
  const bool is_followed = end == slice.end || rest > end || text.substr(end).starts_with("--");
  return is_followed ? std::optional(Closers{end, rest}) : std::nullopt;
}

// Reads the slices of an article from left to right and appends its sentences.
class Realignment {
 public:
  Realignment(std::string_view article, std::vector<std::string_view>& sentences)
      : article_(article), sentences_(sentences) {}

  void add(Slice slice) {
    if (has_previous_) {
      if (const auto closers = find_closers(article_, slice)) {
        append({previous_.begin, closers->end});
        slice.begin = closers->rest;
      } else {
        append(previous_);
      }
    }
    previous_ = slice;
    has_previous_ = true;
  }

  void finish() { append(previous_); }

 private:
  void append(Slice slice) {
    if (slice.begin < slice.end) sentences_.push_back(article_.substr(slice.begin, slice.end - slice.begin));
  }

  std::string_view article_;
  std::vector<std::string_view>& sentences_;
  bool has_previous_ = false;
  Slice previous_{0, 0};
};

class PunktSplitter final : public SentenceSplitter {
 public:
  explicit PunktSplitter(const std::filesystem::path& folder) : parameters_(PunktParameters::load(folder)) {}

  std::string name() const override { return "punkt"; }
  std::string version() const override { return "sha256:" + parameters_.sha256(); }

  void split(std::string_view article, std::vector<std::string_view>& sentences) const override {
    sentences.clear();
    PunktContexts contexts(article);
    PunktDecision decision(parameters_);
    Realignment realignment(article, sentences);
    std::size_t begin = 0;
    for (PunktContext context; contexts.next(context);) {
      const std::size_t length = context.context_end - context.word_begin;
      if (!decision.contains_break(article.substr(context.word_begin, length))) continue;
      realignment.add({begin, context.mark + 1});
      begin = context.next_begin;
    }
    realignment.add({begin, strip_end(article).size()});
    realignment.finish();
  }

 private:
  PunktParameters parameters_;
};

}  // namespace

std::shared_ptr<const SentenceSplitter> load_punkt(const std::filesystem::path& folder) {
  return std::make_shared<PunktSplitter>(folder);
}

}  // namespace bertprep
