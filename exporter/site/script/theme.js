/* Keyword Index: SPDX-License-Identifier: GPL-2.0-or-later */
// The colours that a reader chose, before the page is drawn: the button is in page.js.
"use strict";
try {
  const theme = localStorage.getItem("kw-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // A browser that keeps nothing shows the system's.
}
