// SPDX-License-Identifier: GPL-2.0-or-later
// A keyword page as a model without markup: what it says and where it links, not how that is
// written. Made from a record alone, so a page can be made again when its source is gone. The
// writers (markdown_writer.h) escape; nothing here is escaped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "exporter/model/links.h"
#include "schema/index/record.h"

namespace kw::exporter {

struct Keyword {
  std::string name;
  std::vector<Link> places;                  ///< where it stands
  std::string scope = {};                    ///< in which it is defined; empty for none
  std::uint32_t count = 0;                   ///< on the page; 0 is not shown
  std::vector<std::uint32_t> sections = {};  ///< where it stands: indexes into Page::sections
  std::uint32_t more_sections = 0;           ///< beside those

  bool operator==(const Keyword&) const = default;
};

struct KeywordGroup {
  std::string title;
  std::vector<Keyword> keywords;  ///< in the order in which they are shown
  Link place = {};  ///< of every keyword, before its own places; none if its text is empty

  bool operator==(const KeywordGroup&) const = default;
};

/// A line of the section map.
struct MappedSection {
  std::string title;
  std::string about;                       ///< a sentence, or
  std::vector<std::string> keywords = {};  ///< the most telling names that stand in it
  Link heading = {};                       ///< to it; without a target where there is no way

  bool operator==(const MappedSection&) const = default;
};

/// A file that defines names which the page uses.
struct Elsewhere {
  Link file;
  std::vector<std::string> names;

  bool operator==(const Elsewhere&) const = default;
};

struct Page {
  std::string path;  ///< of the file that the page is about, from the root
  Link folder;       ///< that it lies in, "." for the root, and its page where there is one
  Link original;
  Link documentation;                ///< without text where the file has none
  std::vector<KeywordGroup> groups;  ///< none of them empty
  std::vector<MappedSection> sections;
  std::vector<Elsewhere> elsewhere;
  std::string project;

  bool operator==(const Page&) const = default;
};

enum class Profile { Classic, Full };

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

}  // namespace kw::exporter
