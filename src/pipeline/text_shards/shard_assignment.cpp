#include "pipeline/text_shards/shard_assignment.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <limits>
#include <numeric>

#include "base/fields.h"
#include "io/digest.h"
#include "io/folder.h"
#include "io/output_file.h"

namespace bertprep {
namespace {

namespace fs = std::filesystem;

struct PlacedArticle {
  std::uint32_t id;
  std::uint32_t sentences;
};

constexpr int kIdBits = 32;

std::vector<std::uint64_t> sorted_articles(std::span<const std::uint32_t> sentences_per_article) {
  std::vector<std::uint64_t> articles;
  articles.reserve(sentences_per_article.size());
  for (const std::uint64_t sentences : sentences_per_article) {
    articles.push_back(sentences << kIdBits | articles.size());
  }
  std::sort(articles.begin(), articles.end());
  return articles;
}

std::uint32_t sentences_of(std::uint64_t article) {
  return static_cast<std::uint32_t>(article >> kIdBits);
}

// ArticlePool: the articles not yet assigned, by their number of sentences.
//
// Articles of equal length are taken from the last to the first. Memory: 8 bytes per article.
class ArticlePool {
 public:
  // Article k has sentences_per_article[k] sentences, at least one.
  explicit ArticlePool(std::span<const std::uint32_t> sentences_per_article)
      : articles_(sorted_articles(sentences_per_article)), lengths_{0}, begin_{0}, left_(articles_.size()) {
    assert(articles_.size() <= std::numeric_limits<std::uint32_t>::max());
    for (std::size_t k = 0; k < articles_.size(); ++k) {
      if (sentences_of(articles_[k]) == lengths_.back()) continue;
      lengths_.push_back(sentences_of(articles_[k]));
      begin_.push_back(k);
    }
    end_.assign(begin_.begin() + 1, begin_.end());
    end_.push_back(articles_.size());
    below_.resize(lengths_.size());
    std::iota(below_.begin(), below_.end(), std::size_t{0});
  }

  bool empty() const { return left_ == 0; }

  // Takes a longest article of at most `sentences` sentences.
  std::optional<PlacedArticle> take_at_most(std::int64_t sentences) {
    std::size_t length = lengths_.size() - 1;
    if (sentences < lengths_.back()) {
      const auto longer = std::upper_bound(lengths_.begin(), lengths_.end(), std::max<std::int64_t>(sentences, 0));
      length = static_cast<std::size_t>(longer - lengths_.begin()) - 1;
    }
    length = filled_at_or_below(length);
    if (length == 0) return std::nullopt;

    const std::uint64_t article = articles_[--end_[length]];
    if (end_[length] == begin_[length]) below_[length] = length - 1;
    --left_;
    return PlacedArticle{static_cast<std::uint32_t>(article), sentences_of(article)};
  }

  // Sentences of the shortest article; the pool must not be empty.
  std::uint32_t shortest() {
    assert(!empty());
    while (begin_[shortest_] == end_[shortest_]) ++shortest_;
    return lengths_[shortest_];
  }

 private:
  // An exhausted length stays so, so the search path is compressed (union-find with path halving).
  std::size_t filled_at_or_below(std::size_t length) {
    while (below_[length] != length) {
      below_[length] = below_[below_[length]];
      length = below_[length];
    }
    return length;
  }

