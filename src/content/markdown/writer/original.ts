// The source text that a changed document is written into: its blocks, and the prefixes and endings of its lines.

import { runStepsSync, type Steps } from "../../../utils/concurrency/steps";
import type { Block, ContentRef, Inline, InlineOf, Phrasing } from "../../document";
import type { FencedBlocks } from "../fences";
import { buildHref } from "../hrefs";
import type * as md from "../nodes";
import { visitNodes } from "../nodes";
import { normalizeLabel } from "../parser/characters";
import { parseHtmlTag } from "../reader/elements";
import { type PageBlocks, readPageBlocksInSteps } from "../reader/page";
import type { OwnLabel } from "./carry";
import { type MapRef, normalizeInSteps } from "./normal";

/** The mappings between the references of the document and the URLs of the original. */
export interface Mapping {
  /** Maps references of the document to URLs. */
  toAddress: MapRef;
  /** Maps URLs of the original to references of the document. */
  toRef: MapRef;
  /** Languages of fenced code that are blocks of integrations. */
  fences: FencedBlocks;
}

/** Returns a reference with its members in one order, which differs with the origin of the document. */
export const sortRefMembers: MapRef = (ref) =>
  Object.fromEntries(Object.entries(ref).sort(([a], [b]) => (a < b ? -1 : 1))) as ContentRef;

/** The maximum distance at which the start of a line is searched for. */
const MAX_LEAD = 500;

/** A text that is read in order to be changed. */
export class Original {
  /** The line ending of the text. */
  readonly ending: string;
  readonly #normal = new Map<Block, Block>();

  /** `origins` has the node of each block. */
  constructor(
    readonly text: string,
    readonly mapping: Mapping,
    readonly page: PageBlocks,
    readonly origins: ReadonlyMap<Block, md.SourceNode>,
  ) {
    this.ending = /\r\n|\r|\n/.exec(text)?.[0] ?? "\n";
  }

  static *readInSteps(text: string, mapping: Mapping): Steps<Original> {
    const origins = new Map<Block, md.SourceNode>();
    const page = yield* readPageBlocksInSteps(text, { fences: mapping.fences, origins });
    return new Original(text, mapping, page, origins);
  }

  /** Returns a block that was read in normal form, with resolved URLs. */
  normalize(block: Block): Block {
    return runStepsSync(this.normalizeInSteps(block));
  }

  /** Returns a block that was read in normal form, with resolved URLs, step by step. */
  *normalizeInSteps(block: Block): Steps<Block> {
    const known = this.#normal.get(block);
    if (known) return known;
    const normal = (yield* normalizeInSteps([block], (ref, as) => sortRefMembers(this.mapping.toRef(ref, as), as)))[0]!;
    this.#normal.set(block, normal);
    return normal;
  }

  *mapToUrls(block: Block): Steps<Block> {
    return (yield* normalizeInSteps([block], this.mapping.toAddress))[0]!;
  }

  /** Returns the bullet of a list, or the delimiter after its numbers. */
  getBullet(node: md.SourceNode): string | undefined {
    if (node.type !== "list") return undefined;
    if (!node.ordered) return this.text[node.start];
    return /^[0-9]+([.)])/.exec(this.text.slice(node.start, node.start + 16))?.[1];
  }

  /** Returns the part of a line before an offset; "" if it is very long. */
  getLineBefore(offset: number): string {
    return /(?:^|[\r\n])([^\r\n]*)$/.exec(this.text.slice(Math.max(0, offset - MAX_LEAD), offset))?.[1] ?? "";
  }

  /** Returns the prefix of further lines in the same block quotes and list items as an offset. */
  getPrefix(offset: number): string {
    const [marks] = /^(?:[ \t>]|(?:[-+*]|[0-9]{1,9}[.)])(?=[ \t]))*/.exec(this.getLineBefore(offset))!;
    return marks.replace(/[^ \t>]/g, " ");
  }

  prefixLines(text: string, prefix: string): string {
    const blank = prefix.trimEnd();
    return text.replace(/\n(?=(\n?))/g, (_, next) => this.ending + (next === "" ? prefix : blank));
  }

  /** Finds the links in a node whose text is the label of their definition, with offsets from a start. */
  findOwnLabels(node: md.SourceNode, start: number): OwnLabel[] {
    const labels: OwnLabel[] = [];
    visitNodes(node, (part) => {
      if ((part.type !== "link" && part.type !== "image") || !part.definition) return;
      const [, label, brackets] = /^(!?\[.*?\])(\[\])?$/s.exec(this.text.slice(part.start, part.end)) ?? [];
      const name = label?.slice(label.indexOf("[") + 1, -1);
      if (name === undefined || normalizeLabel(name) !== part.definition.identifier) return;
      const at = part.end - start - (brackets ? 1 : 0);
      labels.push({ start: part.start - start, end: part.end - start, at, label: brackets ? name : `[${name}]` });
    });
    return labels;
  }

  /** Finds the URLs of links and images that are written as tags in the Markdown of a node. */
  findTaggedUrls(node: md.SourceNode): ReadonlySet<string> {
    const urls = new Set<string>();
    visitNodes(node, (part) => {
      const tag = part.type === "html" && !("lines" in part) ? parseHtmlTag(part.value) : undefined;
      const [name, as] = tag?.name === "img" ? (["src", "image"] as const) : (["href", "link"] as const);
      const url = tag?.attributes[name];
      if (url === undefined) return;
      urls.add(buildHref(this.mapping.toAddress(this.mapping.toRef({ kind: "url", url }, as), as)));
    });
    return urls;
  }

  /** Returns a blank line between two blocks. The second one begins with `lead`. */
  getBlankLine(prefix: string, lead = prefix): string {
    return this.ending + prefix.trimEnd() + this.ending + lead;
  }
}

/** The number of phrases that are serialized in one step. */
const STEP = 500;

export function* getSignatureInSteps(block: Block): Steps<string> {
  const known = signatures.get(block);
  if (known !== undefined) return known;
  const { nodes, fragments = [], ...own } = block;
  let signature = JSON.stringify(own);
  const parts: { head: string; inside: readonly (Block | Phrasing)[] }[] = nodes ? [{ head: "", inside: nodes }] : [];
  for (const { nodes: inside, ...part } of fragments) parts.push({ head: serializePart(part), inside });
  for (const { head, inside } of parts) {
    signature += `${head}[`;
    for (const [i, node] of inside.entries()) {
      signature += node.object === "block" ? yield* getSignatureInSteps(node) : serializePart(node);
      if (i % STEP === STEP - 1) yield;
    }
    signature += "]";
  }
  signatures.set(block, signature);
  yield;
  return signature;
}

function serializePart(part: unknown): string {
  const text = JSON.stringify(part);
  if (!text.includes(EMOJI)) return text;
  return JSON.stringify(part, (_, value: unknown) => {
    if ((value as Inline | null)?.type !== "emoji") return value;
    const { data, ...inline } = value as InlineOf<"emoji">;
    return { ...inline, data: { code: data.code } };
  });
}

/** Blocks are compared more than once, and never change in normal form. */
const signatures = new WeakMap<Block, string>();

const EMOJI = '"type":"emoji"';
