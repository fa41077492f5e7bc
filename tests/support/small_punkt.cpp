#include "support/small_punkt.h"

namespace bertprep::test {

SmallPunkt::SmallPunkt() {
  folder_.write("abbrev_types.txt", "dr\ne.g\nu.s\npm\nος\n. . \nß\n");
  folder_.write("collocations.tab", "##number##\tabout\nj\tbach\nu.s\tarmy\n");
  folder_.write("sent_starters.txt", "the\nthey\nдом\nsüd\n");
  folder_.write("ortho_context.tab",
                "the\t126\nhe\t18\nbach\t14\nit\t42\na\t16\nδος\t34\nσος\t98\nдом\t6\n##number##\t112\nb\t34\n");
}

}  // namespace bertprep::test
