// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/tree_images.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "tests/support/temp_dir.h"

namespace fs = std::filesystem;

namespace kw::exporter::site {
namespace {

using test::TempDir;
using test::write_file;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::IsEmpty;

const std::string kPng = std::string("\x89PNG\r\n\x1a\n") + "pixels";

TEST(TreeImages, KindsByTheirBytes) {
  const struct {
    const char* why;
    std::string bytes;
    const char* kind;
  } rows[] = {
      {"PNG", kPng, "png"},
      {"JPEG", "\xff\xd8\xff\xe0", "jpg"},
      {"GIF", "GIF89a", "gif"},
      {"WebP", "RIFF1234WEBPVP8 ", "webp"},
      {"AVIF", std::string("\0\0\0\x20", 4) + "ftypavif", "avif"},
      {"text", "just text", ""},
      {"HTML", "<html><script>x</script>", ""},
      {"a drawing", "<?xml version=\"1.0\"?><svg><path d=\"M0\"/></svg>", "svg"},
      {"its links", "<svg><a href=\"https://h/\"><use xlink:href='#a'/></a></svg>", "svg"},
      {"references", "<svg><text>a&#xa;&#160;b</text></svg>", "svg"},
      {"a description", "<svg><metadata><rdf:Description/></metadata></svg>", "svg"},
      {"a script", "<svg><script>x</script></svg>", ""},
      {"one with a prefix", "<svg xmlns:s='...'><s:script>x</s:script></svg>", ""},
      {"an event", "<svg onload=\"x\"/>", ""},
      {"one in a new line", "<svg\nonload = 'x'/>", ""},
      {"a link that acts", "<svg><a href=\"javascript:x\"/></svg>", ""},
      {"one in references", "<svg><a href=\"&#106;avascript:x\"/></svg>", ""},
      {"one with a tab", "<svg><a href='java\tscript:x'/></svg>", ""},
      {"data that acts", "<svg><use href='data:image/svg+xml;base64,x'/></svg>", ""},
      {"an animation of a link", "<svg><a><animate attributeName=href to=x /></a></svg>", ""},
      {"entities", "<!DOCTYPE svg [<!ENTITY x 'y'>]><svg>&x;</svg>", ""},
      {"a style sheet", "<?xml-stylesheet href='x'?><svg/>", ""},
      {"another encoding", "<?xml version='1.0' encoding='UTF-7'?><svg/>", ""},
      {"a page inside", "<svg><foreignObject><iframe src='x'/></foreignObject></svg>", ""},
  };
  for (const auto& row : rows) EXPECT_EQ(image_kind(row.bytes), row.kind) << row.why;
}

TEST(TreeImages, FilesOfTheTreeAlone) {
  const TempDir tmp;
  const std::string root = (tmp / "tree").string();
  write_file(tmp / "tree/a/b.png", kPng);
  write_file(tmp / "tree/.git/c.png", kPng);
  write_file(tmp / "secret.png", kPng);
  write_file(tmp / "tree/large.png", kPng + std::string(kMaxImageBytes, 'x'));
  fs::create_symlink(tmp / "secret.png", tmp / "tree/link.png");
  fs::create_directory_symlink(tmp.path(), tmp / "tree/up");
  EXPECT_EQ(read_tree_file(root, "a/b.png"), kPng);
  for (const char* path : {"gone.png", "a", ".git/c.png", "large.png", "link.png", "up/secret.png",
                           "../secret.png", "a/../a/b.png", "/etc/passwd", ""})
    EXPECT_EQ(read_tree_file(root, path), "") << path;
}

TEST(TreeImages, ThoseThatDocumentsName) {
  const TempDir tmp;
  const std::string root = (tmp / "tree").string();
  write_file(tmp / "tree/img/a b.png", kPng);
  write_file(tmp / "tree/img/same.PNG", kPng);
  write_file(tmp / "tree/img/text.png", "no image");
  TreeImages images;
  images.add_document("docs/x.md",
                      "![a](../img/a%20b.png?raw=1) <img src='/img/same.PNG'> ![t](../img/text.png)"
                      "\n![u](../../out.png) ![w](https://h/x.png) img.pngx\n[r]: ../img/gone.svg");
  ASSERT_TRUE(images.read(root));
  EXPECT_THAT(std::string(images.name_of("img/a b.png")), EndsWith(".png"));
  EXPECT_EQ(images.name_of("img/a b.png"), images.name_of("img/same.PNG")) << "the same bytes";
  EXPECT_EQ(images.name_of("img/text.png"), "");
  ASSERT_THAT(images.names(), testing::SizeIs(2)) << "the image, and the list";
  EXPECT_EQ(*images.bytes(0), kPng);

  const std::string list = *images.bytes(1);
  EXPECT_THAT(list, EndsWith("\nimg/a b.png\nimg/gone.svg\nimg/same.PNG\nimg/text.png\n"));
  const std::string before = state_of_images(root, list);
  EXPECT_EQ(state_of_images(root, list), before);
  write_file(tmp / "tree/img/gone.svg", "<svg/>");
  EXPECT_NE(state_of_images(root, list), before) << "one that a document named has come";
}

TEST(TreeImages, NoneWithoutATree) {
  TreeImages images;
  images.add_document("x.md", "![a](a.png)");
  ASSERT_TRUE(images.read(""));
  EXPECT_THAT(images.names(), IsEmpty());
}

}  // namespace
}  // namespace kw::exporter::site
