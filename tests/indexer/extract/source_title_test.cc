// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/extract/source_title.h"

#include <gtest/gtest.h>

#include "schema/text/language_table.h"

namespace kw::indexer {
namespace {

TEST(SourceTitle, IsTheFirstTellingLine) {
  struct Row {
    const char *path, *text, *expected, *why;
  };
  const Row rows[] = {
      {"a.py", "#!/usr/bin/env python\n\"\"\"Draws maps.\n\nMore.\n\"\"\"\n", "Draws maps.",
       "docstring"},
      {"a.py", "# -*- coding: utf-8 -*-\n# Copyright 2020 X\n# All rest\n\n'''One.'''\n", "One.",
       "behind a modeline and a licence"},
      {"a.py", "import x\n\"\"\"Not a docstring\"\"\"\n", "", "behind a statement"},
      {"a.h", "// SPDX-License-Identifier: MIT\n// The table of words.\n#pragma once\n",
       "The table of words.", "behind the licence's name"},
      {"a.h", "#ifndef A_H\n#define A_H\n/** @brief Reads maps */\n", "Reads maps",
       "behind an include guard, by doxygen's tag"},
      {"a.h", "#include <x>\n// first function\nint f();\n", "", "of a function"},
      {"list.c", "/*\n * list.c\n *\n * Linked lists.\n */\n", "Linked lists.",
       "the file's own name tells nothing"},
      {"list.c", "/* list.c - linked lists\n * Copyright (c) X\n */\n", "list.c - linked lists",
       "with more it does"},
      {"a.c", "/*\n * Copyright (c) X\n *\n * Redistribution and use\n */\n\n/* Real. */\n",
       "Real.", "the licence runs to the end of its comment"},
      {"a.go", "// Copyright X\n// Use of this is bound.\n\n// Package a counts.\npackage a\n",
       "Package a counts.", "the next comment"},
      {"A.java", "package a.b;\n\n/**\n * Counts things.\n */\nclass A {}\n", "Counts things.",
       "behind the package"},
      {"a.php", "<?php\ndeclare(strict_types=1);\nnamespace A;\n/** Routes. */\nclass X {}\n",
       "Routes.", "behind what every file begins with"},
      {"a.js", "/* eslint-env node */\n'use strict';\n/**\n * @fileoverview Rule to stop it\n */\n",
       "Rule to stop it", "behind orders to tools"},
      {"a.cs", "// <copyright>\n\n/// <summary>\n/// Keeps.\n", "Keeps.", "XML"},
      {"a.sql", "-- ==========\n-- Tables of users\n", "Tables of users", "rules tell nothing"},
      {"a.json", "{\"a\": 1}\n", "", "data"},
      {"a.rs", "//! Parses dates.\nuse x;\n", "Parses dates.", "a crate's documentation"},
  };
  for (const Row& row : rows) {
    const std::string_view text = row.text;
    EXPECT_EQ(source_title(text, find_comments(text, language_of_path(row.path).lexis), row.path),
              row.expected)
        << row.path << ": " << row.why;
  }
}

TEST(SourceTitle, IsBounded) {
  const std::string text = "// " + std::string(99, 'x') + std::string(100, 'y') + "ä\n";
  EXPECT_EQ(source_title(text, {{0, text.size()}}, "a.c").size(), 199u) << "cut on a character";
}

}  // namespace
}  // namespace kw::indexer
