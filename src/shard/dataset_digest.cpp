// digest_datasets(): reads each dataset in blocks of whole rows, or of parts of a row if it is too long.
#include <algorithm>

#include "bertprep/shard/shard_reader.h"
#include "io/digest.h"
#include "shard/hdf5/hdf5_input.h"

namespace bertprep {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{4} << 20U;

using Shape = std::vector<std::size_t>;

std::string numpy_dtype(const IntegerType& type) {
  const std::string order = type.bytes == 1 ? "|" : type.big_endian ? ">" : "<";
  return order + (type.is_signed ? "i" : "u") + std::to_string(type.bytes);
}

// Blocks of a shape in C order: one index of each axis before `axis`, a few of `axis`, all of later axes.
class Blocks {
 public:
  Blocks(const Shape& shape, std::size_t max_elements) : shape_(shape), first_(shape.size(), 0), count_(shape) {
    done_ = std::find(shape.begin(), shape.end(), 0U) != shape.end();
    std::size_t inner = 1;
    axis_ = shape.size();
    while (axis_ > 0 && inner <= max_elements / std::max(shape[axis_ - 1], std::size_t{1})) inner *= shape[--axis_];
    if (axis_ == 0) return;  // all of it is one block
    --axis_;
    std::fill(count_.begin(), count_.begin() + static_cast<std::ptrdiff_t>(axis_), std::size_t{1});
    step_ = std::max(max_elements / inner, std::size_t{1});
    count_[axis_] = std::min(step_, shape_[axis_]);
  }

  bool done() const { return done_; }
  const Shape& first() const { return first_; }
  const Shape& count() const { return count_; }
  std::size_t elements() const {
    std::size_t all = 1;
    for (const std::size_t size : count_) all *= size;
    return all;
  }

  void next() {
    if (step_ == 0) {
      done_ = true;
      return;
    }
    first_[axis_] += count_[axis_];
    for (std::size_t axis = axis_; first_[axis] >= shape_[axis]; --axis) {
      if (axis == 0) {
        done_ = true;
        return;
      }
      first_[axis] = 0;
      ++first_[axis - 1];
    }
    count_[axis_] = std::min(step_, shape_[axis_] - first_[axis_]);
  }

 private:
  Shape shape_;
  Shape first_;
  Shape count_;
  std::size_t axis_ = 0;
  std::size_t step_ = 0;  // indices of axis_ in a block; 0 if one block has all
  bool done_ = false;
};

DatasetDigest digest_of(const Hdf5InputDataset& dataset, std::vector<std::byte>& buffer, const Progress& progress) {
  const std::size_t element_bytes = dataset.type().bytes;
  Sha256 digest;
  for (Blocks blocks(dataset.shape(), kBlockBytes / element_bytes); !blocks.done(); blocks.next()) {
    if (progress.cancelled()) throw Cancelled();
    buffer.resize(blocks.elements() * element_bytes);
    dataset.read(blocks.first(), blocks.count(), dataset.type(), buffer);
    digest.update(buffer);
  }
  return {dataset.name(), numpy_dtype(dataset.type()), dataset.shape(), digest.finish()};
}

}  // namespace

std::vector<DatasetDigest> digest_datasets(const std::filesystem::path& path, const Progress& progress) {
  const Hdf5InputFile file(path);
  std::vector<DatasetDigest> digests;
  std::vector<std::byte> buffer;
  for (const std::string& name : file.dataset_names()) digests.push_back(digest_of({file, name}, buffer, progress));
  return digests;
}

}  // namespace bertprep
