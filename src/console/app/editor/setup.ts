// What the editors of Markdown share: the language, the keys, and the look.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import {
  defineLanguageFacet,
  HighlightStyle,
  Language,
  languageDataProp,
  syntaxHighlighting,
} from "@codemirror/language";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { GFM, parser } from "@lezer/markdown";
import { surroundings } from "../calls/surroundings";
import type { Words } from "../words/words";

const data = defineLanguageFacet({ commentTokens: { block: { open: "<!--", close: "-->" } } });

// The package for Markdown would bring the grammars of HTML, CSS and JavaScript along, which are twice the editor.
const markdown = new Language(
  data,
  parser.configure([GFM, { props: [languageDataProp.add({ Document: data })] }]),
  [],
  "markdown",
);

const look = HighlightStyle.define([
  { tag: tags.heading, class: "md-heading" },
  { tag: tags.strong, class: "md-strong" },
  { tag: tags.emphasis, class: "md-emphasis" },
  { tag: tags.strikethrough, class: "md-strike" },
  { tag: [tags.link, tags.url], class: "md-link" },
  { tag: tags.monospace, class: "md-code" },
  { tag: tags.quote, class: "md-quote" },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.labelName], class: "md-mark" },
  { tag: [tags.comment, tags.character], class: "md-mark" },
]);

/** What the editor itself says, by the words that it has for it. */
const phrasesIn = (words: Words) => ({
  Find: words.find,
  Replace: words.replaceBy,
  next: words.findNext,
  previous: words.findPrevious,
  all: words.findAll,
  "match case": words.matchCase,
  regexp: words.asPattern,
  "by word": words.wholeWords,
  replace: words.replace,
  "replace all": words.replaceAll,
  close: words.close,
  "current match": words.currentMatch,
  "replaced match on line $": words.replacedOnLine,
  "replaced $ matches": words.replacedMatches,
  "on line": words.onLine,
  "Go to line": words.goToLine,
  go: words.goOn,
  Completions: words.offers,
  "Revert this chunk": words.takeFromLeft,
});

export function setup(label: string, words: Words): Extension {
  return [
    EditorState.phrases.of(phrasesIn(words)),
    EditorView.cspNonce.of(surroundings.nonce),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "true", autocapitalize: "sentences" }),
    history(),
    drawSelection(),
    highlightSelectionMatches(),
    markdown,
    syntaxHighlighting(look),
    keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap]),
  ];
}
