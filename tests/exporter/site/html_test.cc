// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/html.h"

#include <gmock/gmock.h>

#include "exporter/site/sitemap.h"

namespace kw::exporter::site {
namespace {

using ::testing::HasSubstr;

TEST(Html, TextHoldsNoMarkup) {
  const struct {
    const char* why;
    std::string text, expected;
  } rows[] = {
      {"plain", "int main() { return 0; }", "int main() { return 0; }"},
      {"an element", "<script>", "&lt;script&gt;"},
      {"an entity", "&lt; &amp;", "&amp;lt; &amp;amp;"},
      {"quotes are text", "\" onload='x'", "\" onload='x'"},
      {"lines and tabs stay", "a\tb\nc", "a\tb\nc"},
      {"letters of all scripts", "ä 日本 \U0001F600", "ä 日本 \U0001F600"},
      {"controls of a terminal", "\x1b[31m\x7f", "\\x1b[31m\\x7f"},
      {"a carriage return alone", "a\rb", "a\\rb"},
      {"C1 controls", "\u0085\u009b", "\\x85\\x9b"},
      {"text that turns", "a\u202eb\u2066", "a\\u202eb\\u2066"},
      {"bytes that are no character", "a\xff\xc3(", "a\\xff\\xc3("},
      {"half a character at the end", "a\xe6\x97", "a\\xe6\\x97"},
      {"no characters", "\uFFFE\U0001FFFF\uFDD0", "\uFFFD\uFFFD\uFFFD"},
      {"their neighbours", "\uFFFD\uFDCF\uFDF0", "\uFFFD\uFDCF\uFDF0"},
      {"a NUL", std::string("a\0b", 3), "a\\x00b"},
      {"nothing", "", ""},
  };
  for (const auto& row : rows) EXPECT_EQ(html(row.text), row.expected) << row.why;
}

TEST(Html, AttributesHaveTheQuotesThatTheyNeed) {
  const struct {
    const char* why;
    std::string text, expected;
  } rows[] = {
      {"a word", "d.name-2_x", "d.name-2_x"},
      {"letters of all scripts", "ä日本", "ä日本"},
      {"blanks", "a b\tc\nd", "\"a b\tc\nd\""},
      {"its own quote", "\" onload='x'", "\"&quot; onload='x'\""},
      {"other signs that end or break it", "a'b", "\"a'b\""},
      {"likewise", "a=b", "\"a=b\""},
      {"likewise", "a`b", "\"a`b\""},
      {"markup", "a<b>&", "a&lt;b&gt;&amp;"},
      {"other blanks", "a\fb\u00a0c", "a\\x0cb\u00a0c"},
      {"nothing", "", "\"\""},
  };
  for (const auto& row : rows) EXPECT_EQ(attribute(row.text), row.expected) << row.why;
}

TEST(Html, PathsNeedNoQuotes) {
  EXPECT_EQ(url_path("../a-b_c.d/~x+y@z"), "../a-b_c.d/~x+y@z");
  EXPECT_EQ(url_path("a b?c#d%e&f=g"), "a%20b%3Fc%23d%25e%26f%3Dg");
  EXPECT_EQ(url_path("\"'<>`:"), "%22%27%3C%3E%60%3A");
  EXPECT_EQ(url_path("ä\xff\n"), "%C3%A4%FF%0A");
}

TEST(Html, UrlsAreOfHttpOrNone) {
  EXPECT_EQ(html_url("https://h/a?b=1&c=%20#d"), "https://h/a?b=1&amp;c=%20#d");
  EXPECT_EQ(html_url("http://h/a b\"<ä>"), "http://h/a%20b%22%3C%C3%A4%3E");
  for (const char* url : {"javascript:alert(1)", "data:text/html,x", "mailto:a@b", "//h/x", "x", "",
                          "HTTPS://h", " https://h", "vbscript:x", "file:///etc/passwd"})
    EXPECT_EQ(html_url(url), "") << url;
}

TEST(Html, LinksLeadToMailToo) {
  EXPECT_EQ(html_link_url("https://h/a"), "https://h/a");
  EXPECT_EQ(html_link_url("mailto:a@b?subject=c d&e"), "mailto:a@b?subject=c%20d&amp;e");
  for (const char* url : {"javascript:alert(1)", "MAILTO:a@b", "mail", ""})
    EXPECT_EQ(html_link_url(url), "") << url;
}

TEST(Sitemap, OneFileForAFewPages) {
  EXPECT_THAT(sitemap_names(2), testing::ElementsAre("sitemap.xml"));
  EXPECT_EQ(build_sitemap({"index.html", "a&b/c d.html"}, 0, "https://h/x/"),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><!-- Keyword Index: made by kwexport -->\n"
            "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
            "<url><loc>https://h/x/index.html</loc></url>\n"
            "<url><loc>https://h/x/a%26b/c%20d.html</loc></url>\n</urlset>\n");
}

TEST(Sitemap, AnIndexForMore) {
  const std::vector<std::string> pages(kMaxSitemapPages + 1, "p.html");
  EXPECT_THAT(sitemap_names(pages.size()),
              testing::ElementsAre("sitemap.xml", "sitemap-1.xml", "sitemap-2.xml"));
  const std::string index = build_sitemap(pages, 0, "https://h/");
  EXPECT_THAT(index, HasSubstr("<sitemap><loc>https://h/sitemap-1.xml</loc></sitemap>\n"
                               "<sitemap><loc>https://h/sitemap-2.xml</loc></sitemap>\n"
                               "</sitemapindex>\n"));
  EXPECT_THAT(build_sitemap(pages, 2, "https://h/"),
              HasSubstr("0.9\">\n<url><loc>https://h/p.html</loc></url>\n</urlset>\n"));
}

}  // namespace
}  // namespace kw::exporter::site
