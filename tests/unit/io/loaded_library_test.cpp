#include "io/loaded_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bertprep/base/error.h"

namespace bertprep {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Property;
using testing::ThrowsMessage;

TEST(LoadedLibrary, GivesFunctions) {
  const LoadedLibrary library("libm.so.6", "nowhere.so");
  double (*const root)(double) = library["sqrt"];
  EXPECT_EQ(root(9), 3);
}

TEST(LoadedLibrary, IsFoundWhereTheBuildFoundIt) {
  const LoadedLibrary library("no-such-library.so.1", "libm.so.6");
  double (*const root)(double) = library["sqrt"];
  EXPECT_EQ(root(4), 2);
}

TEST(LoadedLibrary, SaysWhatIsMissing) {
  EXPECT_THAT([] { LoadedLibrary("no-such-library.so.1", "nowhere.so"); },
              ThrowsMessage<Error>(AllOf(HasSubstr("no-such-library.so.1 can't be loaded ("), HasSubstr("install"))));
  EXPECT_THAT([] { LoadedLibrary("libm.so.6", "nowhere.so")["no_such_function"]; },
              ThrowsMessage<Error>(HasSubstr("libm.so.6 has no no_such_function")));
}

}  // namespace
}  // namespace bertprep
