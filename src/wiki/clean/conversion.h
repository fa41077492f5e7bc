// What a call of {{convert}} asks for.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wiki/clean/call.h"
#include "wiki/clean/measure.h"

namespace bertprep::clean {

struct Conversion {
  std::vector<Measure> measures;     // 10 | to | 20
  std::vector<std::string> between;  // " to "
  std::optional<ScaledUnit> unit;
  std::vector<std::pair<Measure, const Unit*>> smaller;  // the inches of 5 | ft | 10 | in
  std::string targets;
  std::optional<int> places;
  std::optional<int> digits;    // sigfig=3
  std::optional<double> steps;  // round=5
  std::optional<int> fraction;  // frac=8
  std::string before;           // "winding" with adj=pre
  std::string before_result;
  std::string middle;  // "-long" with adj=mid
  bool is_adjective = false;
  bool is_american = false;
  bool is_given_short = false;
  bool is_result_short = true;
  bool is_flipped = false;
  bool is_given_spelled = false;
  bool is_result_spelled = false;
  bool is_capital = false;               // spell=In
  bool is_number_only = false;           // disp=number
  bool has_no_units = false;             // abbr=values
  const LanguageTable* table = nullptr;  // of another language than English
};

// Nothing when an argument, a unit or an option is not understood.
std::optional<Conversion> read_conversion(TemplateCall& call);

}  // namespace bertprep::clean
