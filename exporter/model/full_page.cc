// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/model/full_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "exporter/model/definition_group.h"
#include "exporter/model/names.h"
#include "schema/index/group_key.h"
#include "schema/text/text.h"

namespace kw::exporter {
namespace {

// So many of each tell a reader where to look; more would hide it.
constexpr std::size_t kLinesOfDefinition = 5;
constexpr std::size_t kSectionsOfName = 4;
constexpr std::size_t kNamesOfSection = 8;
constexpr std::size_t kFilesElsewhere = 20;
constexpr std::size_t kNamesElsewhere = 8;
constexpr std::size_t kTopNamesOfFile = 5;

struct WeighedName {
  const NameUse* use = nullptr;
  double weight = 0;
};

bool weighs_more(const WeighedName& a, const WeighedName& b) {
  return a.weight != b.weight ? a.weight > b.weight : a.use->name < b.use->name;
}

/// Definitions of one name, kind and scope: overloads, or a name set on several lines.
struct DefinedName {
  const Definition* first = nullptr;
  DefinitionGroup group = DefinitionGroup::Others;
  std::vector<std::uint32_t> lines;
  std::vector<std::uint32_t> source_lines;
};

class FullPageBuilder {
 public:
  FullPageBuilder(const FileRecord& record, const FileRecord* source, const FullContext& context)
      : record_(record),
        source_(source),
        context_(context),
        folder_(folder_of(record.path)),
        subject_(without_doc_suffixes(record.path, context.options.doc_suffixes)),
        rendered_(rendered_text(record)),
        names_(find_names(record, rendered_,
                          subject_ != record.path || record.language != "markdown")) {
    for (const NameUse& use : names_) uses_.emplace(use.name, &use);
  }

  FullPage build() {
    add_head();
    add_definitions();
    add_identifiers();
    add_sections();
    add_elsewhere();
    add_top();
    return std::move(out_);
  }

 private:
  const PageLinks& links() const { return context_.links; }

  void add_head() {
    Page& page = out_.page;
    page.path = record_.path;
    page.project = context_.page.project;
    page.folder = links().to_folder(folder_.empty() ? "." : folder_, folder_, folder_);
    if (subject_ == record_.path) {
      page.original = links().to_file(record_.path, folder_, record_.path);
      add_documentation();
      return;
    }
    page.documentation =
        links().to_file(std::string(file_name_of(record_.path)), folder_, record_.path);
    page.original.text =
        group_key(record_.path, context_.options.doc_suffixes, context_.options.doc_root);
    if (source_) page.original = links().to_file(source_->path, folder_, source_->path);
  }

  /// The page about this file, beside it or in the documentation folder.
  void add_documentation() {
    for (const std::string& suffix : context_.options.doc_suffixes) {
      for (const std::string& root : {context_.options.doc_root, std::string()}) {
        const std::string path = root + record_.path + suffix;
        if (!context_.files.find(path)) continue;
        out_.page.documentation = links().to_file(std::string(file_name_of(path)), folder_, path);
        return;
      }
    }
  }

  std::vector<DefinedName> defined_names() const {
    std::unordered_set<std::string_view> types;
    for (const Definition& d : record_.definitions)
      if (group_of_kind(d.kind) == DefinitionGroup::Classes) types.insert(d.name);
    using Key = std::tuple<DefinitionGroup, std::string_view, std::string_view>;
    std::map<Key, std::size_t> places;
    std::map<std::pair<std::string_view, std::string_view>, std::vector<std::uint32_t>> in_source;
    if (source_)
      for (const Definition& d : source_->definitions)
        in_source[{d.name, d.scope}].push_back(d.line);
    std::map<std::pair<std::string_view, std::string_view>, std::size_t> taken;
    const CodeLines code(record_);
    std::vector<DefinedName> all;
    for (const Definition& d : record_.definitions) {
      const DefinitionGroup group = group_of(d, code.language_at(d.line), types);
      const auto [at, is_new] = places.try_emplace({group, d.name, d.scope}, all.size());
      if (is_new) all.push_back({&d, group, {}, {}});
      DefinedName& defined = all[at->second];
      defined.lines.push_back(d.line);
      // The page quotes the source, so the first of a name there is the first here.
      const std::pair<std::string_view, std::string_view> key{d.name, d.scope};
      const auto source = in_source.find(key);
      if (source == in_source.end()) continue;
      if (std::size_t& next = taken[key]; next < source->second.size())
        defined.source_lines.push_back(source->second[next++]);
    }
    return all;
  }

