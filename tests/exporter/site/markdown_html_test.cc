// SPDX-License-Identifier: GPL-2.0-or-later
// Pages and sources as HTML: markdown_html.h, code_html.h and line_ids.h together.
#include "exporter/site/markdown_html.h"

#include <gmock/gmock.h>

#include "exporter/site/html.h"
#include "schema/text/text.h"
#include "tests/support/index_builder.h"

namespace kw::exporter::site {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct Rendering {
  std::string path = "x.md";
  std::string text;
  std::vector<Definition> definitions = {};
};

/// The page's text; links lead to "to:URL" where the URL begins with "ok", uses of names that begin
/// with `Known` or `known` to "def#NAME".
std::string render(const Rendering& page) {
  const FileRecord record = test::make_entry({page.path, page.text, page.definitions}).record;
  LineIds ids(record.text);
  CodeHtml code(record, ids, [](std::string_view name, const CodeStyle*) {
    const bool known = name.starts_with("Known") || name.starts_with("known");
    return known ? "def#" + std::string(name) : std::string();
  });
  std::string out;
  if (record.language == "markdown")
    append_markdown(out, record, ids, code, [](std::string_view url) {
      return url.starts_with("ok") ? "to:" + html(url) : std::string();
    });
  else
    code.append_block(out, record.text, 1, code_style(record.language)), code.append_rest(out);
  return out;
}

std::string markdown(std::string text) { return render({"x.md", std::move(text)}); }

/// Without the anchors of lines, which other tests look at.
std::string without_lines(std::string html) {
  for (std::size_t at; (at = html.find("<i id=L")) != std::string::npos;)
    html.erase(at, html.find("</i>", at) + 4 - at);
  for (std::size_t at; (at = html.find(" id=L")) != std::string::npos;)
    html.erase(at, html.find('>', at) - at);
  return html;
}

TEST(MarkdownHtml, Blocks) {
  const struct {
    const char* why;
    std::string text, expected;
  } rows[] = {
      {"a paragraph", "a *b* **c** `d`", "<p>a <em>b</em> <strong>c</strong> <code>d</code></p>\n"},
      {"headings, one level down", "# A b\n\n###### C", "<h2 id=a-b>A b</h2>\n<h6 id=c>C</h6>\n"},
      {"the same heading twice", "# A\n# A", "<h2 id=a>A</h2>\n<h2 id=a-1>A</h2>\n"},
      {"an id of the site's own", "# kw query", "<h2 id=kw-query.>kw query</h2>\n"},
      {"a heading without a letter", "# !", "<h2>!</h2>\n"},
      {"a tight list", "- a\n- b", "<ul>\n<li>a\n<li>b\n</ul>\n"},
      {"a loose list", "1. a\n\n2. b", "<ol>\n<li><p>a</p>\n<li><p>b</p>\n</ol>\n"},
      {"a list that starts later", "3. a", "<ol start=3>\n<li>a\n</ol>\n"},
      {"a quote", "> a", "<blockquote>\n<p>a</p>\n</blockquote>\n"},
      {"an empty one is nothing", ">", ""},
      {"a rule", "***", "<hr>\n"},
      {"breaks", "a  \nb\nc", "<p>a<br>\nb\nc</p>\n"},
      {"code without a language", "```\na < b\n\nc\n```",
       "<ol class=code start=2>\n<li>a &lt; b\n<li>\n<li>c\n</ol>\n"},
      {"indented code", "    a\n\n    b", "<ol class=code>\n<li>a\n<li>\n<li>b\n</ol>\n"},
      {"an empty block of code", "```\n```", ""},
      {"front matter", "---\ntitle: x\n---\nT",
       "<ol class=code>\n<li>---\n<li>title: x\n<li>---\n</ol>\n<p>T</p>\n"},
  };
  for (const auto& row : rows)
    EXPECT_EQ(without_lines(markdown(row.text)), row.expected) << row.why;
}

TEST(MarkdownHtml, RawHtmlIsText) {
  EXPECT_EQ(without_lines(markdown("<div>\n<b>x</b>\n</div>\n")),
            "<ol class=code>\n<li>&lt;div&gt;\n<li>&lt;b&gt;x&lt;/b&gt;\n"
            "<li>&lt;/div&gt;\n</ol>\n");
  EXPECT_EQ(without_lines(markdown("a <b onclick=x>b</b> <!-- c --> d<br>e<br />f")),
            "<p>a &lt;b onclick=x&gt;b&lt;/b&gt; &lt;!-- c --&gt; d<br>e<br>f</p>\n");
  for (const char* text :
       {"<script>x</script>", "# <script>x</script>", "- <script>x</script>", "`<script>`",
        "| <script> |\n|---|\n| <script> |", "[<script>](ok \"<script>\")",
        "![<script>](ok<script>)", "```<script>\n<script>\n```", "<https://h/<script>",
        "&lt;script&gt;", "    <script>", "---\na: <script>\n---\n"})
    EXPECT_THAT(markdown(text), Not(HasSubstr("<script"))) << text;
}

TEST(MarkdownHtml, LinksLeadWhereTheSiteSays) {
  const struct {
    const char* why;
    std::string text, expected;
  } rows[] = {
      {"a link", "[a *b*](ok.md)", "<a href=\"to:ok.md\">a <em>b</em></a>"},
      {"nowhere: its text", "[a](no.md)", "a"},
      {"a script", "[a](javascript:alert(1))", "a"},
      {"without a text", "[](ok.md)", "<a href=\"to:ok.md\">ok.md</a>"},
      {"a reference", "[a]\n\n[a]: ok.md", "<a href=\"to:ok.md\">a</a>"},
      {"an image is not fetched", "![a](ok.png)", "<a href=\"to:ok.png\">[image: a]</a>"},
      {"one that leads nowhere", "![a](no.png)", "[image: a]"},
      {"an image in a link", "[![a](ok.png)](ok.md)", "<a href=\"to:ok.md\">[image: a]</a>"},
      {"one in a link to nowhere", "[![a](ok.png)](no.md)", "[image: a]"},
      {"a name in a link", "[`KnownType`](ok.md)",
       "<a href=\"to:ok.md\"><code>KnownType</code></a>"},
      {"a name in prose", "`KnownType`", "<a href=def#KnownType><code>KnownType</code></a>"},
      {"a call in prose", "`known()`", "<a href=def#known><code>known()</code></a>"},
      {"a word in prose is no call", "`known`", "<code>known</code>"},
      {"more than a name", "`KnownType x`", "<code>KnownType x</code>"},
  };
  for (const auto& row : rows)
    EXPECT_EQ(without_lines(markdown(row.text)), "<p>" + row.expected + "</p>\n") << row.why;
}

TEST(MarkdownHtml, PipeTablesAreTables) {
  EXPECT_EQ(
      without_lines(markdown("| a | b |\n|:-:|--:|\n| `x\\|y` | *c* |\n| 1 |\n")),
      "<div class=wide><table>\n<thead>\n<tr><th class=center>a</th><th class=right>b</th></tr>\n"
      "</thead>\n<tbody>\n<tr><td class=center><code>x|y</code></td>"
      "<td class=right><em>c</em></td></tr>\n<tr><td class=center>1</td><td "
      "class=right></td></tr>\n"
      "</tbody>\n</table></div>\n");
  const struct {
    const char* why;
    std::string text, part;
  } rows[] = {
      {"a cell that begins like a list", "|a|\n|-|\n|- x|", "<td>- x</td>"},
      {"a cell that begins like a heading", "|a|\n|-|\n|# x|", "<td># x</td>"},
      {"a cell that is a pipe", "|a|\n|-|\n|\\||", "<td>|</td>"},
      {"markup does not run out of a cell", "|a|b|\n|-|-|\n|*x|y*|", "<td>*x</td><td>y*</td>"},
      {"references hold", "|a|\n|-|\n|[r]|\n\n[r]: ok.md", "<td><a href=\"to:ok.md\">r</a></td>"},
      {"in a quote", "> |a|\n> |-|\n> |1|", "<td>1</td>"},
      {"in a list", "- |a|\n  |-|\n  |1|", "<td>1</td>"},
      {"text above", "T *t*:\n|a|\n|-|\n|1|", "<p>T <em>t</em>:</p>\n<div class=wide><table>"},
      {"a cell too many stays", "|a|\n|-|\n|1|2|", "<td>1</td><td>2</td>"},
      {"no rule", "|a|\n|b|", "<p>|a|\n|b|</p>"},
  };
  for (const auto& row : rows)
    EXPECT_THAT(without_lines(markdown(row.text)), HasSubstr(row.part)) << row.why;
}

/// Each line that is not blank has its anchor, once, whatever it is.
TEST(MarkdownHtml, EachLineHasItsAnchorOnce) {
  const std::string text =
      "---\nk: v\n---\n\n# A\ntext\nmore `code\nspan` x\n\n| a |\n|---|\n| 1 |\n| 2 |\n\n- a\n- \n"
      "  - b\n    ```cpp\n    int x;\n    ```\n> q\n\nSetext\n======\n\n[r]: ok.md\n\n```\n\n```\n"
      "    indented\n\n<div>\n\n</div>\n***\nlast\n[s]: ok.md\n";
  const std::string html = markdown(text);
  const std::vector<std::size_t> starts = line_starts(text);
  for (std::uint32_t line = 1; line <= starts.size(); ++line) {
    const std::string id = " id=L" + std::to_string(line) + ">";
    const std::size_t first = html.find(id);
    const bool blank = line_at(text, starts, line).find_first_not_of(' ') == std::string_view::npos;
    EXPECT_TRUE(blank || first != std::string::npos) << line;
    EXPECT_TRUE(blank || html.find(id, first + 1) == std::string::npos) << line;
  }
}

TEST(CodeHtml, DefinitionsAndUses) {
  const std::string text =
      "class A(KnownBase):\n  def run(self, known, known_x=1):\n    known(known)\n    x.known(1)\n"
      "    y = known_x  # KnownType\n    KnownType = 'KnownType'\n    return KnownType == "
      "known_x\n";
  const std::string html =
      render({"a.py",
              text,
              {{"A", "class", 1, ""}, {"run", "member", 2, "A"}, {"gone", "variable", 3, ""}}});
  EXPECT_EQ(html,
            "<ol class=code>\n"
            "<li id=L1>class <b id=d.A>A</b>(<a "
            "href=def#KnownBase>KnownBase</a>):\n"
            "<li id=L2>  def <b id=d.run>run</b>(self, known, known_x=1):\n"
            "<li id=L3>    <a href=def#known>known</a>(known)<i id=d.gone></i>\n"
            "<li id=L4>    x.known(1)\n"
            "<li id=L5>    y = <a href=def#known_x>known_x</a>  <i># KnownType</i>\n"
            "<li id=L6>    KnownType = <i>'KnownType'</i>\n"
            "<li id=L7>    return <a href=def#KnownType>KnownType</a> == <a "
            "href=def#known_x>known_x</a>\n"
            "</ol>\n");
}

TEST(CodeHtml, OneAnchorANameAndTheOuterFirst) {
  const std::string html = render({"a.py",
                                   "class A:\n  def f(self): pass\ndef f(): pass\ndef f(): pass\n",
                                   {{"A", "class", 1, ""},
                                    {"f", "member", 2, "A"},
                                    {"f", "function", 3, ""},
                                    {"f", "function", 4, ""}}});
  EXPECT_THAT(html, HasSubstr("<li id=L2>  def <b>f</b>"));
  EXPECT_THAT(html, HasSubstr("<li id=L3>def <b id=d.f>f</b>"));
  EXPECT_THAT(html, HasSubstr("<li id=L4>def <b>f</b>"));
}

TEST(CodeHtml, LinesOfAllKinds) {
  const struct {
    const char* why;
    Rendering page;
    std::string expected;
  } rows[] = {
      {"carriage returns",
       {"a.py", "x = 1  # c\r\n'''d\r\ne'''\r\n"},
       "<li id=L1>x = 1  <i># c</i>\n<li id=L2><i>'''d</i>\n<li "
       "id=L3><i>e'''</i>\n"},
      {"no newline at the end", {"a.txt", "a\nb"}, "<li id=L1>a\n<li id=L2>b\n"},
      {"blank lines in a comment",
       {"a.c", "/*\n  \n*/"},
       "<li id=L1><i>/*</i>\n<li id=L2>  \n<li id=L3><i>*/</i>\n"},
      {"markup",
       {"a.c", "a<b && c>d; // <script>"},
       "<li id=L1>a&lt;b &amp;&amp; c&gt;d; <i>// &lt;script&gt;</i>\n"},
  };
  for (const auto& row : rows)
    EXPECT_EQ(render(row.page), "<ol class=code>\n" + row.expected + "</ol>\n") << row.why;
}

TEST(CodeHtml, ANameThatStandsInNoCodeHasItsAnchor) {
  EXPECT_THAT(
      render({"a.md", "Text\n", {{"x", "function", 1, ""}, {"operator ==", "function", 1, ""}}}),
      testing::EndsWith("<i id=d.x></i>"));
}

}  // namespace
}  // namespace kw::exporter::site
