// SPDX-License-Identifier: GPL-2.0-or-later
// Any bytes are a source: its comments lie in it, in order, and masking moves nothing. The first
// byte chooses the language, one for each lexical grammar of the table.
#include <iterator>

#include "schema/text/language_table.h"
#include "schema/text/source_lexer.h"
#include "tests/fuzz/expect.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace kw;
  using test::expect;
  static const char* const kPaths[] = {
      "a.c",   "a.cpp", "a.cs", "a.java", "a.kt",  "a.swift", "a.go",  "a.js",           "a.rs",
      "a.v",   "a.py",  "a.sh", "a.tf",   "a.ex",  "a.pl",    "a.rb",  "a.php",          "a.ps1",
      "a.sql", "a.lua", "a.hs", "a.adb",  "a.ml",  "a.pas",   "a.tex", "CMakeLists.txt", "a.m",
      "a.jl",  "a.f90", "a.el", "a.asm",  "a.vim", "a.bat",   "a.ini", "a.html",         "a.css"};
  if (size == 0) return 0;
  const LexicalStyle& style = language_of_path(kPaths[data[0] % std::size(kPaths)]).lexis;
  const std::string_view text = test::text_of_input(data + 1, size - 1);
  const std::string masked = mask_literals(text, style);
  expect(masked.size() == text.size(), "masking keeps the size");
  for (std::size_t i = 0; i < text.size(); ++i)
    expect((masked[i] == '\n') == (text[i] == '\n'), "and each line end in its place");
  std::size_t last = 0;
  for (const ByteRange& comment : find_comments(text, style)) {
    expect(comment.begin >= last && comment.begin < comment.end && comment.end <= text.size(),
           "comments lie in the text, in order");
    last = comment.end;
    for (std::size_t i = comment.begin; i < comment.end; ++i)
      expect(masked[i] == ' ' || masked[i] == '\n', "and nothing of them is left");
  }
  return 0;
}
