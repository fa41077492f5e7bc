#include <gtest/gtest.h>

#include "trainer/machine.h"

namespace bertprep::test {
namespace {

TEST(BlasLibrary, ToldByItsFolder) {
  EXPECT_TRUE(is_reference_blas("/usr/lib/x86_64-linux-gnu/blas/libblas.so.3.11.0"));
  EXPECT_FALSE(is_reference_blas("/usr/lib/x86_64-linux-gnu/openblas-pthread/libblas.so.3"));
  EXPECT_FALSE(is_reference_blas("/opt/torch/lib/libmkl_rt.so.2"));
  EXPECT_FALSE(is_reference_blas(""));
}

// This test multiplies no matrices.
TEST(BlasLibrary, ThereAreNone) {
  EXPECT_EQ(blas_library(), "");
}

}  // namespace
}  // namespace bertprep::test
