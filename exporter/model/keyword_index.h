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
#include <utility>
#include <vector>

#include "exporter/model/definition_group.h"
#include "exporter/model/file_table.h"
#include "exporter/model/name_entries.h"
#include "exporter/model/name_texts.h"
#include "schema/base/result.h"
#include "schema/index/index_reader.h"

namespace kw::exporter {

/// A name of a list. The views are those of ListedNames and of the index.
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
  std::vector<std::uint32_t> names = {};  ///< numbers in the index, ascending

  /// Names the part in a file name: "", "ab", "ab_5f", "ab.2"; unlike those of other parts even
  /// where letters' case does not count, and made of `a-z`, `0-9`, `_` and `.`.
  std::string slug() const;
};

/// Which names the list of a folder has, in which parts.
class KeywordList {
 public:
  /// At least one part, the first one's prefix empty, the others by their prefixes.
  const std::vector<ListPart>& parts() const { return parts_; }
  bool empty() const { return parts_.size() == 1 && parts_[0].names.empty(); }

  /// The part behind those from `first` on that are made together: ListedNames holds as much.
  std::size_t batch_end(std::size_t first) const;

 private:
  friend class KeywordIndex;
  std::size_t first_file_ = 0, end_file_ = 0;  ///< those below the folder
  std::vector<ListPart> parts_;
};

/// Who defines and uses the names of some parts of a list. Must not outlive the index.
class ListedNames {
 public:
  ListedName name(std::uint32_t number) const;

 private:
  friend class KeywordIndex;
  struct Entry {
    std::uint32_t name;
    std::uint32_t file;
    std::uint32_t what;
  };
  std::vector<std::uint32_t> numbers_;  ///< of the names, ascending
  std::string texts_;                   ///< theirs, behind one another
  std::vector<std::size_t> text_ends_;
  std::vector<Entry> entries_;  ///< by name, then file
  const class KeywordIndex* index_ = nullptr;
};

class KeywordIndex {
 public:
  /// Where a list has more names than this it is cut into parts by their first letters: some
  /// hundred kilobytes are what forges still show as a page.
  static constexpr std::size_t kMaxNamesOfPart = 1000;
  /// Letters that fewer names share get no part of their own.
  static constexpr std::size_t kMinNamesOfPart = 100;
  /// Names that ListedNames holds, if no part has more.
  static constexpr std::size_t kMaxNamesAtOnce = 100'000;

  KeywordIndex() = default;
  KeywordIndex(KeywordIndex&&) = default;
  KeywordIndex& operator=(KeywordIndex&&) = default;

  /// Reads all records without their text, and the vocabulary. Names and what files say of them are
  /// kept in temporary files; in memory are 16 bytes a definition while it reads, and then few
  /// bytes a file and a bit a name. The functions below fail where those files cannot be read.
  static Result<KeywordIndex> read(IndexReader& reader, const FileTable& files);

  /// The list of a folder; "" for the tree. A file and the page about it count as one: of a name
  /// that both have, the source is listed.
  Result<KeywordList> list(std::string_view folder, const FileTable& files) const;

  /// What the parts from `first` to before `end` of a list say of their names.
  Result<ListedNames> names_of(const KeywordList& list, std::size_t first, std::size_t end) const;

  /// Up to `count` names of types and functions that the tree defines, those first that most files
  /// use without defining them; one that a file is called by (`Tensor` of tensor.py) is the tree's
  /// own, and no other library's, and counts more. No word of small letters alone, which is as
  /// often another thing, and no macro of capitals. A file and the page about it count as one.
  Result<std::vector<std::string>> most_used(std::size_t count, const FileTable& files) const;

 private:
  friend class ListedNames;
  friend class KeywordIndexReader;
  // `what` of a NameEntry: kDefined and the kind, or how often the file uses the name.
  static constexpr std::uint32_t kDefined = 1;  ///< the last bit; the others are the number
  static constexpr std::uint32_t kNoFile = 0xffffffff;

  class OwnEntries;
  using NameRange = std::pair<std::uint32_t, std::uint32_t>;
  struct Used {
    std::uint32_t name;
    std::uint32_t weight;
  };
  Result<std::vector<NameRange>> names_of_files(const FileTable& files) const;
  Result<std::vector<Used>> names_used(const FileTable& files) const;
  DefinitionGroup group_of_entry(std::uint32_t what) const { return groups_[what >> 1]; }
  Result<void> cut(KeywordList& list, ListPart part) const;

  NameTexts names_;                 ///< by number, which are by key, then spelling
  std::vector<bool> is_code_like_;  ///< by number of a name
  std::vector<std::string> kinds_;
  std::vector<DefinitionGroup> groups_;   ///< of the kinds
  FileEntries entries_;                   ///< by number of the file table
  std::vector<std::uint32_t> source_of_;  ///< of files that are pages about one; else kNoFile
};

/// The folder whose list stands for that of `folder`: going down while a folder holds nothing but
/// one folder, for then both lists are the same. The root keeps its own.
std::string folder_of_list(const std::string& folder, const FileTable& files);

}  // namespace kw::exporter
