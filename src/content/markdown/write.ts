// The JSON document as Markdown. It is written completely, so that reading it gives the same document; or into the text
// it came from, so that only the changed parts are written.

import { runStepsSync, type Steps } from "../../utils/concurrency/steps";
import type { Block, ContentRef, Document, Fragment, Phrasing } from "../document";
import { type FencedBlocks, NO_FENCES } from "./fences";
import { parseInSteps } from "./parse";
import { readPageInSteps } from "./reader/page";
import { asWritten, type Resolve } from "./reader/reading";
import { BlockWriter } from "./writer/blocks";
import { type MapRef, normalInSteps } from "./writer/normal";
import { splicedInSteps } from "./writer/splice";
import { withoutHidden } from "./writer/unknown";
import { hrefByKind, urlOf } from "./writer/urls";

/** How a document is written. */
export interface WriteOptions {
  /** The text that the document was read from, front matter and title included. Default: none, everything is written
   * again. */
  original?: string;
  /** How a reference is written. Default: addresses as they are, everything else by its ids. */
  href?: (ref: ContentRef) => string;
  /** What addresses of the original lead to: what they led to when the document was read. Default: to themselves. */
  resolve?: Resolve;
  /** Languages of fenced code that are blocks of integrations. Default: none. */
  fences?: FencedBlocks | undefined;
}

/** Writes a document that has passed `checkDocument`. */
export function writeMarkdown(document: Document, options?: WriteOptions): string {
  return runStepsSync(writeInSteps(document, options));
}

/** The same, step by step. */
export function* writeInSteps(
  document: Document,
  { original, href = hrefByKind, resolve = asWritten, fences = NO_FENCES }: WriteOptions = {},
): Steps<string> {
  const toAddress: MapRef = (ref, as) => (ref.kind === "openapi" && as === "openapi" ? ref : asWritten(href(ref), as));
  if (original === undefined) return yield* anew(document, toAddress, fences);
  const toRef: MapRef = (ref, as) => resolve(urlOf(ref), as);
  const mapping = { toAddress, toRef, fences };
  const nodes = yield* withoutHidden(document.nodes, original);
  return (
    (yield* splicedInSteps(nodes, original, mapping)) ??
    (yield* headOf(original)) + (yield* anew(document, toAddress, fences))
  );
}

/** Front matter and title of a text, with the space behind them. */
function* headOf(original: string): Steps<string> {
  const { title, root } = yield* readPageInSteps(original, yield* parseInSteps(original), asWritten);
  const head = original.slice(0, title ? title.end : root.start);
  return title ? `${head}\n\n` : head;
}

function* anew(document: Document, toAddress: MapRef, fences: FencedBlocks): Steps<string> {
  const blocks = yield* normalInSteps(document.nodes, toAddress);
  const writer = new BlockWriter(yield* labelsIn(blocks), fences);
  const isOpen = endsAsItIs(blocks);
  const body = yield* writer.writeInSteps(isOpen ? blocks.slice(0, -1) : blocks, !isOpen);
  const last = isOpen ? yield* writer.oneInSteps(blocks.at(-1)!, undefined, true) : "";
  const text = [body, ...(yield* writer.notesInSteps()), last].filter((part) => part !== "").join("\n\n");
  return text === "" ? "" : `${text}\n`;
}

/** Whether blocks end with one that is written as it is: it may be one that never ends, so notes stand before it. */
function endsAsItIs(blocks: readonly Block[]): boolean {
  const last = blocks.at(-1);
  return last?.type === "unknown" && !last.nodes;
}

/** Labels of notes that stand in blocks which are written as they are. */
function* labelsIn(blocks: readonly Block[]): Steps<Set<string>> {
  const labels = new Set<string>();
  const waiting: (Block | Fragment | Phrasing)[] = [...blocks];
  for (let it = waiting.pop(); it; it = waiting.pop()) {
    const { nodes = [], fragments = [], ...own } = it as Block;
    const said = nodes[0]?.object === "block" ? own : { own, nodes };
    for (const [, label] of JSON.stringify(said).matchAll(/\[\^([^\s[\]]{1,64})\]:/g)) labels.add(label!.toLowerCase());
    for (const block of said === own ? nodes : []) waiting.push(block);
    for (const fragment of fragments) waiting.push(fragment);
    yield;
  }
  return labels;
}
