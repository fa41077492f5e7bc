// Codec: one kind of compression, as a step from packed bytes to bytes.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace bertprep {

struct CodecStep {
  std::size_t consumed = 0;
  std::size_t produced = 0;
  bool ends_unit = false;  // a whole member or frame is done; another may follow
  std::string fault{};     // what is wrong with the packed bytes; the stream ends here
};

class Codec {
 public:
  virtual ~Codec() = default;
  // What it is called in messages: "gzip".
  virtual std::string name() const = 0;
  // Unpacks what fits into `out`. Without a fault and with bytes at hand it always gets on.
  virtual CodecStep decode(std::string_view packed, std::span<char> out) = 0;
};

}  // namespace bertprep
