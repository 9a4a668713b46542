// SPDX-License-Identifier: GPL-2.0-or-later
// All names of the tree with the files that have them, and from it the list of each folder: the
// names of its subtree in the order of the alphabet, each with the files that define it, then those
// that use it; the root's is the A-Z of the whole tree. A model without markup: files are numbers
// of the catalogue, and the writers make links of them.
//
// Which names a folder lists: those that its files define, and those of others that look like a
// name of code (is_code_like) and that two of its files or more use. What only one file uses and
// none defines stands on that file's page. The lists of all folders repeat a name at each level; by
// this rule they come, with the A-Z, to less than the text that was indexed (README.md).
//
// Lists name files and kinds, but no lines and no totals: an edit moves lines all down a file, and
// would change a part of a list for each name below it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "exporter/model/definition_group.h"
#include "exporter/model/file_table.h"
#include "schema/base/result.h"
#include "schema/index/index_reader.h"

namespace kw::exporter {

/// A name of a list. The views are the index's.
struct ListedName {
  struct Definer {
    std::uint32_t file = 0;  ///< number of the catalogue
    std::string_view kind;   ///< in ctags' words: of the most important of its definitions there

    bool operator==(const Definer&) const = default;
  };
  std::string_view name;             ///< over 124 bytes: its head and a hash
  std::vector<Definer> definers;     ///< types, then functions and so on; those alike by path
  std::size_t more_definers = 0;     ///< beside those
  std::vector<std::uint32_t> users;  ///< files that have it without a definition: most often first
  std::size_t more_users = 0;
};

/// So many files a name: the reader wants the place, and who uses it by example.
inline constexpr std::size_t kMaxDefinersListed = 5;
inline constexpr std::size_t kMaxUsersListed = 2;

/// A part of a list that is long. The first part holds what no other does; a list that is short has
/// no other.
struct ListPart {
  std::string prefix;      ///< of the keys (name_key) of its names
  std::size_t number = 1;  ///< counts the parts of one prefix, where letters tell no further
  std::vector<std::uint32_t> names = {};  ///< places in the list, ascending

  /// Names the part in a file name: "", "ab", "ab_5f", "ab.2"; unlike those of other parts even
  /// where letters' case does not count, and made of `a-z`, `0-9`, `_` and `.`.
  std::string slug() const;
};

/// The list of one folder. Holds views into the index that it comes from.
class KeywordList {
 public:
  /// At least one part, the first one's prefix empty, the others by their prefixes.
  const std::vector<ListPart>& parts() const { return parts_; }
  bool empty() const { return starts_.size() == 1; }
  ListedName name(std::uint32_t place) const;

 private:
  friend class KeywordIndex;
  struct Entry {
    std::uint32_t name;
    std::uint32_t file;
    std::uint32_t what;
  };
  std::vector<Entry> entries_;       ///< by name, then file
  std::vector<std::size_t> starts_;  ///< of each name's entries; one more at the end
  std::vector<ListPart> parts_;
  const class KeywordIndex* index_ = nullptr;
};

class KeywordIndex {
 public:
  /// Where a list has more names than this it is cut into parts by their first letters: some
  /// hundred kilobytes are what forges still show as a page.
  static constexpr std::size_t kMaxNamesOfPart = 1000;
  /// Letters that fewer names share get no part of their own.
  static constexpr std::size_t kMinNamesOfPart = 100;

  KeywordIndex() = default;
  KeywordIndex(KeywordIndex&&) = default;
  KeywordIndex& operator=(KeywordIndex&&) = default;

  /// Reads all records without their text, and the vocabulary. Kept are 8 bytes for each file of
  /// each name, and each name's text.
  static Result<KeywordIndex> read(IndexReader& reader, const FileTable& files);

  /// The list of a folder; "" for the tree. A file and the page about it count as one: of a name
  /// that both have, the source is listed. Must not outlive the index.
  KeywordList list(std::string_view folder, const FileTable& files) const;

  /// Up to `count` names of types and functions that the tree defines, those first that most files
  /// use without defining them; one that a file is called by (`Tensor` of tensor.py) is the tree's
  /// own, and no other library's, and counts more. No word of small letters alone, which is as
  /// often another thing, and no macro of capitals. A file and the page about it count as one.
  std::vector<std::string> most_used(std::size_t count, const FileTable& files) const;

 private:
  friend class KeywordList;
  struct Entry {
    std::uint32_t name;
    std::uint32_t what;  ///< kDefined and the kind, or how often it is used
  };
  static constexpr std::uint32_t kDefined = 1u << 31;
  static constexpr std::uint32_t kNoFile = 0xffffffff;

  std::uint32_t intern(std::string_view name);
  std::uint32_t kind_number(std::string_view kind);
  void add_definitions(std::size_t file, const FileRecord& record);
  Result<void> add_uses(IndexReader& reader, const FileTable& files);
  void sort_names();
  void keep_listed(KeywordList& list) const;
  DefinitionGroup group_of_entry(std::uint32_t what) const { return groups_[what & ~kDefined]; }
  void cut(KeywordList& list, ListPart part) const;

  std::unordered_map<std::string, std::uint32_t> numbers_;  ///< while it is read
  std::vector<std::string> names_;  ///< by key, then spelling, once they are sorted
  std::vector<std::string> keys_;   ///< of the names
  std::vector<bool> code_like_;     ///< the names
  std::vector<std::string> kinds_;
  std::vector<DefinitionGroup> groups_;      ///< of the kinds
  std::vector<std::vector<Entry>> of_file_;  ///< by number of the catalogue, by name
  std::vector<std::uint32_t> source_of_;     ///< of files that are pages about one; else kNoFile
};

/// The folder whose list stands for that of `folder`: going down while a folder holds nothing but
/// one folder, for then both lists are the same. The root keeps its own.
std::string folder_of_list(const std::string& folder, const FileTable& files);

}  // namespace kw::exporter
