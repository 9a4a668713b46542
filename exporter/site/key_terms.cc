// SPDX-License-Identifier: GPL-2.0-or-later
#include "exporter/site/key_terms.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>

#include "schema/text/front_matter.h"
#include "schema/text/markdown_text.h"
#include "schema/text/markdown_tree.h"
#include "schema/text/splitter.h"
#include "schema/text/stop_words.h"
#include "schema/text/text.h"

namespace kw::exporter::site {
namespace {

// Weights of a document's parts, a paragraph's being 1. Titles and headings name what a page is
// about; file and folder names repeat it in short.
constexpr double kTitle = 12, kFileName = 10, kTopHeading = 12, kSecondHeading = 6, kHeading = 4,
                 kFolderName = 3, kDescription = 2, kSpan = 1.5, kFirstParagraph = 1.5,
                 kParagraph = 1;
// A code span that an item of a list begins with is what the item explains: a property, an option.
constexpr double kExplainedSpan = 3;
constexpr std::size_t kMaxWordsOfTerm = 3;
constexpr std::size_t kMaxSpanBytes = 40;
constexpr std::size_t kMaxWordOfTermBytes = 100;  // what is longer is data
// A phrase is one where it stands twice, and for a good part of the uses of its word.
constexpr double kMinPhrase = 2, kShareOfPhrase = 0.2;
// Of two that weigh the same, a phrase tells more than a word.
constexpr double kPlainWord = 0.5;
// What a word takes from a phrase that an earlier term has said already.
constexpr double kRepeated = 0.5;
// A word that stands once in a paragraph is left out of a page that has others.
constexpr double kMinWord = 2;
constexpr std::size_t kEnoughTerms = 12;

struct Term {
  std::string text;
  std::vector<std::string> stems;
  bool is_code = false;
  std::uint32_t line = 0;
  std::size_t order = 0;  ///< of its first place
  double weight = 0;
};

bool is_blank_char(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

/// Beside the stop words of questions, those of manuals: words that say how the others belong
/// together, as in lists for indexing (Fox, A Stop List for General Text, 1989).
bool is_weak(std::string_view folded) {
  constexpr std::string_view kWords[] = {
      "able",      "across",     "actually",     "again",        "against",    "almost",
      "along",     "already",    "although",     "always",       "among",      "another",
      "anyone",    "anything",   "anyway",       "aren",         "around",     "away",
      "back",      "became",     "become",       "becomes",      "behind",     "beside",
      "besides",   "beyond",     "called",       "came",         "cannot",     "certain",
      "clearly",   "come",       "comes",        "completely",   "couldn",     "currently",
      "didn",      "directly",   "doesn",        "done",         "down",       "easily",
      "eg",        "either",     "else",         "enough",       "especially", "even",
      "everyone",  "everything", "exactly",      "example",      "examples",   "except",
      "fairly",    "far",        "finally",      "following",    "give",       "gives",
      "goes",      "going",      "got",          "hadn",         "hasn",       "haven",
      "hence",     "however",    "ie",           "indeed",       "indicates",  "instead",
      "isn",       "know",       "known",        "knows",        "later",      "lets",
      "likely",    "look",       "looking",      "looks",        "lot",        "mainly",
      "many",      "maybe",      "means",        "merely",       "mostly",     "much",
      "namely",    "nearly",     "necessarily",  "neither",      "never",      "nevertheless",
      "nobody",    "none",       "normally",     "note",         "nothing",    "nowhere",
      "obviously", "often",      "one",          "ones",         "onto",       "others",
      "otherwise", "overall",    "particular",   "particularly", "per",        "perhaps",
      "possible",  "possibly",   "probably",     "quite",        "rather",     "really",
      "recently",  "regarding",  "respectively", "said",         "say",        "says",
      "see",       "seem",       "seems",        "several",      "shouldn",    "simply",
      "since",     "slightly",   "someone",      "something",    "sometimes",  "somewhat",
      "somewhere", "soon",       "still",        "sure",         "take",       "taken",
      "takes",     "tell",       "tells",        "thing",        "things",     "think",
      "though",    "throughout", "thus",         "together",     "took",       "toward",
      "towards",   "tries",      "truly",        "two",          "typically",  "unless",
      "unlike",    "unlikely",   "upon",         "used",         "uses",       "using",
      "usually",   "various",    "via",          "vs",           "wants",      "wasn",
      "way",       "ways",       "well",         "went",         "weren",      "whatever",
      "whenever",  "whereas",    "wherever",     "whether",      "within",     "without",
      "won",       "wonder",     "wouldn",       "yet",          "you",        "your"};
  static_assert(std::is_sorted(std::begin(kWords), std::end(kWords)));
  return is_stop_word(folded) || std::binary_search(std::begin(kWords), std::end(kWords), folded);
}

/// Not prose: addresses, handles, escapes, placeholders of template languages.
bool is_no_prose(std::string_view chunk) {
  if (chunk.find("://") != std::string_view::npos || chunk.starts_with("www.")) return true;
  if (chunk.find('@') != std::string_view::npos || chunk.find("{{") != std::string_view::npos)
    return true;
  for (std::size_t i = 0; i + 2 < chunk.size(); ++i)
    if (chunk[i] == '%' && chunk[i + 1] >= '0' && chunk[i + 1] <= '9') return true;
  return false;
}

/// `text` with a full stop in the place of what is no prose.
std::string prose_of(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && !is_blank_char(text[end])) ++end;
    if (text.substr(at, end - at).find("{{") != std::string_view::npos)  // up to its end
      end = std::min(text.find("}}", at), text.size());
    const std::string_view chunk = text.substr(at, end - at);
    out += is_no_prose(chunk) ? std::string_view(".") : chunk;
    if (end < text.size()) out += ' ';
    at = end + 1;
  }
  return out;
}

class TermFinder {
 public:
  explicit TermFinder(const FileRecord& record) : record_(record) {}

