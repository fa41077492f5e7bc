// {{#invoke:module|function|...}}: the few functions of Lua modules that the reference implements.
//
// String: len, sub, sublength, pos, find and replace as documented in the module, for plain text (a Lua pattern counts
// as plain text); arguments out of range give nothing. Roman and Numero romano: main, for 1 to 3999. If empty: main,
// which prints its arguments as a Python dictionary. Every other function gives nothing.
#pragma once

#include "wiki/templates/parser_functions.h"

namespace bertprep {

void invoke_module(const FunctionCall& call);

}  // namespace bertprep
