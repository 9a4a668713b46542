// SPDX-License-Identifier: GPL-2.0-or-later
// The scanners of declarations, one a language. Who chooses: declarations.cc.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "indexer/extract/declaration_scanner.h"

namespace kw::indexer {

using MakeScanner = std::unique_ptr<DeclarationScanner>(std::string_view text,
                                                        const LexicalStyle& style);

MakeScanner csharp_scanner, kotlin_scanner, php_scanner, rust_scanner, script_scanner;

}  // namespace kw::indexer
