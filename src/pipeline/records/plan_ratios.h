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

// Bytes a second of two threads, for what has not told its own speed yet (docs/performance.md has the measurements).
inline constexpr double kDigestSpeed = 1e9;
inline constexpr double kDownloadSpeed = 20e6;
inline constexpr double kTextSpeed = 211e6;  // formatted, compressed and split
inline constexpr double kDumpSpeed = 300e6;  // of XML
inline constexpr double kBzip2Speed = 27e6;  // compressed
inline constexpr double kShardSpeed = 422e6;
inline constexpr double kCopySpeed = 385e6;  // of text, for each of its copies in each phase
inline constexpr double kSequenceSpeed = 300e6;
// Bytes of text in a byte of a file.
inline constexpr double kTextOfADumpByte = 0.3;
inline constexpr double kTextOfABzip2DumpByte = 1.0;
inline constexpr double kTextOfAPackedByte = 3.0;

}  // namespace bertprep::ratios