  std::vector<KeyTerm> run() {
    add_text(record_.title, kTitle, 0);
    add_path();
    add_text(record_.description, kDescription, 0);
    add_document();
    return chosen();
  }

 private:
  void add_path() {
    std::string_view name = file_name_of(record_.path), folder = folder_of(record_.path);
    name = name.substr(0, name.find('.'));
    const std::string folded = fold(name);
    if (folded == "index" || folded == "_index" || folded == "readme") {
      name = file_name_of(folder);
      folder = folder_of(folder);
    }
    add_name(name, kFileName);
    add_name(file_name_of(folder), kFolderName);
  }

  /// The words of a file's or folder's name, without their numbers.
  void add_name(std::string_view name, double weight) {
    std::string words;
    for (const std::string& word : split_name(std::string(name)))
      if (word.find_first_of("0123456789") == std::string::npos) words += word + ". ";
    Tokenizer tokenizer(name);
    Token token;
    if (name.find_first_of("-. ") != std::string_view::npos) {
      words.clear();
      while (tokenizer.next(token))
        if (token.text.find_first_of("0123456789") == std::string_view::npos)
          words += std::string(token.text) + ". ";
    }
    add_text(words, weight, 0);
  }

  void add_document() {
    const FrontMatter front = front_matter_of(record_.text);
    const std::string_view text = std::string_view(record_.text).substr(front.bytes);
    if (has_too_many_marks(text)) return;
    const BoundedMarkdown bounded(text);
    const MarkdownTree root = parse_markdown_tree(bounded.view());
    const MarkdownWalk walk = walk_of(root.get());
    for (cmark_event_type event; (event = cmark_iter_next(walk.get())) != CMARK_EVENT_DONE;)
      add_node(cmark_iter_get_node(walk.get()), event == CMARK_EVENT_ENTER, front.lines);
  }

