// SPDX-License-Identifier: GPL-2.0-or-later
// A keyword page as a model without markup: what it says and where it links, not how that is
// written. Made from a record alone, so a page can be made again when its source is gone. The
// writers (markdown_writer.h) escape; nothing here is escaped.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "schema/record.h"

namespace kw {

struct Link {
  std::string text;
  std::string target;  ///< relative to the page, raw bytes; empty: the text alone

  bool operator==(const Link&) const = default;
};

struct Keyword {
  std::string name;
  std::vector<Link> places;  ///< where it stands

  bool operator==(const Keyword&) const = default;
};

struct KeywordGroup {
  std::string title;
  std::vector<Keyword> keywords;  ///< in the order in which they are shown

  bool operator==(const KeywordGroup&) const = default;
};

/// A line of the section map.
struct MappedSection {
  std::string title;
  std::string about;

  bool operator==(const MappedSection&) const = default;
};

struct Page {
  std::string path;    ///< of the file that the page is about, from the root
  std::string folder;  ///< that it lies in; "." for the root
  Link original;
  Link documentation;
  std::vector<KeywordGroup> groups;  ///< none of them empty
  std::vector<MappedSection> sections;
  std::string project;

  bool operator==(const Page&) const = default;
};

/// What is the same for all pages of an export.
struct PageContext {
  std::string project;
  std::string doc_suffix = "_docs.md";  ///< of the page that documents a file
  /// Folders from the root down to the output folder; nothing if that lies outside, where no link
  /// can reach the original files.
  std::optional<std::size_t> output_depth;
  std::size_t limit = 100;  ///< keywords on a page; 0: all
};

/// The page of profile classic: capitalised words (classic.h) in one group, each with a link to the
/// file's documentation beside the page, and the section map that all classic pages share.
Page build_classic_page(const FileRecord& record, const PageContext& context);

}  // namespace kw
