// {{#invoke:module|function|...}}: the few functions of Lua modules whose results the reference knows.
//
// String: len, sub, sublength, pos, find and replace as the module documents them, for plain text (a pattern of Lua
// counts as plain text); what is out of range is nothing. Roman and Numero romano: main, for 1 to 3999. If empty: main,
// which prints its arguments as a dictionary of Python. Every other function gives nothing.
#pragma once

#include "wiki/templates/parser_functions.h"

namespace bertprep {

void invoke_module(const FunctionCall& call);

}  // namespace bertprep
