// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/text/language_table.h"

#include <gmock/gmock.h>

#include <initializer_list>
#include <string>
#include <utility>

namespace kw {
namespace {

TEST(FileKind, OfPaths) {
  struct Row {
    std::string path, name;
    FileKind kind;
    std::string ctags, why;
  };
  const Row rows[] = {
      {"docs/a.py_docs.md", "markdown", FileKind::Markdown, "", "the last extension counts"},
      {"README.MD", "markdown", FileKind::Markdown, "", "case does not"},
      {"a/b.py", "python", FileKind::Source, "py", "a plain extension"},
      {"a/b.pyi", "python", FileKind::Source, "py", "stubs are Python"},
      {"x.c", "c", FileKind::Source, "c", "surely C: the C parser"},
      {"x.h", "c", FileKind::Source, "h", "either: the C++ parser, which reads both"},
      {"x.h.in", "c", FileKind::Source, "h", "a template of a header"},
      {"x.hpp", "c++", FileKind::Source, "cpp", "surely C++"},
      {"k.cuh", "cuda", FileKind::Source, "cu", "CUDA header"},
      {"k.mm", "objective-c", FileKind::Source, "mm", "Objective-C++"},
      {"arch/entry.S", "assembler", FileKind::Source, "asm", "capital S"},
      {"CMakeLists.txt", "cmake", FileKind::Source, "cmake", "a name goes before its extension"},
      {"sub/Makefile", "make", FileKind::Source, "mk", "a name without extension"},
      {"Dockerfile", "dockerfile", FileKind::Source, "", "ctags has nothing for it"},
      {"a/b.libsonnet", "jsonnet", FileKind::Source, "", "ctags has nothing for it"},
      {"BUILD", "starlark", FileKind::Source, "py", "Bazel is read as Python"},
      {"build", "", FileKind::Prose, "", "names are compared exactly"},
      {"MANIFEST.in", "ignore", FileKind::Data, "", "a name that ends in .in"},
      {"requirements.txt", "text", FileKind::Prose, "", "plain text"},
      {"a.json", "json", FileKind::Data, "", "data has no definitions"},
      {"a.yml", "yaml", FileKind::Data, "", "data has no definitions"},
      {".bashrc", "shell", FileKind::Source, "sh", "a leading dot begins no extension"},
      {"LICENSE", "", FileKind::Prose, "", "unknown"},
      {"a.unknown", "", FileKind::Prose, "", "unknown"},
      {"py", "", FileKind::Prose, "", "a name is no extension"},
      {".py", "", FileKind::Prose, "", "nor is a name that is nothing else"},
      {"", "", FileKind::Prose, "", "no path at all"},
      {"a.py/", "", FileKind::Prose, "", "no file name"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.path + ": " + row.why);
    const Language& language = language_of_path(row.path);
    EXPECT_EQ(language.name, row.name);
    EXPECT_EQ(language.kind, row.kind);
    EXPECT_EQ(language.ctags_extension, row.ctags);
  }
}

TEST(LanguageTable, NamesWithMore) {
  struct Row {
    const char *path, *name, *why;
  };
  const Row rows[] = {
      {"Dockerfile.dev", "dockerfile", "a name and a word"},
      {"Makefile.inc", "make", "the same"},
      {"a.conf.example", "ini", "a template"},
      {"phpunit.xml.dist", "xml", "another"},
      {"a.C", "c++", "a capital"},
      {"a.H", "c++", "the same"},
      {"a.c", "c", "a small letter"},
      {"Makefile.py", "python", "an extension that is known goes before"},
      {"a.example", "", "a template of nothing"},
  };
  for (const Row& row : rows)
    EXPECT_EQ(language_of_path(row.path).name, row.name) << row.path << ": " << row.why;
}

TEST(LanguageTable, OfFilesByTheirText) {
  struct Row {
    const char *path, *text, *name, *why;
  };
  const Row rows[] = {
      {"tool", "#!/usr/bin/env python3\n", "python", "an interpreter"},
      {"tool", "#!/bin/sh\n", "shell", "by its path"},
      {"tool", "#!/usr/bin/env -S node --x\n", "javascript", "behind options"},
      {"tool", "#!/usr/bin/env A=b perl -w\n", "perl", "and variables"},
      {"tool", "#! /usr/bin/python2.7\n", "python", "a version"},
      {"tool", "#!/opt/nosuch\n", "", "an unknown one"},
      {"tool", "echo\n", "", "no mark"},
      {"rc", "# -*- mode: ruby; x: y -*-\n", "ruby", "Emacs"},
      {"rc", "# -*- Python -*-\n", "python", "Emacs, short"},
      {"rc", "a\n\n# vim: set ts=2 ft=perl :\n", "perl", "Vim, at the end"},
      {"a.py", "# vim: ft=perl\n", "python", "an extension says it already"},
      {"a.h", "// class of things\n#ifndef A\nint f(void);\n", "c", "C"},
      {"a.h", "#pragma once\nnamespace a {\n}\n", "c++", "C++"},
      {"a.h", "/* C */ // -*- C++ -*-\n", "c++", "by its modeline"},
      {"a.h", "#import <X.h>\n@interface A\n@end\n", "objective-c", "Objective-C"},
      {"a.m", "% f\nfunction y = f(x)\n", "matlab", "MATLAB"},
      {"a.m", "#import <X.h>\n", "objective-c", "Objective-C"},
      {"a.ts", "<?xml version='1.0'?>\n<!DOCTYPE TS>\n", "xml", "Qt's translations"},
      {"a.ts", "let a\n", "typescript", "TypeScript"},
  };
  for (const Row& row : rows)
    EXPECT_EQ(language_of_file(row.path, row.text).name, row.name) << row.text << ": " << row.why;
}

TEST(LanguageTable, NamesThatPeopleType) {
  for (const auto& [alias, name] :
       std::initializer_list<std::pair<const char*, const char*>>{{"cpp", "c++"},
                                                                  {"js", "javascript"},
                                                                  {"ts", "typescript"},
                                                                  {"py", "python"},
                                                                  {"sh", "shell"},
                                                                  {"md", "markdown"},
                                                                  {"yml", "yaml"},
                                                                  {"golang", "go"},
                                                                  {"csharp", "c#"},
                                                                  {"rs", "rust"},
                                                                  {"kt", "kotlin"},
                                                                  {"rb", "ruby"},
                                                                  {"C++", "c++"},
                                                                  {"bash", "shell"},
                                                                  {"tsx", "typescript"},
                                                                  {"jsx", "javascript"},
                                                                  {"python", "python"},
                                                                  {"nosuch", ""}})
    EXPECT_EQ(language_name(alias), name) << alias;
  EXPECT_EQ(nearest_language("pyton"), "python");
  EXPECT_EQ(nearest_language("javscript"), "javascript");
  EXPECT_EQ(nearest_language("zzzzzz"), "");
}

TEST(FileKind, OfFences) {
  struct Row {
    std::string info, name, ctags, why;
  };
  const Row rows[] = {
      {"cpp", "c++", "cpp", "an extension"},
      {"C++", "c++", "cpp", "a name, in capitals"},
      {"c", "c", "h", "may hold a C++ header"},
      {"py", "python", "py", "an extension"},
      {"Python", "python", "py", "a name"},
      {"python3 title=x", "python", "py", "the first word counts"},
      {"pycon", "python", "", "a session: prompts are no definitions"},
      {"js", "javascript", "", ""},
      {"ts", "typescript", "", ""},
      {"tsx", "typescript", "", "ctags does not know .tsx"},
      {"bash", "shell", "sh", ""},
      {"sh", "shell", "sh", ""},
      {"console", "shell", "", "a session"},
      {"rust,no_run", "rust", "", "rustdoc's attributes"},
      {"{.py .numberLines}", "python", "py", "pandoc's attributes"},
      {"{python}", "python", "py", "knitr's"},
      {"c#", "c#", "", "a name with a sign"},
      {"objc", "objective-c", "mm", ""},
      {"cuda", "cuda", "cu", ""},
      {"json", "json", "", ""},
      {"text", "text", "", ""},
      {"diff", "diff", "", ""},
      {"matlab", "matlab", "m", ""},
      {"d", "d", "d", "not the first of many languages that have a d in their name"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.info + ": " + row.why);
    const Language* const language = language_of_fence(row.info);
    ASSERT_NE(language, nullptr);
    EXPECT_EQ(language->name, row.name);
    EXPECT_EQ(language->ctags_extension, row.ctags);
  }
  for (const char* const unknown : {"", " ", "{", "nosuch", "py3k", "*.py", "p\xffy"})
    EXPECT_EQ(language_of_fence(unknown), nullptr) << unknown;
}

}  // namespace
}  // namespace kw
