// LargeArray: megabytes that are accessed at random, or for the first time. They lie in few large pages, as each new
// page costs a look-up. Less than one lies anywhere.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace bertprep {

// `count` values without initial values. Throws std::bad_alloc.
template <class T>
class LargeArray {
 public:
  explicit LargeArray(std::size_t count) {
    const std::size_t page = count < kPageBytes / sizeof(T) ? kLineBytes : kPageBytes;
    const std::size_t bytes = (count * sizeof(T) / page + 1) * page;
    values_.reset(static_cast<T*>(std::aligned_alloc(page, bytes)));
    if (!values_) throw std::bad_alloc();
    if (page == kPageBytes) ::madvise(values_.get(), bytes, MADV_HUGEPAGE);  // a hint: small pages work, too
  }

  T* get() const { return values_.get(); }
  T& operator[](std::size_t i) const { return values_[i]; }

 private:
  static constexpr std::size_t kPageBytes = std::size_t{2} << 20U;
  static constexpr std::size_t kLineBytes = 64;  // of the cache
  struct Free {
    void operator()(T* values) const { std::free(values); }
  };
  std::unique_ptr<T[], Free> values_;
};

}  // namespace bertprep
