// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/markdown/markdown_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "schema/index/manifest.h"
#include "schema/text/text.h"

namespace kw::exporter {
namespace {

// Backslash, code, emphasis, links, HTML, strikethrough and GitHub's formulas.
constexpr std::string_view kMarkup = "\\`*[]<>~$";
// Beside letters and digits. Not `:`, which would make a scheme of a path's first part.
constexpr std::string_view kPlainInDestination = "-._~/!*'+,;=@";

bool is_ascii_alnum(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// Bytes of the character at the start of `text`, by its lead byte; never more than are there.
std::size_t char_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return std::min(length, text.size());
}

std::string markdown_link(const Link& link, const std::string& shown) {
  if (link.target.empty()) return shown;
  return fmt::format("[{}]({})", shown, markdown_destination(link));
}

/// Headings may be as long as their author likes: shown is what tells one from the next.
std::string short_title(std::string_view title) {
  constexpr std::size_t kMaxBytes = 60;
  std::string shown = printable(title.substr(0, 4 * kMaxBytes));
  if (shown.empty()) return "(untitled)";
  if (shown.size() <= kMaxBytes) return shown;
  std::size_t end = kMaxBytes;
  while (end > 0 && is_continuation(shown[end])) --end;
  return shown.substr(0, end) + "…";
}

/// A link to a heading. Its destination stands at the end of the page, once for all that lead
/// there.
std::string section_link(const MappedSection& section, std::size_t number) {
  const std::string title = markdown_prose(short_title(section.title));
  return section.heading.target.empty() ? title : fmt::format("[{}][s{}]", title, number + 1);
}

void append_codes(std::string& out, const std::vector<std::string>& names) {
  std::string_view separator;
  for (const std::string& name : names) {
    out += separator;
    out += markdown_code(name);
    separator = ", ";
  }
}

void append_section_links(std::string& out, const Keyword& keyword,
                          const std::vector<MappedSection>& sections) {
  std::string_view separator = keyword.places.empty() ? ": in " : "; in ";
  for (const std::uint32_t number : keyword.sections) {
    out += separator;
    out += section_link(sections[number], number);
    separator = ", ";
  }
  if (keyword.more_sections > 0) out += fmt::format(", {} more", keyword.more_sections);
}

void append_section_map(std::string& out, const std::vector<MappedSection>& sections) {
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const MappedSection& section = sections[i];
    if (!section.about.empty()) {
      out +=
          fmt::format("- **{}**: {}\n", markdown_text(section.title), markdown_text(section.about));
      continue;
    }
    out += fmt::format("- **{}**: ", section_link(section, i));
    if (section.keywords.empty()) out += "no names";
    append_codes(out, section.keywords);
    out += '\n';
  }
}

void append_elsewhere(std::string& out, const std::vector<Elsewhere>& files) {
  if (files.empty()) return;
  out += "\n## Where Else\n\nThese files define names that this file uses:\n\n";
  for (const Elsewhere& file : files) {
    out += fmt::format("- {}: ", markdown_link(file.file, markdown_code(file.file.text)));
    append_codes(out, file.names);
    out += '\n';
  }
}

void append_destinations(std::string& out, const std::vector<MappedSection>& sections) {
  bool first = true;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    if (sections[i].heading.target.empty()) continue;
    out += fmt::format("{}[s{}]: {}\n", first ? "\n" : "", i + 1,
                       markdown_destination(sections[i].heading));
    first = false;
  }
}

void append_keywords(std::string& out, const KeywordGroup& group,
                     const std::vector<MappedSection>& sections) {
  const std::string of_all =
      group.place.text.empty() ? "" : markdown_link(group.place, markdown_text(group.place.text));
  for (const Keyword& keyword : group.keywords) {
    out += "- **";
    out += markdown_code(keyword.name);
    out += "**";
    if (!keyword.scope.empty()) out += " in " + markdown_code(keyword.scope);
    if (keyword.count > 0) out += fmt::format(" ({})", keyword.count);
    std::string_view separator = ": ";
    const auto append_place = [&](std::string_view link) {
      out += separator;
      out += link;
      separator = ", ";
    };
    if (!of_all.empty()) append_place(of_all);
    for (const Link& place : keyword.places)
      append_place(markdown_link(place, markdown_text(place.text)));
    append_section_links(out, keyword, sections);
    out += '\n';
  }
}

