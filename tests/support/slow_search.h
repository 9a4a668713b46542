// SPDX-License-Identifier: GPL-2.0-or-later
// What a search must find, by reading every file of a tree from end to end with plain loops: the
// slow and obvious way, to compare the fast one with. Shares nothing with schema/ or searcher/ but
// Xapian's stemmer. Knows the scripts and the languages of tests/corpus/search, and no more.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace kw::test {

/// A question, put together by the functions below.
struct Ask {
  enum class Kind {
    Word,
    Ident,
    Pattern,
    Literal,
    Section,
    PathWord,
    PathLiteral,
    Language,
    Extension,
    Folder,
    Places,
    Joined,
    All,
    Either,
    None
  };
  Kind kind;
  std::string text;
  bool open_start = false, open_end = false;
  std::vector<std::pair<std::string, std::string>> places;  ///< path, part of a line's text
  std::vector<Ask> of;

  /// Lines that are shown beside those that hold the literal: a definition that it names.
  Ask with_lines(std::vector<std::pair<std::string, std::string>> more) && {
    places = std::move(more);
    return std::move(*this);
  }
};

inline Ask make_ask(Ask::Kind kind, std::string text) {
  Ask ask;
  ask.kind = kind;
  ask.text = std::move(text);
  return ask;
}
inline Ask make_ask(Ask::Kind kind, std::vector<Ask> of) {
  Ask ask;
  ask.kind = kind;
  ask.of = std::move(of);
  return ask;
}
inline Ask word(std::string text) { return make_ask(Ask::Kind::Word, std::move(text)); }
inline Ask ident(std::string text) { return make_ask(Ask::Kind::Ident, std::move(text)); }
inline Ask pattern(std::string text) { return make_ask(Ask::Kind::Pattern, std::move(text)); }
inline Ask literal(std::string text, bool open_start = false, bool open_end = false) {
  Ask ask = make_ask(Ask::Kind::Literal, std::move(text));
  ask.open_start = open_start;
  ask.open_end = open_end;
  return ask;
}
inline Ask section(std::string text) { return make_ask(Ask::Kind::Section, std::move(text)); }
inline Ask path_word(std::string text) { return make_ask(Ask::Kind::PathWord, std::move(text)); }
inline Ask path_literal(std::string text) {
  return make_ask(Ask::Kind::PathLiteral, std::move(text));
}
inline Ask language(std::string text) { return make_ask(Ask::Kind::Language, std::move(text)); }
inline Ask extension(std::string text) { return make_ask(Ask::Kind::Extension, std::move(text)); }
inline Ask folder(std::string text) { return make_ask(Ask::Kind::Folder, std::move(text)); }
/// By hand: the lines of these files that hold these texts; an empty text is the file without
/// lines.
inline Ask places(std::vector<std::pair<std::string, std::string>> where) {
  Ask ask = make_ask(Ask::Kind::Places, std::string());
  ask.places = std::move(where);
  return ask;
}
inline Ask all(std::vector<Ask> of) { return make_ask(Ask::Kind::All, std::move(of)); }
inline Ask either(std::vector<Ask> of) { return make_ask(Ask::Kind::Either, std::move(of)); }
inline Ask none(Ask of) { return make_ask(Ask::Kind::None, std::vector<Ask>{std::move(of)}); }
/// Plain words: all of them, or the name that they make together.
Ask words(const std::vector<std::string>& each);

class SlowSearch {
 public:
  /// Reads all files below `root`. What a reader sees of a page stands under the same path in the
  /// folder `root` with `_shown` behind its name, if at all.
  explicit SlowSearch(const std::filesystem::path& root);
  ~SlowSearch();
  SlowSearch(const SlowSearch&) = delete;
  SlowSearch& operator=(const SlowSearch&) = delete;

  struct Found {
    std::set<std::size_t> lines;
    std::set<std::string> also;

    bool operator==(const Found&) const = default;
  };
  /// By path: a source and its pages together, under the source where it matches.
  std::map<std::string, Found> search(const Ask& ask) const;
  bool has_file(const std::string& path) const;

 private:
  struct File;
  std::vector<File> files_;
};

}  // namespace kw::test
