// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/gfm_text.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace kw::exporter::site {
namespace {

constexpr std::size_t kMaxFootnoteLabel = 64;
// What is longer is data. Brackets in it are counted for each that is taken off its end.
constexpr std::size_t kMaxUrl = 2048;

// By code. Those that documents of programs use most; the others stay as they are written.
constexpr std::pair<std::string_view, std::string_view> kEmoji[] = {
    {"+1", "👍"},
    {"-1", "👎"},
    {"100", "💯"},
    {"alarm_clock", "⏰"},
    {"alien", "👽"},
    {"apple", "🍎"},
    {"arrow_down", "⬇️"},
    {"arrow_left", "⬅️"},
    {"arrow_right", "➡️"},
    {"arrow_up", "⬆️"},
    {"art", "🎨"},
    {"beer", "🍺"},
    {"beers", "🍻"},
    {"bell", "🔔"},
    {"blue_book", "📘"},
    {"blush", "😊"},
    {"book", "📖"},
    {"bookmark", "🔖"},
    {"books", "📚"},
    {"boom", "💥"},
    {"bug", "🐛"},
    {"building_construction", "🏗️"},
    {"bulb", "💡"},
    {"calendar", "📅"},
    {"chart_with_upwards_trend", "📈"},
    {"clap", "👏"},
    {"clipboard", "📋"},
    {"closed_lock_with_key", "🔐"},
    {"coffee", "☕"},
    {"computer", "💻"},
    {"construction", "🚧"},
    {"construction_worker", "👷"},
    {"cop", "👮"},
    {"dart", "🎯"},
    {"earth_americas", "🌎"},
    {"electric_plug", "🔌"},
    {"email", "📧"},
    {"exclamation", "❗"},
    {"eyes", "👀"},
    {"file_folder", "📁"},
    {"fire", "🔥"},
    {"gear", "⚙️"},
    {"gem", "💎"},
    {"ghost", "👻"},
    {"gift", "🎁"},
    {"globe_with_meridians", "🌐"},
    {"green_heart", "💚"},
    {"grin", "😁"},
    {"hammer", "🔨"},
    {"hammer_and_wrench", "🛠️"},
    {"handshake", "🤝"},
    {"heart", "❤️"},
    {"heavy_check_mark", "✔️"},
    {"heavy_multiplication_x", "✖️"},
    {"hourglass", "⌛"},
    {"hugs", "🤗"},
    {"information_source", "ℹ️"},
    {"key", "🔑"},
    {"label", "🏷️"},
    {"laughing", "😆"},
    {"link", "🔗"},
    {"lipstick", "💄"},
    {"lock", "🔒"},
    {"loud_sound", "🔊"},
    {"loudspeaker", "📢"},
    {"mag", "🔍"},
    {"mailbox", "📫"},
    {"mega", "📣"},
    {"memo", "📝"},
    {"microscope", "🔬"},
    {"moneybag", "💰"},
    {"muscle", "💪"},
    {"new", "🆕"},
    {"no_entry", "⛔"},
    {"no_entry_sign", "🚫"},
    {"octopus", "🐙"},
    {"ok", "🆗"},
    {"ok_hand", "👌"},
    {"open_book", "📖"},
    {"package", "📦"},
    {"page_facing_up", "📄"},
    {"paperclip", "📎"},
    {"pencil", "📝"},
    {"pencil2", "✏️"},
    {"penguin", "🐧"},
    {"pray", "🙏"},
    {"purple_heart", "💜"},
    {"pushpin", "📌"},
    {"question", "❓"},
    {"rainbow", "🌈"},
    {"raised_hands", "🙌"},
    {"recycle", "♻️"},
    {"red_circle", "🔴"},
    {"robot", "🤖"},
    {"rocket", "🚀"},
    {"rotating_light", "🚨"},
    {"seedling", "🌱"},
    {"shield", "🛡️"},
    {"ship", "🚢"},
    {"smile", "😄"},
    {"smiley", "😃"},
    {"snake", "🐍"},
    {"sparkles", "✨"},
    {"sparkling_heart", "💖"},
    {"speech_balloon", "💬"},
    {"star", "⭐"},
    {"star2", "🌟"},
    {"stop_sign", "🛑"},
    {"sunglasses", "😎"},
    {"tada", "🎉"},
    {"test_tube", "🧪"},
    {"thinking", "🤔"},
    {"thumbsdown", "👎"},
    {"thumbsup", "👍"},
    {"toolbox", "🧰"},
    {"triangular_flag_on_post", "🚩"},
    {"trophy", "🏆"},
    {"truck", "🚚"},
    {"unlock", "🔓"},
    {"warning", "⚠️"},
    {"wastebasket", "🗑️"},
    {"wave", "👋"},
    {"whale", "🐳"},
    {"white_check_mark", "✅"},
    {"wink", "😉"},
    {"wrench", "🔧"},
    {"x", "❌"},
    {"zap", "⚡"}};
static_assert(std::is_sorted(std::begin(kEmoji), std::end(kEmoji)));

struct Alert {
  std::string_view mark, title, name;
};
constexpr Alert kAlerts[] = {{"[!NOTE]", "Note", "note"},
                             {"[!TIP]", "Tip", "tip"},
                             {"[!IMPORTANT]", "Important", "important"},
                             {"[!WARNING]", "Warning", "warning"},
                             {"[!CAUTION]", "Caution", "caution"}};

bool is_blank_char(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool is_alnum(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// Whether a domain of two parts or more begins here: letters, digits, `-`, `_`, dots between.
bool begins_as_domain(std::string_view text) {
  std::size_t end = 0, dots = 0;
  while (end < text.size() && (is_alnum(text[end]) || text[end] == '-' || text[end] == '_' ||
                               text[end] == '.' || static_cast<unsigned char>(text[end]) >= 0x80)) {
    if (text[end] == '.' && end > 0 && end + 1 < text.size() && is_alnum(text[end + 1])) ++dots;
    ++end;
  }
  return end > 0 && (is_alnum(text[0]) || static_cast<unsigned char>(text[0]) >= 0x80) &&
         (dots > 0 || text.substr(0, end).starts_with("localhost"));
}

/// An entity at the end of a URL is the sentence's: "&amp;" behind it.
std::size_t without_entity(std::string_view url) {
  const std::size_t mark = url.rfind('&');
  if (mark == std::string_view::npos || !url.ends_with(';')) return url.size();
  const std::string_view name = url.substr(mark + 1, url.size() - mark - 2);
  const bool is_name = !name.empty() && std::all_of(name.begin(), name.end(), is_alnum);
  return is_name ? mark : url.size() - 1;
}

}  // namespace

std::size_t autolink_length(std::string_view text) {
  std::size_t head = 0;
  for (const std::string_view scheme : {"https://", "http://", "www."})
    if (text.starts_with(scheme)) head = scheme.size();
  if (head == 0 || !begins_as_domain(text.substr(head))) return 0;
  text = text.substr(0, kMaxUrl);
  std::size_t end = head;
  while (end < text.size() && !is_blank_char(text[end]) && text[end] != '<') ++end;
  for (;;) {
    const std::string_view url = text.substr(0, end);
    const char last = url.back();
    if (std::string_view("?!.,:*_~'\"").find(last) != std::string_view::npos) {
      --end;
    } else if (last == ')' &&
               std::count(url.begin(), url.end(), ')') > std::count(url.begin(), url.end(), '(')) {
      --end;
    } else if (last == ';') {
      end = without_entity(url);
    } else {
      break;
    }
    if (end <= head) return 0;
  }
  return end;
}

std::string_view mail_address(std::string_view text, std::size_t from, std::size_t at) {
  std::size_t begin = at, end = at + 1, dots = 0;
  while (begin > from && (is_alnum(text[begin - 1]) ||
                          std::string_view(".-_+").find(text[begin - 1]) != std::string_view::npos))
    --begin;
  for (; end < text.size() && end - at < kMaxUrl; ++end) {
    const bool is_dot = text[end] == '.' && end + 1 < text.size() && is_alnum(text[end + 1]);
    dots += is_dot ? 1 : 0;
    if (!is_dot && !is_alnum(text[end]) && text[end] != '-' && text[end] != '_') break;
  }
  const bool is_whole = begin < at && dots > 0 && is_alnum(text[end - 1]) &&
                        (begin == 0 || text[begin - 1] != '@') &&
                        (end == text.size() || text[end] != '@');
  return is_whole ? text.substr(begin, end - begin) : std::string_view();
}

std::string_view footnote_label(std::string_view text) {
  if (!text.starts_with("[^")) return {};
  text = text.substr(0, 3 + kMaxFootnoteLabel);
  const std::size_t end = text.find_first_of("] \t\n[^", 2);
  if (end == std::string_view::npos || text[end] != ']') return {};
  return text.substr(2, end - 2);
}

std::string_view emoji_of(std::string_view code) {
  const auto* const found =
      std::lower_bound(std::begin(kEmoji), std::end(kEmoji), code,
                       [](const auto& row, std::string_view wanted) { return row.first < wanted; });
  return found != std::end(kEmoji) && found->first == code ? found->second : std::string_view();
}

std::string_view alert_title(std::string_view line) {
  while (!line.empty() && is_blank_char(line.back())) line.remove_suffix(1);
  for (const Alert& alert : kAlerts)
    if (std::equal(line.begin(), line.end(), alert.mark.begin(), alert.mark.end(),
                   [](char a, char b) { return a == b || (a >= 'a' && a <= 'z' && a - 32 == b); }))
      return alert.title;
  return {};
}

std::string_view alert_class(std::string_view title) {
  for (const Alert& alert : kAlerts)
    if (title == alert.title) return alert.name;
  return {};
}

TaskMark task_mark(std::string_view text) {
  if (text.size() < kTaskMarkBytes || text[0] != '[' || text[2] != ']' || text[3] != ' ')
    return TaskMark::None;
  if (text[1] == ' ') return TaskMark::Open;
  return text[1] == 'x' || text[1] == 'X' ? TaskMark::Done : TaskMark::None;
}

std::vector<TildeRun> tilde_runs(std::string_view text, bool before, bool after) {
  std::vector<TildeRun> runs;
  for (std::size_t at = 0; (at = text.find('~', at)) != std::string_view::npos;) {
    std::size_t end = at;
    while (end < text.size() && text[end] == '~') ++end;
    const bool opens = end < text.size() ? !is_blank_char(text[end]) : after;
    const bool closes = at > 0 ? !is_blank_char(text[at - 1]) : before;
    if (end - at <= 2) runs.push_back({at, end - at, opens, closes});
    at = end;
  }
  return runs;
}

}  // namespace kw::exporter::site