/// The parts of a list, those of one first letter on one line.
void append_parts(std::string& out, const std::vector<Link>& parts) {
  if (parts.empty()) return;
  out +=
      "\n## Parts\n\n"
      "A name stands in the part with the most of its first letters; case and `_` do not count. "
      "Names of rare letters stand below.\n";
  std::string_view letter;
  for (const Link& part : parts) {
    const std::string_view first = std::string_view(part.text).substr(0, char_length(part.text));
    out += first == letter ? ", " : "\n- ";
    out += markdown_link(part, markdown_code(part.text));
    letter = first;
  }
  out += '\n';
}

void append_listed_name(std::string& out, const ListedName& name, const std::vector<Link>& files) {
  const auto append_file = [&](std::uint32_t number) {
    const Link& file = files[number];
    const std::string shown = markdown_code(file.text);
    out += file.target.empty() ? shown : fmt::format("[{}][{}]", shown, number + 1);
  };
  out += "- **" + markdown_code(name.name) + "**: ";
  const ListedName::Definer* last = nullptr;
  for (const ListedName::Definer& definer : name.definers) {
    if (last && last->kind == definer.kind)
      out += ", ";
    else
      out += fmt::format("{}{} in ", last ? "; " : "",
                         definer.kind.empty() ? "defined" : markdown_prose(definer.kind));
    append_file(definer.file);
    last = &definer;
  }
  if (name.more_definers > 0) out += fmt::format(", {} more", name.more_definers);
  std::string_view separator = name.definers.empty() ? "used in " : "; used in ";
  for (const std::uint32_t file : name.users) {
    out += separator;
    append_file(file);
    separator = ", ";
  }
  if (name.more_users > 0) out += fmt::format(", {} more", name.more_users);
  out += '\n';
}

std::string foot(const std::string& project) {
  return fmt::format("\n---\n\n*Generated by {} Repository Documentation System*\n",
                     markdown_text(project));
}

}  // namespace

std::string markdown_code(std::string_view text) {
  const std::string shown = printable(text);
  std::size_t longest = 0;
  for (std::size_t i = 0, run = 0; i < shown.size(); ++i) {
    run = shown[i] == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  // One blank at either end is taken off by the reader, and keeps a backtick apart from the fence.
  const bool padded =
      shown.front() == '`' || shown.back() == '`' || shown.front() == ' ' || shown.back() == ' ';
  const std::string_view pad = padded ? " " : "";
  return std::string(fence).append(pad).append(shown).append(pad).append(fence);
}

std::string markdown_text(std::string_view text) {
  const std::string shown = printable(text);
  std::string out;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    // An ampersand is markup only at the start of an entity.
    const bool entity = shown[i] == '&' && i + 1 < shown.size() &&
                        (is_ascii_alnum(shown[i + 1]) || shown[i + 1] == '#');
    if (entity || kMarkup.find(shown[i]) != std::string_view::npos) out += '\\';
    out += shown[i];
  }
  return out;
}

std::string markdown_destination(std::string_view path) {
  std::string out;
  while (!path.empty()) {
    const std::size_t length = char_length(path);
    const std::string_view c = path.substr(0, length);
    const bool ascii = static_cast<unsigned char>(c[0]) < 0x80;
    const bool plain =
        ascii ? is_ascii_alnum(c[0]) || kPlainInDestination.find(c[0]) != std::string_view::npos
              : printable(c) == c;
    const std::size_t used = plain ? length : 1;  // a byte at a time where it is no character
    if (plain)
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c[0]));
    path.remove_prefix(used);
  }
  return out;
}

