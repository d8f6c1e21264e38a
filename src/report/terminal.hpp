// What a person reads in a terminal, made from the result document.
#pragma once

#include <string>
#include <vector>

#include "edagen/result.hpp"
#include "result/load_table.hpp"

namespace edagen {

/// The answer in a sentence, why it is invalid and what mends that; then the tables: of one load point its latencies
/// and each kind of op, of a curve its points and a plot, with `search_blocks` also those that a search took. Tables
/// have 80 columns, but for long names. `beside`: what others have measured, to be laid beside a curve. The last lines
/// are the answer in the form people quote it.
std::string result_text(const Result& result, bool search_blocks = false, const std::vector<LoadTable>& beside = {});

}  // namespace edagen
