// {{#switch: value | case = result | ...}} as the reference evaluates it.
#pragma once

#include "wiki/parser_functions.h"

namespace bertprep {

// A case without = falls through to the next result. Only #default= is a default: a last case without = is none.
void switch_cases(const FunctionCall& call);

}  // namespace bertprep
