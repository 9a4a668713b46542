// SPDX-License-Identifier: GPL-2.0-or-later
#include "tests/support/site_check.h"

#include <map>
#include <set>
#include <string_view>

#include "tests/support/temp_dir.h"

namespace fs = std::filesystem;

namespace kw::test {
namespace {

struct Anchors {
  std::set<std::string> ids;
  std::vector<std::string> links;
  std::vector<std::string> twice;
};

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

std::string unescaped(std::string text) {
  for (const auto& [from, to] :
       {std::pair{"&quot;", "\""}, {"&#39;", "'"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}})
    text = replaced(std::move(text), from, to);
  return text;
}

std::string decoded(std::string_view url) {
  std::string out;
  for (std::size_t i = 0; i < url.size(); ++i) {
    if (url[i] == '%' && i + 2 < url.size()) {
      out += static_cast<char>(std::stoi(std::string(url.substr(i + 1, 2)), nullptr, 16));
      i += 2;
    } else {
      out += url[i];
    }
  }
  return out;
}

/// Calls `use` with the name and value of each attribute of each tag.
template <class Use>
void for_each_attribute(const std::string& html, const Use& use) {
  std::size_t at = html.find("<html");  // behind a mark that is a comment
  while (at != std::string::npos && (at = html.find('<', at)) != std::string::npos) {
    ++at;
    while (at < html.size() && html[at] != '>' && html[at] != ' ') ++at;
    while (at < html.size() && html[at] == ' ') {
      const std::size_t begin = ++at;
      at = html.find_first_of("= >", begin);
      const std::string name = html.substr(begin, at - begin);
      if (html[at] != '=') continue;
      const bool quoted = html[++at] == '"';
      const std::size_t end = quoted ? html.find('"', at + 1) : html.find_first_of(" >", at);
      use(name, unescaped(html.substr(at + quoted, end - at - quoted)));
      at = end + quoted;
    }
  }
}

Anchors anchors_of(const std::string& html) {
  Anchors anchors;
  for_each_attribute(html, [&](const std::string& name, const std::string& value) {
    if (name == "id" && !anchors.ids.insert(value).second) anchors.twice.push_back(value);
    if (name == "href" || name == "src" || name == "action") anchors.links.push_back(value);
  });
  return anchors;
}

}  // namespace

std::vector<std::string> site_faults(const fs::path& site) {
  std::map<std::string, Anchors> pages;
  for (const auto& entry : fs::recursive_directory_iterator(site)) {
    if (!entry.is_regular_file()) continue;
    const std::string name = fs::relative(entry.path(), site).string();
    pages[name] = name.ends_with(".html") ? anchors_of(read_text(entry.path())) : Anchors{};
  }
  std::vector<std::string> faults;
  for (const auto& [name, page] : pages) {
    for (const std::string& id : page.twice) faults.push_back(name + ": twice #" + id);
    for (const std::string& link : page.links) {
      if (link.starts_with("https://") || link.starts_with("http://") ||
          link.starts_with("mailto:") || link == "data:,")
        continue;
      const std::size_t hash = std::min(link.find('#'), link.size());
      const std::string path = decoded(link.substr(0, std::min(hash, link.find('?'))));
      const std::string anchor = hash < link.size() ? decoded(link.substr(hash + 1)) : "";
      const std::string to =
          path.empty() ? name : (fs::path(name).parent_path() / path).lexically_normal().string();
      const auto found = pages.find(to);
      if (found == pages.end() || (!anchor.empty() && !found->second.ids.contains(anchor)))
        faults.push_back(name + ": broken " + link);
    }
  }
  return faults;
}

}  // namespace kw::test
