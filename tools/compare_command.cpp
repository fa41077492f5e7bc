#include <cstdio>

#include "base/fields.h"
#include "console/console.h"
#include "console/json_event.h"
#include "options/command.h"
#include "quality/compare.h"

namespace bertprep::cli {
namespace {

constexpr const char* kCompareExamples =
    "  bertprep compare reference/hdf5/wikitext-2 ours/hdf5/wikitext-2\n"
    "  bertprep compare --any-order shards shards-resharded";

class CompareCommand final : public Command {
 public:
  explicit CompareCommand(CLI::App& self) : Command(self, kCompareExamples) {
    add_argument("a", a_, "A", "a folder of HDF5 files, or one such file")->required();
    add_argument("b", b_, "B", "another one")->required();
    add_flag("--any-order", any_order_, OptionGroup::kRows, "accept the same rows in another order");
  }

  int run(Console& console) override {
    const Comparison comparison = compare_sets(a_, b_, console);
    for (const RowsCompared& part : comparison.parts) console.options().json ? print_event(part) : print(part);
    for (const RecipeDifference& option : comparison.recipes) {
      if (console.options().json) {
        JsonEvent("option_differs").text("option", option.name).text("a", option.a).text("b", option.b).print();
      } else {
        std::printf("option %s: %s and %s\n", option.name.c_str(), option.a.c_str(), option.b.c_str());
      }
    }
    return comparison.same_order() || (any_order_ && comparison.same_rows()) ? kDone : kFailed;
  }

 private:
  static std::string counts_of(const RowsCompared& part) {
    return part.rows_a == part.rows_b ? counted(part.rows_a, "row")
                                      : grouped(part.rows_a) + " and " + counted(part.rows_b, "row");
  }

  static double share_of(const RowsCompared& part) {
    return part.common_of == 0 ? 0 : static_cast<double>(part.common) / static_cast<double>(part.common_of);
  }

  static void print(const RowsCompared& part) {
    const std::string name = part.part + ": " + counts_of(part) + ", ";
    if (part.same_order) {
      std::printf("%sthe same\n", name.c_str());
      return;
    }
    if (part.same_rows) {
      std::printf("%sthe same in another order\n", name.c_str());
    } else {
      const std::string by = part.one_in == 1 ? "" : ", by one row in " + grouped(part.one_in);
      std::printf("%s%s %% in common%s\n", name.c_str(), decimal(share_of(part) * 100, 1).c_str(), by.c_str());
    }
    const std::string end = "the end";
    std::printf("  first difference: %s and %s: %s\n",
                (part.first->place_a.empty() ? end : part.first->place_a).c_str(),
                (part.first->place_b.empty() ? end : part.first->place_b).c_str(), part.first->what.c_str());
  }

  static void print_event(const RowsCompared& part) {
    JsonEvent event("compared");
    event.text("part", part.part)
        .number("rows_a", part.rows_a)
        .number("rows_b", part.rows_b)
        .flag("same_order", part.same_order)
        .flag("same_rows", part.same_rows)
        .real("share_in_common", part.same_rows ? 1.0 : share_of(part))
        .number("one_in", part.one_in);
    if (part.first) {
      event.text("first_a", part.first->place_a).text("first_b", part.first->place_b).text("what", part.first->what);
    }
    event.print();
  }

  std::filesystem::path a_;
  std::filesystem::path b_;
  bool any_order_ = false;
};

}  // namespace

std::unique_ptr<Command> make_compare_command(CLI::App& self) {
  return std::make_unique<CompareCommand>(self);
}

}  // namespace bertprep::cli
