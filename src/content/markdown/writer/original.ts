// A text that a changed document is written into: what it says, and how its lines begin and end.

import { runStepsSync, type Steps } from "../../../utils/concurrency/steps";
import type { Block, ContentRef, Inline, InlineOf, Phrasing } from "../../document";
import type { FencedBlocks } from "../fences";
import type * as md from "../nodes";
import { parseInSteps } from "../parse";
import { normalizeLabel } from "../parser/characters";
import { htmlTag } from "../reader/elements";
import { type ReadPage, readPageInSteps } from "../reader/page";
import { asWritten } from "../reader/reading";
import type { OwnLabel } from "./carry";
import { type MapRef, oneInSteps } from "./normal";
import { urlOf } from "./urls";

/** How references of the document and addresses of the original are compared and written. */
export interface Mapping {
  /** From the document to addresses. */
  toAddress: MapRef;
  /** From addresses of the original to what the document would hold. */
  toRef: MapRef;
  /** Languages of fenced code that are blocks of integrations. */
  fences: FencedBlocks;
}

/** A reference as it is, with its members in one order: it may come from a storage, or from anybody. */
export const asIs: MapRef = (ref) =>
  Object.fromEntries(Object.entries(ref).sort(([a], [b]) => (a < b ? -1 : 1))) as ContentRef;

/** How far back the beginning of a line is looked for. */
const MAX_LEAD = 500;

/** A text that was read to be changed. */
export class Original {
  /** How its lines end. */
  readonly ending: string;
  readonly #said = new Map<Block, Block>();

  /** `origins` has what each block was read from. */
  constructor(
    readonly text: string,
    readonly mapping: Mapping,
    readonly page: ReadPage,
    readonly origins: ReadonlyMap<Block, md.Node>,
  ) {
    this.ending = /\r\n|\r|\n/.exec(text)?.[0] ?? "\n";
  }

  /** Reads a text, step by step. */
  static *inSteps(text: string, mapping: Mapping): Steps<Original> {
    const origins = new Map<Block, md.Node>();
    const page = yield* readPageInSteps(text, yield* parseInSteps(text), asWritten, mapping.fences, origins);
    return new Original(text, mapping, page, origins);
  }

  /** A block that was read, in normal form, with what its addresses lead to. */
  said(block: Block): Block {
    return runStepsSync(this.saidInSteps(block));
  }

  /** The same, step by step. */
  *saidInSteps(block: Block): Steps<Block> {
    const known = this.#said.get(block);
    if (known) return known;
    const said = (yield* oneInSteps(block, (ref, as) => asIs(this.mapping.toRef(ref, as), as)))!;
    this.#said.set(block, said);
    return said;
  }

  /** A block of the document with addresses, as it is written, step by step. */
  *addressed(block: Block): Steps<Block> {
    return (yield* oneInSteps(block, this.mapping.toAddress))!;
  }

  /** What marks the items of a list. */
  bulletOf(node: md.Node): string | undefined {
    if (node.type !== "list") return undefined;
    if (!node.ordered) return this.text[node.start];
    return /^[0-9]+([.)])/.exec(this.text.slice(node.start, node.start + 16))?.[1];
  }

  /** What stands before an offset in its line; nothing where that is very long. */
  lineBefore(offset: number): string {
    return /(?:^|[\r\n])([^\r\n]*)$/.exec(this.text.slice(Math.max(0, offset - MAX_LEAD), offset))?.[1] ?? "";
  }

  /** What the next lines begin with, so that they stand in the same quotes and items as an offset. */
  prefixAt(offset: number): string {
    const [marks] = /^(?:[ \t>]|(?:[-+*]|[0-9]{1,9}[.)])(?=[ \t]))*/.exec(this.lineBefore(offset))!;
    return marks.replace(/[^ \t>]/g, " ");
  }

  /** A text whose lines begin with a prefix, except for the first. */
  inLines(text: string, prefix: string): string {
    const blank = prefix.trimEnd();
    return text.replace(/\n(?=(\n?))/g, (_, next) => this.ending + (next === "" ? prefix : blank));
  }

  /** The links in a node whose text is the label of their target, with offsets from a start. */
  ownLabels(node: md.Node, start: number): OwnLabel[] {
    const found: OwnLabel[] = [];
    visit(node, (part) => {
      if ((part.type !== "link" && part.type !== "image") || !part.definition) return;
      const [, label, brackets] = /^(!?\[.*?\])(\[\])?$/s.exec(this.text.slice(part.start, part.end)) ?? [];
      const name = label?.slice(label.indexOf("[") + 1, -1);
      if (name === undefined || normalizeLabel(name) !== part.definition.identifier) return;
      const at = part.end - start - (brackets ? 1 : 0);
      found.push({ start: part.start - start, end: part.end - start, at, label: brackets ? name : `[${name}]` });
    });
    return found;
  }

  /** The addresses of links and images that are written as tags among the Markdown of a node. */
  taggedIn(node: md.Node): ReadonlySet<string> {
    const found = new Set<string>();
    visit(node, (part) => {
      const tag = part.type === "html" && !("lines" in part) ? htmlTag(part.value) : undefined;
      const [name, as] = tag?.name === "img" ? (["src", "image"] as const) : (["href", "link"] as const);
      const url = tag?.attributes[name];
      if (url === undefined) return;
      found.add(urlOf(this.mapping.toAddress(this.mapping.toRef({ kind: "url", url }, as), as)));
    });
    return found;
  }

  /** A blank line between two blocks; the second one begins with `lead`. */
  blankLine(prefix: string, lead = prefix): string {
    return this.ending + prefix.trimEnd() + this.ending + lead;
  }
}

/** What a block says. Names of emoji are left out: those who post documents need not know them. */
export function signature(block: Block): string {
  return runStepsSync(signatureInSteps(block));
}

/** The same, step by step. */
export function* signatureInSteps(block: Block): Steps<string> {
  const known = signatures.get(block);
  if (known !== undefined) return known;
  const { nodes, fragments, ...own } = block;
  let signed = JSON.stringify(own);
  if (nodes) signed += `[${yield* signaturesIn(nodes)}]`;
  for (const { nodes: inside, ...part } of fragments ?? []) signed += `${said(part)}[${yield* signaturesIn(inside)}]`;
  signatures.set(block, signed);
  yield;
  return signed;
}

function* signaturesIn(nodes: readonly (Block | Phrasing)[]): Steps<string> {
  let signed = "";
  for (const [i, node] of nodes.entries()) {
    signed += node.object === "block" ? yield* signatureInSteps(node) : said(node);
    if (i % STEP === STEP - 1) yield;
  }
  return signed;
}

/** How many phrases are one step. */
const STEP = 500;

function said(part: unknown): string {
  const text = JSON.stringify(part);
  return text.includes(EMOJI) ? JSON.stringify(part, withoutName) : text;
}

/** Blocks are compared more than once, and in normal form nobody changes them. */
const signatures = new WeakMap<Block, string>();

const EMOJI = '"type":"emoji"';

function withoutName(_: string, value: unknown): unknown {
  if ((value as Inline | null)?.type !== "emoji") return value;
  const { data, ...inline } = value as InlineOf<"emoji">;
  return { ...inline, data: { code: data.code } };
}

/** Sees a node and everything in it. */
export function visit(node: md.Node, see: (node: md.Node) => void): void {
  see(node);
  if ("children" in node) for (const child of node.children) visit(child, see);
}
