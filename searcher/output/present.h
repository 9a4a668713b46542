// SPDX-License-Identifier: GPL-2.0-or-later
// How the results of a search are shown: what the command line and the MCP server have in common.
// What is asked: request.h; what one result looks like: format.h.
#pragma once

#include <string>
#include <vector>

#include "schema/cli/program.h"
#include "searcher/engine/search.h"
#include "searcher/query/query.h"

namespace kw::search {

enum class OutputForm { Text, Paths, Count, CountBy, Json, Vimgrep };

struct PresentationOptions {
  OutputForm form = OutputForm::Text;
  cli::ColorMode color = cli::ColorMode::Auto;
  std::size_t lines_per_file = 3;  ///< 0: all
  std::size_t context = 0;
  bool null_separated = false;  ///< paths end in a zero byte, not a newline
  bool absolute = false;
  bool explain = false;
  bool links = false;
  std::string uses;  ///< of --uses: only lines that use this name; empty: all that match
};

/// One run's way of printing paths. The searcher must outlive it.
class Paths {
 public:
  Paths(const Searcher& searcher, bool absolute);

  /// The root of the hit's tree.
  const std::string& root(const Hit& hit) const;
  std::string file(const Hit& hit) const { return root(hit) + "/" + hit.path; }

  /// Whether this machine knows where the hit's tree lies, or has it at that path.
  bool are_here(const Hit& hit) const { return root(hit).starts_with('/'); }

  /// Whether each hit needs its tree beside it.
  bool has_several_trees() const;

  /// As the options want it: from the root, or absolute.
  std::string shown(const Hit& hit) const { return absolute_ ? file(hit) : hit.path; }

  /// That an editor started here can open; of a server's tree, from its root.
  std::string from_here(const Hit& hit) const;

  /// Of a tree that lies on another machine nobody knows.
  bool changed_on_disk(const Hit& hit) const;

 private:
  const Searcher& searcher_;
  bool absolute_;
  std::string here_;
};

/// The identifiers nearest to words that were not found, three at most.
std::vector<std::string> names_near(Searcher& searcher, const ParsedQuery& query);

/// How each hit is printed. Both arguments must outlive it.
Presenter make_presenter(const Paths& paths, const PresentationOptions& options);

/// What was shown of all hits. Where a bound was reached, or a database was left out, each line of
/// JSON says so.
std::string shown_text(const SearchResult& result, const Searcher& searcher,
                       const PresentationOptions& options);

/// What a search did not ask, in words for people; empty: nothing.
std::string words_on_left_out(const OpenDatabases& opened);
std::string words_on_missing_parts(const OpenDatabases& opened);

}  // namespace kw::search
