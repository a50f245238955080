// Writes the JSON document as Markdown: completely, so that reading it returns the same document; or into the text it was
// read from, so that only the changed parts are written.

import { runStepsSync, type Steps } from "../../utils/concurrency/steps";
import type { Block, ContentRef, Document, Fragment, Phrasing } from "../document";
import { type FencedBlocks, NO_FENCES } from "./fences";
import { buildHref, resolveAsWritten } from "./hrefs";
import { readPageBlocksInSteps } from "./reader/page";
import type { HrefResolver } from "./reader/reading";
import { BlockWriter } from "./writer/blocks";
import { type MapRef, normalizeInSteps } from "./writer/normal";
import { spliceInSteps } from "./writer/splice";
import { removeHidden } from "./writer/unknown";

export interface WriteOptions {
  /** The text that the document was read from, with front matter and title. Default: none, everything is written. */
  original?: string;
  /** Returns the URL that a reference is written as. Default: URLs as they are, everything else by its ids. */
  href?: (ref: ContentRef) => string;
  /** Resolves URLs of the original as they were when the document was read. Default: to themselves. */
  resolve?: HrefResolver;
  /** Languages of fenced code that are blocks of integrations. Default: none. */
  fences?: FencedBlocks | undefined;
}

/** Writes a document that has passed `checkDocument`. */
export function writeMarkdown(document: Document, options?: WriteOptions): string {
  return runStepsSync(writeInSteps(document, options));
}

/** Writes a document that has passed `checkDocument`, step by step. */
export function* writeInSteps(
  document: Document,
  { original, href = buildHref, resolve = resolveAsWritten, fences = NO_FENCES }: WriteOptions = {},
): Steps<string> {
  const toAddress: MapRef = (ref, as) =>
    ref.kind === "openapi" && as === "openapi" ? ref : resolveAsWritten(href(ref), as);
  if (original === undefined) return yield* writeAll(document, toAddress, fences);
  const toRef: MapRef = (ref, as) => resolve(buildHref(ref), as);
  const mapping = { toAddress, toRef, fences };
  const nodes = yield* removeHidden(document.nodes, original);
  const spliced = yield* spliceInSteps(nodes, original, mapping);
  if (spliced !== undefined) return spliced;
  const { title, root } = yield* readPageBlocksInSteps(original);
  // Front matter and title stay.
  const head = original.slice(0, title ? title.end : root.start);
  return head + (title ? "\n\n" : "") + (yield* writeAll(document, toAddress, fences));
}

/** Writes a whole document, with the notes behind its blocks. */
function* writeAll(document: Document, toAddress: MapRef, fences: FencedBlocks): Steps<string> {
  const blocks = yield* normalizeInSteps(document.nodes, toAddress);
  // Blocks that are written verbatim may define notes. Their labels are not used again.
  const labels = new Set<string>();
  const waiting: (Block | Fragment | Phrasing)[] = [...blocks];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const { nodes = [], fragments = [], ...own } = node as Block;
    const content = nodes[0]?.object === "block" ? own : { own, nodes };
    for (const [, label] of JSON.stringify(content).matchAll(/\[\^([^\s[\]]{1,64})\]:/g))
      labels.add(label!.toLowerCase());
    for (const block of content === own ? nodes : []) waiting.push(block);
    for (const fragment of fragments) waiting.push(fragment);
    yield;
  }
  const writer = new BlockWriter(labels, fences);
  // A last block that is written verbatim may never end, so notes stand before it.
  const last = blocks.at(-1);
  const isOpen = last?.type === "unknown" && !last.nodes;
  const body = yield* writer.writeInSteps(isOpen ? blocks.slice(0, -1) : blocks, !isOpen);
  const end = isOpen ? yield* writer.writeBlockInSteps(last, undefined, true) : "";
  const text = [body, ...(yield* writer.writeNotesInSteps()), end].filter((part) => part !== "").join("\n\n");
  return text === "" ? "" : `${text}\n`;
}