  // All articles in ascending order of (sentences, id); those of length k start at begin_[k].
  std::vector<std::uint64_t> articles_;
  std::vector<std::uint32_t> lengths_;  // distinct lengths, ascending; lengths_[0] is 0, without articles
  std::vector<std::size_t> begin_;
  std::vector<std::size_t> end_;
  std::vector<std::size_t> below_;  // its own index while there are articles of this length, else that of a shorter one
  std::size_t shortest_ = 1;
  std::size_t left_ = 0;
};

// Numbers of shards that `articles` can fill, in the requested proportion.
std::string shards_that_fit(std::uint64_t articles, const ShardingOptions& options) {
  if (articles < 2) return "at least two articles are needed, one for training and one for testing";
  const auto train = static_cast<std::uint64_t>(options.train_shards);
  const auto test = static_cast<std::uint64_t>(options.test_shards);
  const std::uint64_t fitting_train = std::clamp<std::uint64_t>(articles * train / (train + test), 1, articles - 1);
  const std::uint64_t fitting_test =
      std::clamp<std::uint64_t>(articles * test / (train + test), 1, articles - fitting_train);
  return "use `train_shards` " + std::to_string(fitting_train) + " `test_shards` " + std::to_string(fitting_test) +
         " or fewer";
}

void check_input(std::span<const std::uint32_t> sentences_per_article, const ShardingOptions& options) {
  validate(options);
  if (!options.is_resolved()) {
    throw ConfigError("the numbers of shards are not set", {}, "give both, or let the stage count the articles");
  }
  const std::uint64_t articles = sentences_per_article.size();
  const auto shards = static_cast<std::uint64_t>(options.train_shards + options.test_shards);
  if (articles == 0) throw FormatError("there are no articles to shard", {}, "check the input files");
  if (articles < shards) {
    throw FormatError(counted(articles, "article") + " cannot fill " +
                          counted(static_cast<std::uint64_t>(options.train_shards), "training shard") + " and " +
                          counted(static_cast<std::uint64_t>(options.test_shards), "test shard") +
                          " with one article each",
                      {}, shards_that_fit(articles, options));
  }
  const auto empty = std::find(sentences_per_article.begin(), sentences_per_article.end(), 0U);
  if (empty != sentences_per_article.end()) {
    throw Error("article " + std::to_string(empty - sentences_per_article.begin()) + " has no sentences");
  }
}

// The shards of one kind. No shard ever has more sentences than the nominal number: the first articles raise it to
// their length, later ones are chosen to fit. So the room in a shard is never negative.
class Split {
 public:
  Split(std::int64_t shards, std::int64_t sentences)
      : articles_(static_cast<std::size_t>(shards)), sentences_(articles_.size()), nominal_(sentences / shards) {}

  void take_first(ArticlePool& pool) {
    for (std::size_t shard = 0; shard < articles_.size(); ++shard) {
      put(shard, *pool.take_at_most(std::numeric_limits<std::int64_t>::max()));
      nominal_ = std::max(nominal_, sentences_[shard]);
    }
  }

  // Gives one article to every shard that is not fuller than the median before the pass. Returns whether any was taken.
  bool take_fitting(ArticlePool& pool) {
    const std::int64_t limit = doubled_median();
    bool any = false;
    for (std::size_t shard = 0; shard < articles_.size(); ++shard) {
      if (2 * sentences_[shard] > limit) continue;
      const auto article = pool.take_at_most(nominal_ - sentences_[shard]);
      if (!article) continue;
      put(shard, *article);
      any = true;
    }
    return any;
  }

  void raise_nominal() { ++nominal_; }
  void make_room_for(std::uint32_t sentences) {
    nominal_ = *std::min_element(sentences_.begin(), sentences_.end()) + sentences;
  }

  std::vector<std::vector<std::uint32_t>> articles() && { return std::move(articles_); }

 private:
  void put(std::size_t shard, const PlacedArticle& article) {
    articles_[shard].push_back(article.id);
    sentences_[shard] += article.sentences;
  }

  // The median of an even number of shards is between two of them; doubled, it is an integer.
  std::int64_t doubled_median() {
    sorted_ = sentences_;
    const auto middle = sorted_.begin() + static_cast<std::ptrdiff_t>(sorted_.size() / 2);
    std::nth_element(sorted_.begin(), middle, sorted_.end());
    if (sorted_.size() % 2 == 1) return 2 * *middle;
    return *middle + *std::max_element(sorted_.begin(), middle);
  }

