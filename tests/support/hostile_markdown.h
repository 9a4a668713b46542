// SPDX-License-Identifier: GPL-2.0-or-later
// Markdown with raw HTML that acts, in the ways that are known to get past filters.
#pragma once

namespace kw::test {

// Each of these runs something, or leaves its place, where HTML is let through by a filter that
// reads it otherwise than a browser.
inline constexpr const char* kHostileMarkdown[] = {
    "<script>alert(1)</script>",
    "<SCRIPT SRC=//h/x.js></SCRIPT>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<img src=x onerror=alert(1)>",
    "<img src='x' onerror\n=\nalert(1)>",
    "<img/src=x/onerror=alert(1)>",
    "<img src=`x`onerror=alert(1)>",
    "<IMG \"\"\"><SCRIPT>alert(1)</SCRIPT>\">",
    "<a href=\"javascript:alert(1)\">x</a>",
    "<a href=\"jav&#x09;ascript:alert(1)\">x</a>",
    "<a href=\"&#1;javascript:alert(1)\">x</a>",
    "<a href=\" javascript:alert(1)\">x</a>",
    "<a href=\"JaVaScRiPt&colon;alert(1)\">x</a>",
    "<a href=\"data:text/html;base64,PHNjcmlwdD4=\">x</a>",
    "<a href=\"vbscript:x\">x</a>",
    "<a href=//h/x onmouseover=alert(1)>x</a>",
    "[x](javascript:alert(1)) [y](<java\tscript:alert(1)>) [z](JAVASCRIPT:x)",
    "![x](javascript:alert(1)) ![y](data:text/html,x)",
    "<javascript:alert(1)>",
    "<svg/onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<svg><style><img src=x onerror=alert(1)></style></svg>",
    "<math><mtext></form><form><mglyph><svg><mtext><style><path id=\"</style><img onerror=alert(1) "
    "src>\">",
    "<math><mi//xlink:href=\"data:x,<script>alert(1)</script>\">",
    "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
    "<template><img src=x onerror=alert(1)></template>",
    "<iframe srcdoc=\"<script>alert(1)</script>\"></iframe>",
    "<object data=x.swf></object><embed src=x>",
    "<style>@import 'x'</style><link rel=stylesheet href=x><base href=//h/>",
    "<meta http-equiv=refresh content=\"0;url=javascript:alert(1)\">",
    "<form action=javascript:alert(1)><input type=submit><button "
    "formaction=javascript:x>y</button>",
    "<textarea></textarea><plaintext>",
    "<title></title><xmp><b>",
    "<table background=javascript:x><td style=\"x:expression(alert(1))\">",
    "<details open ontoggle=alert(1)><summary>x</summary></details>",
    "<div id=kw-results name=kw-query class=kw-result></div>",
    "<a id=L1 name=Main>x</a><p id=d.x>y</p>",
    "<p title='\"><img src=x onerror=alert(1)>'>x</p>",
    "<a title=\"x&quot;onclick=alert(1)//\">x</a>",
    "<b a='\n\n<img src=x onerror=alert(1)>",
    "<!--><img src=x onerror=alert(1)>-->",
    "<!--- --!><img src=x onerror=alert(1)> -->",
    "<![CDATA[ <img src=x onerror=alert(1)> ]]>",
    "<!DOCTYPE x [<!ENTITY y \"<script>\">]>",
    "<?xml-stylesheet href=javascript:alert(1)?>",
    "<input type=image src=x onerror=alert(1)>",
    "<video><source onerror=alert(1)></video><audio src=x onerror=alert(1)>",
    "<body onload=alert(1)><html onmouseover=x><head>",
    "<a\x01href=javascript:alert(1)>x</a>",
    "<\x01script>alert(1)</script>",
    "[^x]: <img src=x onerror=alert(1)>\n\n[^x] [^<b>]",
    "- [x] <img src=x onerror=alert(1)>",
    "> [!NOTE]\n> <script>alert(1)</script>",
    "~~<img src=x onerror=alert(1)>~~ https://h/\"onmouseover=alert(1) www.h.x/<script>",
    "|<script>|\n|-|\n|<img src=x onerror=alert(1)>|",
    "---\ntitle: \"<script>alert(1)</script>\"\n---\n# <script>alert(1)</script>",
    "```<script>\n<script>alert(1)</script>\n```",
};

}  // namespace kw::test
