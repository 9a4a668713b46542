// SPDX-License-Identifier: GPL-2.0-or-later
// Pages and sources as HTML: markdown_html.h, code_html.h and line_ids.h together.
#include "exporter/site/markdown_html.h"

#include <gmock/gmock.h>

#include "exporter/site/html.h"
#include "schema/text/text.h"
#include "tests/support/hostile_markdown.h"
#include "tests/support/html_safety.h"
#include "tests/support/index_builder.h"

namespace kw::exporter::site {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

struct Rendering {
  std::string path = "x.md";
  std::string text;
  std::vector<Definition> definitions = {};
  std::string shown_title = {};
};

/// The page's text; links lead to "to/URL" where the URL begins with "ok", uses of names that begin
/// with `Known` or `known` to "def#NAME".
std::string render(const Rendering& page) {
  const FileRecord record = test::make_entry({page.path, page.text, page.definitions}).record;
  LineIds ids(record.text);
  CodeHtml code(record, ids, [](std::string_view name, std::string_view) {
    const bool known = name.starts_with("Known") || name.starts_with("known");
    return known ? "def#" + std::string(name) : std::string();
  });
  std::string out;
  if (record.language == "markdown")
    append_markdown(out, record, ids, code,
                    {[](std::string_view url) {
                       return url.starts_with("ok") ? "to/" + html(url) : html_link_url(url);
                     },
                     [](std::string_view url) {
                       return url.starts_with("img") ? "im/" + html(url) : std::string();
                     }},
                    page.shown_title);
  else
    code.append_block(out, record.text, 1, code_look(record.language)), code.append_rest(out);
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

TEST(CodeHtml, ReservedWordsAreMarkedWhereCodeIsNotTooLong) {
  EXPECT_THAT(render({"x.rb", "def f\nend # end\n"}),
              AllOf(HasSubstr("<u>def</u> f"), HasSubstr("<u>end</u> <i># end</i>")));
  EXPECT_THAT(render({"x.py", "def run(): pass\n", {{"run", "function", 1, ""}}}),
              HasSubstr("<u>def</u> <b id=d.run>run</b>(): <u>pass</u>"));
  std::string code;
  for (int i = 0; i < 5'000; ++i) code += "pass\n";
  EXPECT_THAT(render({"x.py", code}), HasSubstr("<u>pass</u>"));
  EXPECT_THAT(render({"x.py", code + "pass\n"}), Not(HasSubstr("<u>")));
}

TEST(MarkdownHtml, Blocks) {
  const struct {
    const char* why;
    std::string text, expected;
  } rows[] = {
      {"a paragraph", "a *b* **c** `d`", "<p>a <em>b</em> <strong>c</strong> <code>d</code></p>\n"},
      {"the highest heading is of the second level", "# A b\n\n###### C",
       "<h2 id=a-b>A b</h2>\n<h6 id=c>C</h6>\n"},
      {"the same heading twice", "# A\n# A", "<h2 id=a>A</h2>\n<h2 id=a-1>A</h2>\n"},
      {"an id of the site's own", "# kw query", "<h2 id=kw-query.>kw query</h2>\n"},
      {"the anchor that a page gives", "# A {#b}\n# C\n{: #d_e .f}\n\n# _G_ {: .h}",
       "<h2 id=b>A</h2>\n<h2 id=d_e>C</h2>\n<h2 id=g><em>G</em></h2>\n"},
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
      {"front matter is not shown", "---\ntitle: x\n---\nT", "<p>T</p>\n"},
  };
  for (const auto& row : rows)
    EXPECT_EQ(without_lines(markdown(row.text)), row.expected) << row.why;
}

TEST(MarkdownHtml, RawHtmlByAList) {
  const struct {
    const char* why;
    std::string text, expected;
  } rows[] = {
      {"blocks and inline elements", "<div>\n<b>x</b> <kbd>K</kbd>\n</div>",
       "<div>\n<b>x</b> <kbd>K</kbd>\n</div>\n"},
      {"attributes that act, and unknown ones", "a <b onclick=x style=y class=z>b</b>",
       "<p>a <b>b</b></p>\n"},
      {"comments and instructions", "a <!-- c --> b <?php x ?> c", "<p>a  b  c</p>\n"},
      {"breaks", "d<br>e<br />f", "<p>d<br>e<br>f</p>\n"},
      {"unknown elements leave their text", "a <blink>b</blink> <custom-x>c</custom-x>",
       "<p>a b c</p>\n"},
      {"scripts leave nothing", "<script>\nalert(1)\n</script>\n\na", "\n<p>a</p>\n"},
      {"nor do drawings", "<div><svg onload=x><a>b</a></svg></div>", "<div></div>\n"},
      {"headings, one level lower", "<h1 align=\"center\">T</h1>",
       "<i id=t></i><h2 class=center>T</h2>\n"},
      {"anchors of authors have a mark", "<a name=\"x\"></a> <a href=\"ok.md\">l</a>",
       "<p><a id=u.x></a> <a href=to/ok.md>l</a></p>\n"},
      {"links go where the site says", "<a href=\"javascript:alert(1)\">l</a>",
       "<p><a>l</a></p>\n"},
      {"an entity in a destination", "<a href='&#106;avascript:alert(1)'>l</a>",
       "<p><a>l</a></p>\n"},
      {"images of the tree", "<img src=img.png width=\"40%\" height=10px alt='a \"b\"'>",
       "<img src=im/img.png alt=\"a &quot;b&quot;\" height=10>\n"},
      {"others", "<img src=https://h/x.png alt=X>", "<a class=image href=https://h/x.png>X</a>\n"},
      {"Markdown inside", "<details>\n<summary>S</summary>\n\n- *a*\n\n</details>",
       "<details>\n<summary>S</summary>\n<ul>\n<li><em>a</em>\n</li></ul>\n</details>\n"},
      {"what is not closed ends with the text", "<div align=right><em>a\n\nb",
       "<div class=right><em>a\n<p>b</p>\n</em></div>"},
      {"what closes too much closes nothing of the site", "</div></article></main>\n\na",
       "\n<p>a</p>\n"},
      {"a comment that does not end", "<div><!-- a\n\nb\n", "<div><p>b</p>\n</div>"},
      {"a tag that does not end", "a <b", "<p>a &lt;b</p>\n"},
  };
  for (const auto& row : rows) {
    std::string html = without_lines(markdown(row.text));
    while (html.ends_with("\n\n")) html.pop_back();
    EXPECT_THAT(html, testing::AnyOf(row.expected, row.expected + "\n")) << row.why;
  }
}

TEST(MarkdownHtml, ADocumentOfTooManyTagsShowsThem) {
  std::string deep, wide = "<i>x</i>", open;
  for (int i = 0; i < 300; ++i) deep += "<div>\n";
  for (int i = 0; i < 25'000; ++i) wide += "<br>";
  for (int i = 0; i < 60; ++i) open += "<a name=" + std::to_string(i) + "><b><i><s><u>";
  for (int i = 0; i < 20'000; ++i) open += "\n\na";
  for (const std::string& text : {deep, "a " + wide, "a " + open}) {
    const std::string html = markdown(text);
    EXPECT_THAT(html, HasSubstr("&lt;")) << text.substr(0, 20);
    EXPECT_LT(html.size(), 30 * text.size());
  }
}

TEST(MarkdownHtml, NothingHostileIsLetThrough) {
  for (const char* text : test::kHostileMarkdown)
    for (const char* around : {"", "> ", "- ", "<div>\n\n", "<table><tr><td>", "a "}) {
      const std::string source = std::string(around) + text + "\n\nlast\n";
      EXPECT_THAT(test::executable_parts(markdown(source)), IsEmpty()) << source;
    }
}

TEST(MarkdownHtml, WhatGitHubReads) {
  const struct {
    const char* why;
    std::string text, part;
  } rows[] = {
      {"strikethrough", "a ~~b *c*~~ ~d~", "<p>a <del>b <em>c</em></del> <del>d</del></p>"},
      {"tildes that stand alone", "a ~ b ~~~c~~~ ~d", "<p>a ~ b ~~~c~~~ ~d</p>"},
      {"tasks", "- [ ] a\n- [x] b",
       "<li class=task><input type=checkbox disabled aria-label=\"not done\"> a\n"
       "<li class=task><input type=checkbox disabled checked aria-label=done> b\n"},
      {"a URL", "See https://h.x/a_(b)?c=1, or (www.h.x).",
       "See <a href=\"https://h.x/a_(b)?c=1\">https://h.x/a_(b)?c=1</a>, or "
       "(<a href=\"http://www.h.x\">www.h.x</a>)."},
      {"none in a link or a word", "[https://h.x](ok.md) xhttps://h.x",
       "<a href=\"to/ok.md\">https://h.x</a> xhttps://h.x"},
      {"a mail address", "To a.b-c+d@mail.example.org.",
       "To <a href=\"mailto:a.b-c+d@mail.example.org\">a.b-c+d@mail.example.org</a>."},
      {"in pointed brackets", "<a@b.c>", "<a href=\"mailto:a@b.c\">a@b.c</a>"},
      {"none", "@b.c a@b a@b.c- a@b.c_ a@b@c.d [a@b.c](ok.md)",
       "<p>@b.c a@b a@b.c- a@b.c_ a@b@c.d <a href=\"to/ok.md\">a@b.c</a>"},
      {"a footnote", "a[^n]\n\n[^n]: Why *so*.",
       "<p>a<sup><a href=#u.fn-n>n</a></sup></p>\n<p><sup id=u.fn-n>n</sup> Why <em>so</em>.</p>"},
      {"one that is not defined", "a[^n]", "<p>a[^n]</p>"},
      {"an alert", "> [!WARNING]\n> Hot.",
       "<blockquote class=\"alert warning\">\n<p><strong>Warning</strong></p>\n<p>\nHot.</p>"},
      {"emoji codes", ":rocket: a:b: :no_such_code:", "🚀 a:b: :no_such_code:"},
      {"right to left", "שלום", "<p dir=auto>שלום</p>"},
  };
  for (const auto& row : rows)
    EXPECT_THAT(without_lines(markdown(row.text)), HasSubstr(row.part)) << row.why;
}

TEST(MarkdownHtml, TheHeadingThatThePageShowsIsLeftOut) {
  const std::string html = render({"x.md", "# T\n\n## U\n", {}, "T"});
  EXPECT_EQ(html, "<i id=t></i><i id=L1></i><h2 id=u><i id=L3></i>U</h2>\n");
  EXPECT_THAT(render({"x.md", "# T\n", {}, "Other"}), HasSubstr("<h2 id=t>"));
}

TEST(DocumentTitle, OfFrontMatterOrTheOneHeading) {
  const struct {
    const char* why;
    std::string text, title;
  } rows[] = {
      {"the first heading", "# A *b*\n\n# C\n", "A b"},
      {"behind badges, if alone", "[x](y)\n\n# A\n\n## B\n", "A"},
      {"one of several sections", "text\n\n# A\n\n# B\n", ""},
      {"a deeper one, if first", "## A\n\n## B\n", "A"},
      {"a deeper one below text", "text\n\n## A\n\n## B\n", ""},
      {"none", "text\n", ""},
      {"front matter", "---\nweight: 1\ntitle: 'A: b'\n---\n# C\n", "A: b"},
      {"front matter without a title", "---\nweight: 1\n---\n\n# C\n\n# D\n", "C"},
  };
  for (const auto& row : rows)
    EXPECT_EQ(document_title(test::make_entry({"x.md", row.text}).record), row.title) << row.why;
}

TEST(MarkdownHtml, LinksLeadWhereTheSiteSays) {
  const struct {
    const char* why;
    std::string text, expected;
  } rows[] = {
      {"a link", "[a *b*](ok.md)", "<a href=\"to/ok.md\">a <em>b</em></a>"},
      {"nowhere: its text", "[a](no.md)", "a"},
      {"a script", "[a](javascript:alert(1))", "a"},
      {"its title", "[a](ok.md \"T \\\"<b>\")",
       "<a href=\"to/ok.md\" title=\"T &quot;&lt;b&gt;\">a</a>"},
      {"an image's title", "![a](img.png 'T') ![b](ok.png 'T')",
       "<img src=\"im/img.png\" alt=a title=T> <a class=image href=\"to/ok.png\" title=T>b</a>"},
      {"without a text", "[](ok.md)", "<a href=\"to/ok.md\">ok.md</a>"},
      {"a reference", "[a]\n\n[a]: ok.md", "<a href=\"to/ok.md\">a</a>"},
      {"an image that the site has", "![a *b*](img.png)", "<img src=\"im/img.png\" alt=\"a b\">"},
      {"one in a link", "[![a](img.png)](ok.md)",
       "<a href=\"to/ok.md\"><img src=\"im/img.png\" alt=a></a>"},
      {"one that it has not", "![a](ok.png)", "<a class=image href=\"to/ok.png\">a</a>"},
      {"one that leads nowhere", "![a](no.png)", "<span class=image>a</span>"},
      {"without a text", "![](https://h/b/c.svg?x=1)",
       "<a class=image href=\"https://h/b/c.svg?x=1\">c.svg</a>"},
      {"a badge", "[![a](ok.png)](ok.md)", "<a href=\"to/ok.md\"><span class=image>a</span></a>"},
      {"a name in a link", "[`KnownType`](ok.md)",
       "<a href=\"to/ok.md\"><code>KnownType</code></a>"},
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
      {"references hold", "|a|\n|-|\n|[r]|\n\n[r]: ok.md", "<td><a href=\"to/ok.md\">r</a></td>"},
      {"in a quote", "> |a|\n> |-|\n> |1|", "<td>1</td>"},
      {"in a list", "- |a|\n  |-|\n  |1|", "<td>1</td>"},
      {"text above", "T *t*:\n|a|\n|-|\n|1|", "<p>T <em>t</em>:</p>\n<div class=wide><table>"},
      {"a cell too many stays", "|a|\n|-|\n|1|2|", "<td>1</td><td>2</td>"},
      {"a head without words is no heading", "||b|\n|-|-|\n|1|2|", "<tr><td></td><th>b</th></tr>"},
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
            "<li id=L1><u>class</u> <b id=d.A>A</b>(<a "
            "href=def#KnownBase>KnownBase</a>):\n"
            "<li id=L2>  <u>def</u> <b id=d.run>run</b>(self, known, known_x=1):\n"
            "<li id=L3>    <a href=def#known>known</a>(known)<i id=d.gone></i>\n"
            "<li id=L4>    x.known(1)\n"
            "<li id=L5>    y = <a href=def#known_x>known_x</a>  <i># KnownType</i>\n"
            "<li id=L6>    KnownType = <i>'KnownType'</i>\n"
            "<li id=L7>    <u>return</u> <a href=def#KnownType>KnownType</a> == <a "
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
  EXPECT_THAT(html, HasSubstr("<li id=L2>  <u>def</u> <b>f</b>"));
  EXPECT_THAT(html, HasSubstr("<li id=L3><u>def</u> <b id=d.f>f</b>"));
  EXPECT_THAT(html, HasSubstr("<li id=L4><u>def</u> <b>f</b>"));
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

TEST(CodeHtml, LongCodeIsSeveralLists) {
  std::string text;
  for (int i = 1; i <= 1001; ++i) text += "x\n";
  const std::string html = render({"a.txt", text});
  EXPECT_THAT(html, testing::StartsWith("<div class=code>\n<div><ol>\n<li id=L1>x\n"));
  EXPECT_THAT(html, HasSubstr("<li id=L200>x\n</ol></div><div><ol start=201>\n<li id=L201>x\n"));
  EXPECT_THAT(html, HasSubstr("<li id=L1000>x\n</ol></div><div><noscript><ol start=1001>\n"));
  EXPECT_THAT(html, testing::EndsWith("<li id=L1001>x\n</ol></noscript></div></div>\n"));
}

TEST(CodeHtml, EachListOfLongCodeIsInOneElementOfItsPart) {
  std::string text;
  for (int i = 1; i <= 1400; ++i) text += "x\n";
  const std::string html = render({"a.txt", text});
  EXPECT_THAT(html, HasSubstr("<div><noscript><ol start=1001>\n"));
  EXPECT_THAT(html, HasSubstr("</ol></noscript></div><div><noscript><ol start=1201>\n"));
  EXPECT_THAT(html, testing::EndsWith("<li id=L1400>x\n</ol></noscript></div></div>\n"));
}

// The tree that cuts an author's HTML down knows no <noscript>: all lists are open.
TEST(CodeHtml, LongCodeBesideRawHtmlIsOpen) {
  std::string text = "<b>raw</b>\n\n```\n";
  for (int i = 1; i <= 1001; ++i) text += "x\n";
  const std::string html = render({"a.md", text + "```\n"});
  EXPECT_EQ(html.find("noscript"), std::string::npos);
  EXPECT_NE(html.find("<div><ol start=1004>"), std::string::npos);
}

TEST(CodeHtml, ANameThatStandsInNoCodeHasItsAnchor) {
  EXPECT_THAT(
      render({"a.md", "Text\n", {{"x", "function", 1, ""}, {"operator ==", "function", 1, ""}}}),
      testing::EndsWith("<i id=d.x></i>"));
}

}  // namespace
}  // namespace kw::exporter::site