  std::vector<std::vector<std::uint32_t>> articles_;
  std::vector<std::int64_t> sentences_;
  std::vector<std::int64_t> sorted_;
  std::int64_t nominal_;
};

// The reference raises the nominal number by one whenever the number of remaining articles has not changed for four
// passes (fewer at the start). This is always so after the first pass, and otherwise only if nothing was taken. Then
// nothing can be taken until the emptiest training shard, which is never above the median, has room for the shortest
// article, so the passes in between are skipped.
void distribute(ArticlePool& pool, Split& training, Split& test) {
  for (bool first_pass = true; !pool.empty(); first_pass = false) {
    const bool by_training = training.take_fitting(pool);
    const bool by_test = test.take_fitting(pool);
    if (pool.empty()) return;
    if (!by_training && !by_test) {
      training.make_room_for(pool.shortest());
    } else if (first_pass) {
      training.raise_nominal();
    }
  }
}

static_assert(std::endian::native == std::endian::little);

constexpr std::uint64_t kHeadNumbers = 3;

std::uint64_t checksum_of_piece(std::string_view offsets, std::string_view shards) {
  return checksum_of(shards, checksum_of(offsets));
}

constexpr const char* kFile = "file";
constexpr const char* kArticles = "articles";
constexpr const char* kPlacesEnding = ".articles";

}  // namespace

std::vector<std::uint32_t> weights_of(ArticleSizes& sizes, bool as_is) {
  if (!as_is) return std::move(sizes.sentences);
  constexpr std::uint64_t kBytesOfASentence = 128;
  std::vector<std::uint32_t> weights;
  weights.reserve(sizes.bytes.size());
  for (const std::uint64_t bytes : sizes.bytes) {
    weights.push_back(static_cast<std::uint32_t>(1 + bytes / kBytesOfASentence));
  }
  return weights;
}

ShardAssignment place_articles(std::span<const std::uint32_t> sentences_per_article, const ShardingOptions& options) {
  check_input(sentences_per_article, options);
  const std::int64_t sentences =
      std::accumulate(sentences_per_article.begin(), sentences_per_article.end(), std::int64_t{0});
  const auto for_training = static_cast<std::int64_t>((1.0 - options.test_fraction) * static_cast<double>(sentences));
  Split training(options.train_shards, for_training);
  Split test(options.test_shards, sentences - for_training);

  ArticlePool pool(sentences_per_article);
  training.take_first(pool);
  test.take_first(pool);
  distribute(pool, training, test);
  return {std::move(training).articles(), std::move(test).articles()};
}

ArticlePlaces places_of(const ShardAssignment& assignment, std::vector<std::uint64_t> bytes) {
  ArticlePlaces places{std::vector<std::uint32_t>(bytes.size()), std::move(bytes), {}};
  for (const auto* split : {&assignment.training, &assignment.test}) {
    for (const std::vector<std::uint32_t>& articles : *split) {
      const auto shard = static_cast<std::uint32_t>(places.shard_bytes.size());
      std::uint64_t end = 0;
      for (const std::uint32_t article : articles) {
        places.shard[article] = shard;
        end += std::exchange(places.offset[article], end);
      }
      places.shard_bytes.push_back(end);
    }
  }
  return places;
}

void write_assignment(const fs::path& file, const ArticlePlaces& places,
                      std::span<const std::uint64_t> first_articles) {
  std::vector<std::uint64_t> numbers{places.shard_bytes.size(), first_articles.size() - 1, places.shard.size()};
  numbers.insert(numbers.end(), places.shard_bytes.begin(), places.shard_bytes.end());
  numbers.insert(numbers.end(), first_articles.begin(), first_articles.end());
  numbers.push_back(checksum_of(bytes_in_memory(numbers)));
  const std::span<const std::uint64_t> offsets(places.offset);
  const std::span<const std::uint32_t> shards(places.shard);
  for (std::size_t piece = 0; piece + 1 < first_articles.size(); ++piece) {
    const std::uint64_t first = first_articles[piece];
    const std::uint64_t count = first_articles[piece + 1] - first;
    numbers.push_back(checksum_of_piece(bytes_in_memory(offsets.subspan(first, count)),
                                        bytes_in_memory(shards.subspan(first, count))));
  }
  OutputFile out(file);
  out.write(bytes_in_memory(numbers));
  out.write(bytes_in_memory(offsets));
  out.write(bytes_in_memory(shards));
  out.finish();
}

AssignmentFile::AssignmentFile(const fs::path& file, std::string hint)
    : path_(file), hint_(std::move(hint)), file_(file) {
  const std::uint64_t size = file_.bytes().size();
  if (size >= kHeadNumbers * 8) {
    shards_ = number_at(0);
    pieces_ = number_at(1);
    articles_ = number_at(2);
  }
  // None may be larger than the file, so that their sum does not overflow.
  const bool fits = size >= kHeadNumbers * 8 && std::max({shards_, pieces_, articles_}) <= size &&
                    size == (kHeadNumbers + shards_ + 2 * pieces_ + 2) * 8 + articles_ * 12;
  if (!fits || number_at(head().size() / 8) != checksum_of(head()) || !has_valid_numbers()) {
    throw FormatError("is not an assignment, or is damaged", file, hint_);
  }
}

std::string_view AssignmentFile::head() const {
  return file_.bytes().substr(0, (kHeadNumbers + shards_ + pieces_ + 1) * 8);
}

std::string_view AssignmentFile::offsets(std::uint64_t begin, std::uint64_t end) const {
  return file_.bytes().substr(head().size() + (1 + pieces_ + begin) * 8, (end - begin) * 8);
}

std::string_view AssignmentFile::shards_of(std::uint64_t begin, std::uint64_t end) const {
  return file_.bytes().substr(head().size() + (1 + pieces_ + articles_) * 8 + begin * 4, (end - begin) * 4);
}

bool AssignmentFile::has_valid_numbers() const {
  std::uint64_t last = number_at(kHeadNumbers + shards_);
  if (last != 0) return false;
  for (std::uint64_t piece = 1; piece <= pieces_; ++piece) {
    const std::uint64_t first = number_at(kHeadNumbers + shards_ + piece);
    if (first < last) return false;
    last = first;
  }
  return last == articles_;
}

std::uint64_t AssignmentFile::number_at(std::uint64_t index) const {
  std::uint64_t number = 0;
  std::memcpy(&number, file_.bytes().data() + index * 8, sizeof number);
  return number;
}

std::uint64_t AssignmentFile::shard_bytes(std::size_t shard) const {
  return number_at(kHeadNumbers + shard);
}

std::vector<AssignmentFile::Place> AssignmentFile::places_of_piece(std::size_t piece) const {
  if (piece >= pieces_) throw FormatError("has no piece " + std::to_string(piece), path_, hint_);
  const std::uint64_t begin = number_at(kHeadNumbers + shards_ + piece);
  const std::uint64_t end = number_at(kHeadNumbers + shards_ + piece + 1);
  const std::string_view offsets_here = offsets(begin, end);
  const std::string_view shards_here = shards_of(begin, end);
  if (number_at(head().size() / 8 + 1 + piece) != checksum_of_piece(offsets_here, shards_here)) {
    throw FormatError("is damaged", path_, hint_);
  }
  std::vector<Place> places(end - begin);
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::memcpy(&places[i].offset, offsets_here.data() + i * 8, 8);
    std::memcpy(&places[i].shard, shards_here.data() + i * 4, 4);
    if (places[i].shard >= shards_ || places[i].offset >= shard_bytes(places[i].shard))
      throw FormatError("is damaged", path_, hint_);
  }
  return places;
}