  void add_node(cmark_node* node, bool enter, std::uint32_t lines_before) {
    const cmark_node_type type = cmark_node_get_type(node);
    const bool is_block = type == CMARK_NODE_PARAGRAPH || type == CMARK_NODE_HEADING;
    if (is_block && enter) {
      line_ =
          lines_before + static_cast<std::uint32_t>(std::max(cmark_node_get_start_line(node), 1));
      weight_ = weight_of(node);
      if (type == CMARK_NODE_PARAGRAPH) ++paragraphs_;
    } else if (is_block) {
      flush();
    } else if (type == CMARK_NODE_IMAGE) {
      images_ += enter ? 1 : -1;
    } else if (images_ > 0) {
      return;
    } else if (type == CMARK_NODE_TEXT) {
      block_ += literal_of(node);
    } else if (type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK) {
      block_ += ' ';
    } else if (type == CMARK_NODE_CODE) {
      flush();
      add_span(literal_of(node), begins_item(node) ? kExplainedSpan : kSpan);
    }
  }

  static bool begins_item(cmark_node* span) {
    cmark_node* const paragraph = cmark_node_parent(span);
    return !cmark_node_previous(span) && cmark_node_get_type(paragraph) == CMARK_NODE_PARAGRAPH &&
           cmark_node_get_type(cmark_node_parent(paragraph)) == CMARK_NODE_ITEM;
  }

  double weight_of(cmark_node* block) const {
    if (cmark_node_get_type(block) == CMARK_NODE_PARAGRAPH)
      return paragraphs_ == 0 ? kFirstParagraph : kParagraph;
    const int level = cmark_node_get_heading_level(block);
    return level == 1 ? kTopHeading : level == 2 ? kSecondHeading : kHeading;
  }

  void flush() {
    add_text(block_, weight_, line_);
    block_.clear();
  }

  /// Words and phrases of running text.
  void add_text(std::string_view raw, double weight, std::uint32_t line) {
    const std::string text = prose_of(raw);
    std::vector<std::string_view> run;
    const auto end_run = [&] {
      add_run(text, run, weight, line);
      run.clear();
    };
    Tokenizer tokenizer(text);
    for (Token token; tokenizer.next(token);) {
      if (!run.empty()) {
        const char* const end = run.back().data() + run.back().size();
        const std::string_view gap(end, static_cast<std::size_t>(token.text.data() - end));
        if (gap != " " && gap != "-" && gap != ".") end_run();  // Node.js is one term
      }
      if (is_word_of_term(token))
        run.push_back(token.text);
      else
        end_run();
    }
    end_run();
  }

  void add_run(std::string_view text, const std::vector<std::string_view>& run, double weight,
               std::uint32_t line) {
    for (std::size_t i = 0; i < run.size(); ++i) {
      std::vector<std::string> stems;
      for (std::size_t n = 1; n <= kMaxWordsOfTerm && i + n <= run.size(); ++n) {
        stems.push_back(stem_of(run[i + n - 1]));
        const auto begin = static_cast<std::size_t>(run[i].data() - text.data());
        const auto end =
            static_cast<std::size_t>(run[i + n - 1].data() - text.data()) + run[i + n - 1].size();
        add(stems, text.substr(begin, end - begin), weight, line, false);
        if (n == 1) words_[stems[0]] += weight;
      }
    }
  }

  void add_span(std::string_view code, double span_weight) {
    std::vector<std::string> stems;
    Tokenizer tokenizer(code);
    for (Token token; tokenizer.next(token);)
      if (is_word_of_term(token)) stems.push_back(stem_of(token.text));
    const bool is_term = !stems.empty() && stems.size() <= kMaxWordsOfTerm &&
                         code.size() <= kMaxSpanBytes && !is_no_prose(code) &&
                         code.find_first_of("\n\t") == std::string_view::npos;
    for (const std::string& stem : stems) words_[stem] += span_weight * weight_;
    if (is_term) add(stems, code, span_weight * weight_, line_, true);
  }

  static bool is_word_of_term(const Token& token) {
    if (token.kind != TokenKind::Name || token.text.size() > kMaxWordOfTermBytes) return false;
    const std::string folded = fold(token.text);
    return folded.size() > 1 && !is_weak(folded);
  }

  std::string stem_of(std::string_view word) { return stemmer_.stem(fold(word)); }