  void add_definitions() {
    const std::vector<DefinedName> all = defined_names();
    for (int i = 0; i < kDefinitionGroups; ++i) {
      const auto wanted = static_cast<DefinitionGroup>(i);
      KeywordGroup group{std::string(title_of(wanted)), {}};
      for (const DefinedName& defined : all)
        if (defined.group == wanted) group.keywords.push_back(keyword_of(defined));
      if (!group.keywords.empty()) out_.page.groups.push_back(std::move(group));
    }
  }

  Keyword keyword_of(const DefinedName& defined) {
    const std::string& name = defined.first->name;
    Keyword keyword{name, {}};
    keyword.scope = defined.first->scope;
    add_lines(keyword, record_.path, "line", defined.lines);
    if (source_) add_lines(keyword, source_->path, "source line", defined.source_lines);
    if (const auto use = uses_.find(name); use != uses_.end()) {
      keyword.count = use->second->count;
      add_section_numbers(keyword, *use->second);
    }
    if (defined_.insert(name).second) {
      const bool main =
          defined.group <= DefinitionGroup::Types && defined.group != DefinitionGroup::Methods;
      const double weight = context_.statistics.weight(name, std::max(keyword.count, 1u));
      tops_.push_back({!main, -weight, name});
    }
    return keyword;
  }

  void add_lines(Keyword& keyword, const std::string& path, std::string_view what,
                 const std::vector<std::uint32_t>& lines) const {
    for (std::size_t i = 0; i < lines.size() && i < kLinesOfDefinition; ++i)
      keyword.places.push_back(
          links().to_line(fmt::format("{} {}", what, lines[i]), folder_, path, lines[i]));
    if (lines.size() > kLinesOfDefinition)
      keyword.places.push_back({fmt::format("{} more", lines.size() - kLinesOfDefinition), {}});
  }

  void add_section_numbers(Keyword& keyword, const NameUse& use) const {
    for (const SectionCount& at : use.sections) {
      if (at.section == kNoSection) continue;
      if (keyword.sections.size() < kSectionsOfName)
        keyword.sections.push_back(at.section);
      else
        ++keyword.more_sections;
    }
  }

  void add_identifiers() {
    std::vector<WeighedName> imported, others;
    for (const NameUse& use : names_) {
      if (defined_.contains(use.name)) {
        shown_.push_back(&use);
        continue;
      }
      (use.imported ? imported : others)
          .push_back({&use, context_.statistics.weight(use.name, use.count)});
    }
    std::sort(imported.begin(), imported.end(), weighs_more);
    const std::size_t limit = context_.page.limit == 0 ? others.size() : context_.page.limit;
    const auto end = others.begin() + static_cast<std::ptrdiff_t>(std::min(limit, others.size()));
    std::partial_sort(others.begin(), end, others.end(), weighs_more);
    others.erase(end, others.end());
    add_group("Imports", imported);
    add_group("Identifiers", others);

    std::vector<WeighedName> used = std::move(imported);
    used.insert(used.end(), others.begin(), others.end());
    std::sort(used.begin(), used.end(), weighs_more);
    for (std::size_t i = 0; i < used.size(); ++i) {
      if (i < kTopNamesOfFile)
        tops_.push_back({true, -used[i].weight, std::string(used[i].use->name)});
      shown_.push_back(used[i].use);
    }
    used_ = std::move(used);
  }