void AssignmentFile::check() const {
  for (std::size_t piece = 0; piece < pieces(); ++piece) places_of_piece(piece);
}

std::vector<AssignmentFile::PlacedArticle> AssignmentFile::articles_of_shard(std::size_t shard) const {
  std::vector<PlacedArticle> found;
  std::uint64_t article = 0;
  for (std::size_t piece = 0; piece < pieces(); ++piece) {
    for (const Place& place : places_of_piece(piece)) {
      if (place.shard == shard) found.push_back({article, place.offset, 0});
      ++article;
    }
  }
  std::ranges::sort(found, {}, &PlacedArticle::begin);
  std::uint64_t end = shard_bytes(shard);
  for (auto placed = found.rbegin(); placed != found.rend(); ++placed) placed->end = std::exchange(end, placed->begin);
  return found;
}

std::string article_places_name(const std::string& dataset) {
  return dataset + kPlacesEnding;
}

std::vector<fs::path> damaged_assignments(const fs::path& state) {
  std::vector<fs::path> damaged;
  for (const auto& entry : list_folder_if_any(state)) {
    if (entry.path().extension() != kPlacesEnding) continue;
    try {
      AssignmentFile(entry.path()).check();
    } catch (const FormatError&) {
      damaged.push_back(entry.path());
    }
  }
  return damaged;
}

Json json_of(std::span<const TextSource> sources, const fs::path& text_shards) {
  const fs::path folder = fs::absolute(text_shards).lexically_normal();
  Json list = Json::array();
  for (const TextSource& source : sources) {
    const fs::path file = fs::absolute(source.file).lexically_normal().lexically_proximate(folder);
    list.push(Json::object().add(kFile, Json::string(file.string())).add(kArticles, Json::number(source.articles)));
  }
  return list;
}

std::vector<TextSource> text_sources_in(const Json& counts, const fs::path& text_shards) {
  std::vector<TextSource> sources;
  const Json* list = counts.find(kTextSources);
  if (list == nullptr) return sources;
  for (const Json& source : list->items()) {
    sources.push_back({(text_shards / source.at(kFile).text()).lexically_normal(), source.at(kArticles).as_unsigned()});
  }
  return sources;
}

}  // namespace bertprep