  void add(const std::vector<std::string>& stems, std::string_view text, double weight,
           std::uint32_t line, bool is_code) {
    std::string key = is_code ? "`" + std::string(text) : std::string();
    for (std::size_t i = 0; i < stems.size() && !is_code; ++i) key.append(" ").append(stems[i]);
    const auto [at, is_new] = places_.try_emplace(key, terms_.size());
    if (is_new) terms_.push_back({std::string(text), stems, is_code, line, next_order(line), 0});
    Term& term = terms_[at->second];
    term.weight += weight;
    // The document's own words and not its path's.
    if (term.line != 0 || line == 0) return;
    term.text = text;
    term.line = line;
    term.order = next_order(line);
  }

  std::size_t next_order(std::uint32_t line) { return order_++ + (line == 0 ? 0 : kInText); }

  /// The heaviest words, each in the phrase or code span that it mostly stands in.
  std::vector<KeyTerm> chosen() {
    std::unordered_map<std::string, std::vector<const Term*>> of_word;
    for (const Term& term : terms_)
      for (const std::string& stem : term.stems) of_word[stem].push_back(&term);
    std::vector<std::pair<double, std::string>> words;
    for (const auto& [stem, weight] : words_) words.emplace_back(-weight, stem);
    std::sort(words.begin(), words.end());
    std::set<std::string_view> covered;
    std::set<std::string> shown;  // folded words of the terms
    std::vector<const Term*> picked;
    for (const auto& [weight, stem] : words) {
      if (picked.size() == kMaxKeyTerms || (picked.size() >= kEnoughTerms && -weight < kMinWord))
        break;
      if (covered.contains(stem)) continue;
      const auto candidates = of_word.find(stem);  // a long code span has words and is no term
      if (candidates == of_word.end()) continue;
      const Term* const best = best_term(-weight, candidates->second, covered);
      if (!best) continue;
      std::set<std::string> with_best = shown;
      with_best.merge(folded_words(best->text));
      if (with_best.size() > kMaxKeyWords) continue;
      shown = std::move(with_best);
      covered.insert(best->stems.begin(), best->stems.end());
      picked.push_back(best);
    }
    std::sort(picked.begin(), picked.end(),
              [](const Term* a, const Term* b) { return a->order < b->order; });
    std::vector<KeyTerm> out;
    for (const Term* term : picked) out.push_back({term->text, term->is_code, term->line});
    return out;
  }

  static std::set<std::string> folded_words(std::string_view text) {
    std::set<std::string> words;
    Tokenizer tokenizer(text);
    for (Token token; tokenizer.next(token);)
      if (token.kind == TokenKind::Name) words.insert(fold(token.text));
    return words;
  }

  /// nullptr where none says enough.
  static const Term* best_term(double weight, const std::vector<const Term*>& terms,
                               const std::set<std::string_view>& covered) {
    const Term* best = nullptr;
    double most = 0;
    for (const Term* const term : terms) {
      const auto fresh = std::count_if(term->stems.begin(), term->stems.end(),
                                       [&](const std::string& s) { return !covered.contains(s); });
      const bool is_plain = term->stems.size() == 1 && !term->is_code;
      if (!is_plain && (term->weight < kMinPhrase || term->weight < kShareOfPhrase * weight))
        continue;
      // Words that are not said yet are what a phrase adds; others it had better not repeat.
      const double said = static_cast<double>(term->stems.size()) - static_cast<double>(fresh);
      const double added = static_cast<double>(fresh + 1) - kRepeated * said;
      const double worth = term->weight * (is_plain ? kPlainWord : added);
      if (!best || worth > most) {
        best = term;
        most = worth;
      }
    }
    return best;
  }

  static constexpr std::size_t kInText = 1u << 20;  // behind the title's and path's own

  const FileRecord& record_;
  const Stemmer stemmer_;
  std::vector<Term> terms_;
  std::unordered_map<std::string, std::size_t> places_;
  std::unordered_map<std::string, double> words_;  ///< by stem
  std::string block_;                              ///< text under way
  double weight_ = kParagraph;
  std::uint32_t line_ = 0;
  std::size_t paragraphs_ = 0;
  std::size_t order_ = 0;
  int images_ = 0;
};

}  // namespace

std::vector<KeyTerm> key_terms(const FileRecord& record) { return TermFinder(record).run(); }

}  // namespace kw::exporter::site
