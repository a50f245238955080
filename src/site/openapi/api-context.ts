// What the parts of one specification's block are drawn with, and the few pieces that all of them use.

import type { Block, BlockOf } from "../../content/document";
import { describedBlocks, isPlain, type Place } from "../../openapi/specifications/pages/descriptions";
import type { Resolve } from "../../openapi/specifications/pages/pointers";
import { html, type Markup, renderInlineMarkup } from "../../utils/html";
import { LruCache } from "../../utils/lru-cache";
import { omitUndefined } from "../../utils/objects";
import { tryParseUrl } from "../../utils/url";
import { renderCodeBlock } from "../blocks/code";
import { renderBlocks } from "../blocks/render-blocks";
import type { BlockContext } from "../pages/block-context";
import type { ApiMessages } from "./messages";

/** The drawing of one block. */
export interface ApiContext {
  readonly resolve: Resolve;
  readonly blockContext: BlockContext;
  readonly messages: ApiMessages;
  /** Schemas whose members are listed already, with the ids of the lists. */
  readonly listedSchemas: Map<object, string>;
  /** How many members there is still room for. */
  remainingMembers: number;
}

/** The most members that one block shows. */
const MOST_MEMBERS = 1500;

export function createApiContext(resolve: Resolve, blockContext: BlockContext, words: ApiMessages): ApiContext {
  return {
    resolve,
    blockContext: withoutSiteReferences(blockContext),
    messages: words,
    listedSchemas: new Map(),
    remainingMembers: MOST_MEMBERS,
  };
}

/** Texts of a specification refer to nothing of the site: only to addresses of the web. */
export function withoutSiteReferences(blockContext: BlockContext): BlockContext {
  return {
    ...blockContext,
    resolveLink: (ref) => (ref.kind === "url" && isWebUrl(ref.url) ? { href: ref.url, title: ref.url } : undefined),
    resolveFile: (ref) => (ref.kind === "url" && isWebUrl(ref.url) ? { url: ref.url, name: ref.url } : undefined),
    renderFormula: (text) => html`<code>${text}</code>`,
    renderExternalBlock: () => html``,
  };
}

function isWebUrl(address: string): boolean {
  const url = tryParseUrl(address);
  return url?.protocol === "https:" || url?.protocol === "http:" || url?.protocol === "mailto:";
}

/** The most characters of a description: of an operation or an answer, and of a field. */
const MOST_TEXT = 20_000;
const MOST_FIELD = 2000;

/** A description, which is Markdown. Undefined where it says nothing. */
export function renderDescription(
  text: string | undefined,
  place: Place,
  { blockContext }: ApiContext,
): Markup | undefined {
  const whole = text?.trim() ?? "";
  const most = place === "item" ? MOST_FIELD : MOST_TEXT;
  const words = whole.length <= most ? whole : `${whole.slice(0, most).trimEnd()} …`;
  if (words === "" || !blockContext.budget.take(words.length)) return undefined;
  if (isPlain(words)) return html`<p>${renderInlineMarkup(words)}</p>`;
  return renderBlocks(parseDescriptionBlocks(words, place), blockContext);
}

interface Kept {
  readonly blocks: Block[];
  readonly bytes: number;
}

/** Blocks take about this many times the memory of their text. */
const ROOM_FOR_BLOCKS = 20;
const KEPT_BYTES = 8 * 1024 * 1024;
const kept = new LruCache<Kept>(KEPT_BYTES, ({ bytes }) => bytes);

/** The blocks of a description, read once: many operations say the same, and pages are drawn again. */
function parseDescriptionBlocks(text: string, place: Place): Block[] {
  const name = `${place} ${text}`;
  const known = kept.get(name);
  if (known) return known.blocks;
  const blocks = describedBlocks(text, place);
  kept.set(name, { blocks, bytes: ROOM_FOR_BLOCKS * name.length + 500 });
  return blocks;
}

/** A description that can stand in a line; undefined where it cannot. */
export function renderInlineDescription(text: string | undefined): Markup | undefined {
  const words = text?.trim() ?? "";
  return words !== "" && words.length <= 300 && isPlain(words) ? renderInlineMarkup(words) : undefined;
}

/** A text as a block of code. */
export function renderTextAsCode(text: string, syntax: string, { blockContext }: ApiContext, title?: string): Markup {
  if (!blockContext.budget.take(text.length)) return html``;
  const lines = text.split("\n").map((line): BlockOf<"code-line"> => {
    const nodes = [{ object: "text" as const, leaves: [{ object: "leaf" as const, text: line, marks: [] }] }];
    return { object: "block", type: "code-line", nodes } as BlockOf<"code-line">;
  });
  const data = { syntax, ...omitUndefined({ title }) };
  return renderCodeBlock({ object: "block", type: "code", data, nodes: lines } as BlockOf<"code">, blockContext);
}

/** One of several things of which one is seen. */
export interface TabPanel {
  readonly label: string;
  readonly content: Markup;
}

/** Several things of which one is seen, chosen without a script. */
export function renderTabPanels(shown: readonly TabPanel[], { blockContext }: ApiContext): Markup {
  const group = `--tabs-${blockContext.createElementNumber()}`;
  const drawn = shown.map(({ label, content }, i) => {
    const id = `${group}-${i}`;
    return html`<input type="radio" name="${group}" id="${id}"${i === 0 && html` checked`}><label for="${id}">${label}</label><div class="panel">${content}</div>`;
  });
  return html`<div class="tabs">${drawn}</div>`;
}

/** What stands behind the name of a parameter or a member: its type, and what is to be known of it in a word. */
export function renderTypeNotes(kind: string, notes: readonly string[], { messages }: ApiContext): Markup {
  const shown = notes.map((note) => html` <span class="note-${note}">${translateNote(note, messages)}</span>`);
  return html`${kind !== "" && html` <span class="kind">${kind}</span>`}${shown}`;
}

function translateNote(note: string, words: ApiMessages): string {
  if (note === "required") return words.required;
  if (note === "deprecated") return words.deprecated;
  if (note === "read-only") return words.readOnly;
  return note === "write-only" ? words.writeOnly : note;
}