std::string markdown_prose(std::string_view text) {
  std::string out;
  for (const char c : markdown_text(text)) {
    if (c == '_' || c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string markdown_destination(const Link& link) {
  std::string out = link.site + markdown_destination(link.target) + link.query;
  if (!link.fragment.empty()) out += "#" + markdown_destination(link.fragment);
  return out;
}

std::string build_markdown(const Page& page) {
  std::string out = fmt::format("{}{}\n\n## File Information\n\n- **Original File**: {}\n",
                                kGeneratedMark, markdown_code(page.path),
                                markdown_link(page.original, markdown_text(page.original.text)));
  if (!page.documentation.text.empty())
    out += fmt::format("- **Documentation**: {}\n",
                       markdown_link(page.documentation, markdown_code(page.documentation.text)));
  out += fmt::format(
      "- **Folder**: {}\n\n## Keywords Extracted\n\n"
      "This file contains the following key identifiers, symbols, and concepts:\n\n",
      markdown_link(page.folder, markdown_code(page.folder.text)));
  for (const KeywordGroup& group : page.groups) {
    out += fmt::format("\n### {}\n\n", markdown_text(group.title));
    append_keywords(out, group, page.sections);
    out += '\n';
  }
  out +=
      "\n## Keyword → Section Map\n\n"
      "The following sections in the documentation cover these topics:\n\n";
  append_section_map(out, page.sections);
  append_elsewhere(out, page.elsewhere);
  append_destinations(out, page.sections);
  return out + foot(page.project);
}

std::string build_markdown(const FolderPage& page) {
  std::string out =
      fmt::format("{}{}\n\n## Folder Information\n\n", kGeneratedMark, markdown_code(page.path));
  if (!page.above.text.empty())
    out +=
        fmt::format("- **Above**: {}\n", markdown_link(page.above, markdown_code(page.above.text)));
  out +=
      fmt::format("- **Folders**: {}\n- **Files**: {}\n", page.folders.size(), page.files.size());
  if (!page.keywords.text.empty())
    out += fmt::format("- **Keywords**: {}\n",
                       markdown_link(page.keywords, markdown_text(page.keywords.text)));
  if (!page.folders.empty()) out += "\n## Folders\n\n";
  for (const FolderPage::Folder& folder : page.folders)
    out += fmt::format("- {}: {} {}\n", markdown_link(folder.link, markdown_code(folder.link.text)),
                       folder.files, folder.files == 1 ? "file" : "files");
  if (!page.files.empty()) out += "\n## Files\n\n";
  for (const FolderPage::File& file : page.files) {
    out += fmt::format("- {}", markdown_link(file.link, markdown_code(file.link.text)));
    if (!file.summary.language.empty())
      out += fmt::format(" ({})", markdown_prose(file.summary.language));
    if (!file.summary.title.empty()) out += " " + markdown_prose(short_title(file.summary.title));
    if (!file.summary.top.empty()) out += ": ";
    append_codes(out, file.summary.top);
    out += '\n';
  }
  return out + foot(page.project);
}

std::string build_markdown(const KeywordPage& page) {
  std::string out = fmt::format("{}{}: ", kGeneratedMark, markdown_code(page.path));
  out += page.part.empty() ? "all keywords" : "keywords in " + markdown_code(page.part);
  out += fmt::format("\n\n## Folder Information\n\n- **Folder**: {}\n",
                     markdown_link(page.folder, markdown_code(page.folder.text)));
  if (!page.first.text.empty())
    out += fmt::format("- **Keywords**: {}\n", markdown_link(page.first, "all parts"));
  append_parts(out, page.parts);
  if (page.names.empty() && page.parts.empty()) out += "\nNo names.\n";
  if (!page.names.empty()) out += "\n## Keywords\n\n";
  for (const ListedName& name : page.names) append_listed_name(out, name, page.files);
  if (!page.files.empty()) out += '\n';
  for (std::size_t i = 0; i < page.files.size(); ++i)
    if (!page.files[i].target.empty())
      out += fmt::format("[{}]: {}\n", i + 1, markdown_destination(page.files[i]));
  return out + foot(page.project);
}

}  // namespace kw::exporter
