// SPDX-License-Identifier: GPL-2.0-or-later
// The images of the tree that its documents show, each kept in the site under a hash of its bytes.
// They are no part of the index, so they are read where the tree lies: only regular files below its
// root, by no link, that are what they say, and not too large. A drawing (SVG) that could run
// anything is not taken. What is not taken stays a link with its text.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/site/chunk_text.h"
#include "schema/base/result.h"

namespace kw::exporter::site {

/// Where the site has its images, and the list of those that its documents name.
inline constexpr std::string_view kImageFolder = "search/images";
inline constexpr std::string_view kImageListName = "search/images/list.txt";

/// An image is at most so large, and all together are.
inline constexpr std::size_t kMaxImageBytes = 4u << 20;
inline constexpr std::size_t kMaxImagesBytes = 256u << 20;

/// The ending of an image's kind, told by its bytes: "png"; empty for what is none, or is a drawing
/// with scripts, entities or links that are not of http, https or an anchor.
std::string_view image_kind(std::string_view bytes);

/// The bytes of a regular file below `root`, reached by no symbolic link and through none of the
/// folders that programs keep for themselves (.git, .kwsearch); empty if there is none, or it is
/// larger than kMaxImageBytes.
std::string read_tree_file(const std::string& root, std::string_view path);

class TreeImages {
 public:
  /// Adds the paths that a document names and that end as those of images do.
  void add_document(std::string_view path, std::string_view text);

  /// Reads the images of those paths; none where `root` is empty.
  Result<void> read(const std::string& root);

  /// What the site calls the image at a path of the tree; empty if it has none.
  std::string_view name_of(std::string_view tree_path) const;

  /// The names of all files, the list last, and their bytes by place.
  std::vector<std::string> names() const;
  Result<std::string> bytes(std::size_t place) const;

 private:
  std::set<std::string, std::less<>> paths_;               ///< of the tree, named by documents
  std::map<std::string, std::string, std::less<>> names_;  ///< of those read
  ChunkSpool images_;
};

/// A hash over the images that a list (kImageListName) names, as they lie in the tree now.
std::string state_of_images(const std::string& root, std::string_view list);

}  // namespace kw::exporter::site
