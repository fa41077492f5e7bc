// What English encyclopedia text comes to, for plans of corpora that are not here yet (docs/cli/plan.md has the table).
//
// Measured with this program on a gigabyte made of the training text of WikiText-2, Punkt, bert-large-uncased.
#pragma once

namespace bertprep::ratios {

inline constexpr double kSentencesOfAByte = 1 / 133.9;
inline constexpr double kTokensOfAByte = 1 / 4.522;
inline constexpr double kFormattedOfAByte = 0.42;  // zstd
inline constexpr double kIndexOfAByte = 0.02;
// Of the text of a corpus, copied `dupe factor` times.
inline constexpr double kRowsOfAToken128 = 1 / 95.0;
inline constexpr double kRowsOfAToken512 = 1 / 295.3;
inline constexpr double kBytesOfARow128 = 219;
inline constexpr double kBytesOfARow512 = 750;
// Bytes of an article, where the catalogue has no number of articles.
inline constexpr double kBytesOfAnArticle = 3200;
// How much longer real text takes than the generated text of the calibration.
inline constexpr double kRealTextTime = 1.0;

}  // namespace bertprep::ratios
