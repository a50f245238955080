// The extensions that all Markdown editors share: the language, the keys and the highlighting.

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
import { pageConfig } from "../api/page-config";
import type { Messages } from "../messages/messages";

const data = defineLanguageFacet({ commentTokens: { block: { open: "<!--", close: "-->" } } });

// The package @codemirror/lang-markdown would add the grammars of HTML, CSS and JavaScript, which are twice as large as the editor.
const markdown = new Language(
  data,
  parser.configure([GFM, { props: [languageDataProp.add({ Document: data })] }]),
  [],
  "markdown",
);

const highlightStyle = HighlightStyle.define([
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

export function createEditorExtensions(label: string, messages: Messages): Extension {
  /** The texts of the editor, by their English originals. */
  const phrases = {
    Find: messages.markdownEditor.find,
    Replace: messages.markdownEditor.replaceBy,
    next: messages.markdownEditor.findNext,
    previous: messages.markdownEditor.findPrevious,
    all: messages.markdownEditor.findAll,
    "match case": messages.markdownEditor.matchCase,
    regexp: messages.markdownEditor.asPattern,
    "by word": messages.markdownEditor.wholeWords,
    replace: messages.markdownEditor.replace,
    "replace all": messages.markdownEditor.replaceAll,
    close: messages.general.close,
    "current match": messages.markdownEditor.currentMatch,
    "replaced match on line $": messages.markdownEditor.replacedOnLine,
    "replaced $ matches": messages.markdownEditor.replacedMatches,
    "on line": messages.markdownEditor.onLine,
    "Go to line": messages.markdownEditor.goToLine,
    go: messages.general.goOn,
    Completions: messages.markdownEditor.offers,
    "Revert this chunk": messages.markdownEditor.takeFromLeft,
  };
  return [
    EditorState.phrases.of(phrases),
    EditorView.cspNonce.of(pageConfig.nonce),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "true", autocapitalize: "sentences" }),
    history(),
    drawSelection(),
    highlightSelectionMatches(),
    markdown,
    syntaxHighlighting(highlightStyle),
    keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap]),
  ];
}
