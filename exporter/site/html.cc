// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/html.h"

#include <array>

#include <fmt/format.h>

#include "schema/text/text.h"

namespace kw::exporter::site {
namespace {

enum class Byte : unsigned char { Plain, Markup, Odd };

/// Bytes that stay as they are, by the quick way; Odd ones are looked at as characters.
constexpr std::array<Byte, 256> kBytes = [] {
  std::array<Byte, 256> bytes{};
  for (std::size_t c = 0; c < 256; ++c) bytes[c] = c < 0x20 || c >= 0x7f ? Byte::Odd : Byte::Plain;
  bytes['\t'] = bytes['\n'] = Byte::Plain;
  for (const char c : {'&', '<', '>'}) bytes[static_cast<unsigned char>(c)] = Byte::Markup;
  return bytes;
}();

std::string_view entity(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    default:
      return "&gt;";
  }
}

/// U+FDD0 to U+FDEF and the last two of each plane: no characters, and an error in HTML.
bool is_noncharacter(std::string_view c) {
  if (c.size() == 3 && c[0] == '\xef')
    return (c[1] == '\xbf' && c[2] >= '\xbe') ||
           (c[1] == '\xb7' && c[2] >= '\x90' && c[2] <= '\xaf');
  return c.size() == 4 && c[2] == '\xbf' && c[3] >= '\xbe' && (c[1] & 0x0f) == 0x0f;
}

}  // namespace

void append_html(std::string& out, std::string_view text) {
  std::size_t plain = 0;  // from here on nothing is appended yet
  for (std::size_t i = 0; i < text.size();) {
    const Byte kind = kBytes[static_cast<unsigned char>(text[i])];
    if (kind == Byte::Plain) {
      ++i;
      continue;
    }
    std::size_t length = 1;
    if (kind == Byte::Odd)
      while (i + length < text.size() && is_continuation(text[i + length])) ++length;
    const std::string_view c = text.substr(i, length);
    const std::string shown = kind == Byte::Odd ? printable(c) : std::string();
    if (kind == Byte::Odd && shown == c && !is_noncharacter(c)) {
      i += length;
      continue;
    }
    out += text.substr(plain, i - plain);
    if (kind == Byte::Markup)
      out += entity(text[i]);
    else
      out += shown == c ? "\uFFFD" : shown;
    i += length;
    plain = i;
  }
  out += text.substr(plain);
}

std::string html(std::string_view text) {
  std::string out;
  append_html(out, text);
  return out;
}

std::string attribute(std::string_view text) {
  std::string shown = html(text);
  if (!shown.empty() && shown.find_first_of("\"'=` \t\n") == std::string::npos) return shown;
  std::string out = "\"";
  for (const char c : shown) {
    if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out + '"';
}

namespace {

std::string escaped_url(std::string_view url) {
  std::string out;
  for (const char c : url) {
    const bool safe =
        c > ' ' && c < 0x7f && std::string_view("\"'<>\\^`{|}").find(c) == std::string_view::npos;
    if (c == '&')
      out += "&amp;";
    else if (safe)
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

}  // namespace

std::string html_url(std::string_view url) {
  const bool is_web = url.starts_with("https://") || url.starts_with("http://");
  return is_web ? escaped_url(url) : std::string();
}

std::string html_link_url(std::string_view url) {
  return url.starts_with("mailto:") ? escaped_url(url) : html_url(url);
}

}  // namespace kw::exporter::site