  void add_group(std::string title, const std::vector<WeighedName>& names) {
    KeywordGroup group{std::move(title), {}};
    for (const WeighedName& name : names) {
      const NameUse& use = *name.use;
      Keyword keyword{std::string(use.name), {}};
      keyword.count = use.count;
      keyword.places.push_back(links().to_line(fmt::format("line {}", use.first_line), folder_,
                                               record_.path, use.first_line));
      add_section_numbers(keyword, use);
      group.keywords.push_back(std::move(keyword));
    }
    if (!group.keywords.empty()) out_.page.groups.push_back(std::move(group));
  }

  void add_sections() {
    std::vector<std::vector<WeighedName>> names(record_.sections.size());
    for (const NameUse* const use : shown_)
      for (const SectionCount& at : use->sections)
        if (at.section != kNoSection)
          names[at.section].push_back({use, context_.statistics.weight(use->name, at.count)});
    const std::vector<std::string> anchors = section_anchors(record_.sections, context_.forge);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string& title = record_.sections[i].title;
      MappedSection section{title, {}};
      section.heading = links().to_section(title, folder_, record_.path, anchors[i]);
      const auto end = names[i].begin() +
                       static_cast<std::ptrdiff_t>(std::min(kNamesOfSection, names[i].size()));
      std::partial_sort(names[i].begin(), end, names[i].end(), weighs_more);
      for (auto it = names[i].begin(); it != end; ++it)
        section.keywords.emplace_back(it->use->name);
      out_.page.sections.push_back(std::move(section));
    }
  }

  void add_elsewhere() {
    std::vector<std::pair<std::size_t, std::vector<std::string>>> files;  // by their best name
    std::unordered_map<std::size_t, std::size_t> places;
    for (const WeighedName& used : used_) {
      for (const std::uint32_t number : context_.statistics.definers(used.use->name)) {
        const std::string& path = context_.files.paths()[number];
        if (path == record_.path || (source_ && path == source_->path)) continue;
        const auto [at, is_new] = places.try_emplace(number, files.size());
        if (is_new) files.push_back({number, {}});
        auto& names = files[at->second].second;
        if (names.size() < kNamesElsewhere) names.emplace_back(used.use->name);
      }
    }
    if (files.size() > kFilesElsewhere) files.resize(kFilesElsewhere);
    for (auto& [number, names] : files) {
      const std::string& path = context_.files.paths()[number];
      out_.page.elsewhere.push_back({links().to_page(path, folder_, path), std::move(names)});
    }
  }

  void add_top() {
    const auto end =
        tops_.begin() + static_cast<std::ptrdiff_t>(std::min(kTopNamesOfFile, tops_.size()));
    std::partial_sort(tops_.begin(), end, tops_.end());
    for (auto it = tops_.begin(); it != end; ++it) out_.top.push_back(std::get<std::string>(*it));
  }

  const FileRecord& record_;
  const FileRecord* source_;
  const FullContext& context_;
  std::string folder_;
  std::string_view subject_;  ///< path of what the page is about, or its own
  const EditedText rendered_;
  std::vector<NameUse> names_;
  std::unordered_map<std::string_view, const NameUse*> uses_;
  std::unordered_set<std::string_view> defined_;
  std::vector<const NameUse*> shown_;
  std::vector<WeighedName> used_;                            ///< the most telling first
  std::vector<std::tuple<bool, double, std::string>> tops_;  ///< the best sorts first
  FullPage out_;
};

}  // namespace

std::optional<std::size_t> source_of_page(const std::string& path, const FullContext& context) {
  const std::string key = group_key(path, context.options.doc_suffixes, context.options.doc_root);
  if (key == path) return std::nullopt;
  return context.files.find(key);
}

FullPage build_full_page(const FileRecord& record, const FileRecord* source,
                         const FullContext& context) {
  return FullPageBuilder(record, source, context).build();
}

}  // namespace kw::exporter
