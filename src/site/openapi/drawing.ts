// What the parts of one specification's block are drawn with, and the few pieces that all of them use.

import type { Block, BlockOf } from "../../content/document";
import { describedBlocks, isPlain, type Place } from "../../openapi/specifications/pages/descriptions";
import type { Resolve } from "../../openapi/specifications/pages/pointers";
import { html, type Markup, renderInlineMarkup } from "../../utils/html";
import { LruCache } from "../../utils/lru-cache";
import { omitUndefined } from "../../utils/objects";
import { tryParseUrl } from "../../utils/url";
import { drawBlocks } from "../blocks/blocks";
import { code } from "../blocks/code";
import type { RenderContext } from "../scene";
import type { ApiWords } from "./words";

/** The drawing of one block. */
export interface Drawing {
  readonly resolve: Resolve;
  readonly scene: RenderContext;
  readonly words: ApiWords;
  /** Schemas whose members are listed already, with the ids of the lists. */
  readonly listed: Map<object, string>;
  /** How many members there is still room for. */
  room: number;
}

/** The most members that one block shows. */
const MOST_MEMBERS = 1500;

export function beginDrawing(resolve: Resolve, scene: RenderContext, words: ApiWords): Drawing {
  return { resolve, scene: withoutDocument(scene), words, listed: new Map(), room: MOST_MEMBERS };
}

/** Texts of a specification refer to nothing of the site: only to addresses of the web. */
export function withoutDocument(scene: RenderContext): RenderContext {
  return {
    ...scene,
    place: (ref) => (ref.kind === "url" && isWeb(ref.url) ? { href: ref.url, title: ref.url } : undefined),
    file: (ref) => (ref.kind === "url" && isWeb(ref.url) ? { url: ref.url, name: ref.url } : undefined),
    formula: (text) => html`<code>${text}</code>`,
    block: () => html``,
  };
}

function isWeb(address: string): boolean {
  const url = tryParseUrl(address);
  return url?.protocol === "https:" || url?.protocol === "http:" || url?.protocol === "mailto:";
}

/** The most characters of a description: of an operation or an answer, and of a field. */
const MOST_TEXT = 20_000;
const MOST_FIELD = 2000;

/** A description, which is Markdown. Undefined where it says nothing. */
export function described(text: string | undefined, place: Place, { scene }: Drawing): Markup | undefined {
  const whole = text?.trim() ?? "";
  const most = place === "item" ? MOST_FIELD : MOST_TEXT;
  const words = whole.length <= most ? whole : `${whole.slice(0, most).trimEnd()} …`;
  if (words === "" || !scene.budget.take(words.length)) return undefined;
  if (isPlain(words)) return html`<p>${renderInlineMarkup(words)}</p>`;
  return drawBlocks(blocksOf(words, place), scene);
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
function blocksOf(text: string, place: Place): Block[] {
  const name = `${place} ${text}`;
  const known = kept.get(name);
  if (known) return known.blocks;
  const blocks = describedBlocks(text, place);
  kept.set(name, { blocks, bytes: ROOM_FOR_BLOCKS * name.length + 500 });
  return blocks;
}

/** A description that can stand in a line; undefined where it cannot. */
export function inLine(text: string | undefined): Markup | undefined {
  const words = text?.trim() ?? "";
  return words !== "" && words.length <= 300 && isPlain(words) ? renderInlineMarkup(words) : undefined;
}

/** A text as a block of code. */
export function codeBlock(text: string, syntax: string, { scene }: Drawing, title?: string): Markup {
  if (!scene.budget.take(text.length)) return html``;
  const lines = text.split("\n").map((line): BlockOf<"code-line"> => {
    const nodes = [{ object: "text" as const, leaves: [{ object: "leaf" as const, text: line, marks: [] }] }];
    return { object: "block", type: "code-line", nodes } as BlockOf<"code-line">;
  });
  const data = { syntax, ...omitUndefined({ title }) };
  return code({ object: "block", type: "code", data, nodes: lines } as BlockOf<"code">, scene);
}

/** One of several things of which one is seen. */
export interface Panel {
  readonly label: string;
  readonly content: Markup;
}

/** Several things of which one is seen, chosen without a script. */
export function panels(shown: readonly Panel[], { scene }: Drawing): Markup {
  const group = `--tabs-${scene.next()}`;
  const drawn = shown.map(({ label, content }, i) => {
    const id = `${group}-${i}`;
    return html`<input type="radio" name="${group}" id="${id}"${i === 0 && html` checked`}><label for="${id}">${label}</label><div class="panel">${content}</div>`;
  });
  return html`<div class="tabs">${drawn}</div>`;
}

/** What stands behind the name of a parameter or a member: its type, and what is to be known of it in a word. */
export function remarks(kind: string, notes: readonly string[], { words }: Drawing): Markup {
  const shown = notes.map((note) => html` <span class="note-${note}">${noteIn(note, words)}</span>`);
  return html`${kind !== "" && html` <span class="kind">${kind}</span>`}${shown}`;
}

function noteIn(note: string, words: ApiWords): string {
  if (note === "required") return words.required;
  if (note === "deprecated") return words.deprecated;
  if (note === "read-only") return words.readOnly;
  return note === "write-only" ? words.writeOnly : note;
}
