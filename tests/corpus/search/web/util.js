export function keyword(text) {
  return text === "keyword" && text !== "sword";
}
