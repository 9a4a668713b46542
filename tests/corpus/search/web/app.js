// The front page.
function renderPage(state) {
  const html = `<p>${state.title}</p>`;
  return html;
}

class PageView {
  constructor(state) {
    this.state = state;
  }
  render() {
    return renderPage(this.state) || "a.b.c";
  }
}
