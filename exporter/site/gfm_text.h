// SPDX-License-Identifier: GPL-2.0-or-later
// What GitHub Flavored Markdown reads in plain text that CommonMark, and so cmark, leaves as it is:
// URLs, footnotes, strikethrough, alerts, task marks and emoji codes. Found here; markdown_inline.h
// writes what is made of them.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace kw::exporter::site {

/// Bytes of the URL at the start of `text` ("http://", "https://" or "www."), without punctuation
/// that belongs to the sentence; 0 for none. The rules: "Autolinks (extension)" of the
/// specification of GitHub Flavored Markdown, without ftp, which browsers no longer open.
std::size_t autolink_length(std::string_view text);

/// The address of mail around the `@` at a place of `text`, as these rules have it, that does not
/// begin before `from`; empty for none.
std::string_view mail_address(std::string_view text, std::size_t from, std::size_t at);

/// The label of a footnote at the start of `text`: "a" of "[^a]"; empty for none.
std::string_view footnote_label(std::string_view text);

/// The character for an emoji code without its colons: "rocket"; empty for one that is not known
/// here.
std::string_view emoji_of(std::string_view code);

/// "Note", "Tip", "Important", "Warning", "Caution" for the first line of an alert, "[!NOTE]";
/// empty for any other text.
std::string_view alert_title(std::string_view line);

/// The class of the alert with that title: "note".
std::string_view alert_class(std::string_view title);

/// Whether `text` begins with the mark of a task, "[ ] " or "[x] ".
enum class TaskMark { None, Open, Done };
TaskMark task_mark(std::string_view text);
inline constexpr std::size_t kTaskMarkBytes = 4;

/// A run of one or two tildes in a text.
struct TildeRun {
  std::size_t at = 0, size = 0;
  bool can_open = false, can_close = false;
};
/// `before`, `after`: whether something that is no blank stands at either end of `text`.
std::vector<TildeRun> tilde_runs(std::string_view text, bool before, bool after);

}  // namespace kw::exporter::site
