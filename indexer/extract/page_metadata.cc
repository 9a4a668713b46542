// SPDX-License-Identifier: GPL-2.0-or-later
#include "indexer/extract/page_metadata.h"

#include <yaml.h>

#include <nlohmann/json.hpp>
#include <string_view>

#include "schema/text/text.h"
#include "schema/text/toml.h"

namespace kw::indexer {
namespace {

/// Takes the values of one key after another.
class Collector {
 public:
  static bool wants(std::string_view key) {
    return key == "title" || key == "description" || is_keyword_key(key);
  }

  void add(std::string_view key, std::string_view value) {
    std::string text = one_line(value);
    if (text.empty()) return;
    if (is_keyword_key(key))
      metadata_.keywords.push_back(std::move(text));
    else if (std::string& field = key == "title" ? metadata_.title : metadata_.description;
             field.empty())
      field = std::move(text);
  }

  PageMetadata take() { return std::move(metadata_); }

 private:
  static bool is_keyword_key(std::string_view key) {
    return key == "keywords" || key == "tags" || key == "aliases" || key == "slug";
  }

  static std::string one_line(std::string_view value) {
    std::string out;
    for (const char c : value) {
      const bool blank = is_blank(c) || c == '\n' || c == '\r';
      if (!blank)
        out += c;
      else if (!out.empty() && out.back() != ' ')
        out += ' ';
    }
    if (out.ends_with(' ')) out.pop_back();
    return out;
  }

  PageMetadata metadata_;
};

/// By events, not as a tree: aliases are not followed, so that no page unfolds to more than it has.
class YamlReader {
 public:
  explicit YamlReader(std::string_view text) {
    yaml_parser_initialize(&parser_);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
  }
  ~YamlReader() { yaml_parser_delete(&parser_); }
  YamlReader(const YamlReader&) = delete;
  YamlReader& operator=(const YamlReader&) = delete;

  void read(Collector& out) {
    yaml_event_t event;
    // Each level costs libyaml time for each token in it.
    constexpr int kMaxDepth = 100;
    for (bool more = true;
         more && depth_ < kMaxDepth && yaml_parser_parse(&parser_, &event) != 0;) {
      more = event.type != YAML_STREAM_END_EVENT && event.type != YAML_DOCUMENT_END_EVENT;
      take(event, out);
      yaml_event_delete(&event);
    }
  }

 private:
  void take(const yaml_event_t& event, Collector& out) {
    switch (event.type) {
      case YAML_MAPPING_START_EVENT:
      case YAML_SEQUENCE_START_EVENT:
        if (++depth_ == 2) is_list_ = event.type == YAML_SEQUENCE_START_EVENT;
        return;
      case YAML_MAPPING_END_EVENT:
      case YAML_SEQUENCE_END_EVENT:
        if (--depth_ == 1) end_node();
        return;
      case YAML_ALIAS_EVENT:
        if (depth_ == 1) end_node();
        return;
      case YAML_SCALAR_EVENT:
        take_scalar(event, out);
        return;
      default:  // libyaml's: where streams and documents begin and end
        return;
    }
  }

  void take_scalar(const yaml_event_t& event, Collector& out) {
    const std::string_view text(reinterpret_cast<const char*>(event.data.scalar.value),
                                event.data.scalar.length);
    const bool is_null =
        event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE && (text == "~" || text == "null");
    if (depth_ == 1 && !at_value_) {
      key_ = text;
      at_value_ = true;
      return;
    }
    if (Collector::wants(key_) && !is_null && (depth_ == 1 || (depth_ == 2 && is_list_)))
      out.add(key_, text);
    if (depth_ == 1) end_node();
  }

  /// A node of the top level ends: a value, or a key that is a list.
  void end_node() {
    at_value_ = !at_value_;  // a key that is no scalar says nothing
    key_.clear();
  }

  yaml_parser_t parser_;
  int depth_ = 0;
  bool is_list_ = false;  ///< the value at depth 2
  bool at_value_ = false;
  std::string key_;
};

void read_toml(std::string_view text, Collector& out) {
  const toml::parse_result parsed = parse_toml(text);
  if (!parsed) return;
  for (const auto& [key, node] : parsed.table()) {
    if (!Collector::wants(key.str())) continue;
    if (const auto* const value = node.as_string()) out.add(key.str(), value->get());
    if (const auto* const list = node.as_array())
      for (const toml::node& item : *list)
        if (const auto* const value = item.as_string()) out.add(key.str(), value->get());
  }
}

void read_json(std::string_view text, Collector& out) {
  const auto object = nlohmann::ordered_json::parse(text, nullptr, false);
  if (!object.is_object()) return;
  for (const auto& [key, node] : object.items()) {
    if (!Collector::wants(key)) continue;
    if (node.is_string()) out.add(key, node.get_ref<const std::string&>());
    if (node.is_array())
      for (const auto& item : node)
        if (item.is_string()) out.add(key, item.get_ref<const std::string&>());
  }
}

}  // namespace

PageMetadata read_page_metadata(const FrontMatter& front) {
  Collector out;
  if (front.lines == 0) return out.take();
  switch (front.kind) {
    case FrontMatterKind::Yaml:
      YamlReader(front.values).read(out);
      break;
    case FrontMatterKind::Toml:
      read_toml(front.values, out);
      break;
    case FrontMatterKind::Json:
      read_json(front.values, out);
      break;
  }
  return out.take();
}

}  // namespace kw::indexer
