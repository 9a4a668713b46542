// SPDX-License-Identifier: GPL-2.0-or-later
// The second stage of a message: the file with the heaviest run of its words comes first, because
// they stand together where the message is printed. docs/ranking.md has the reasons for the
// numbers.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "searcher/engine/plan.h"
#include "searcher/query/message.h"

namespace kw::search {

/// `idf`: of the words that the index has, folded.
std::unique_ptr<SecondStage> make_message_stage(const std::vector<MessageWord>& said,
                                                const std::unordered_map<std::string, double>& idf);

}  // namespace kw::search
