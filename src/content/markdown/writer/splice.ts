// Writes a changed document into the text it came from. Blocks that are the same keep their bytes, and so does
// everything between two of them that are still neighbours.

import type { Block, Inline, InlineOf, Ref } from "../../document";
import type { FencedBlocks } from "../fences";
import type * as md from "../nodes";
import { type ReadPage, readPage } from "../reader/page";
import { asWritten } from "../reader/reading";
import { BlockWriter, kindOfList, markerFor } from "./blocks";
import { matching } from "./matching";
import { type MapRef, normalBlocks } from "./normal";

/** A block of the original that stays, or one that is written again. */
type Planned = { kept: number } | { block: Block };

/** One of the nodes at the top of the original, behind the title. */
interface Item {
  node: md.Block;
  /** The block that it is; undefined for definitions and notes that others refer to. */
  block: Block | undefined;
}

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
const asIs: MapRef = (ref) => Object.fromEntries(Object.entries(ref).sort(([a], [b]) => (a < b ? -1 : 1))) as Ref;

/** Writes blocks into an original; undefined if what comes out would not be read as those blocks. */
export function spliced(blocks: readonly Block[], original: string, mapping: Mapping): string | undefined {
  const { toAddress, toRef, fences } = mapping;
  const page = readPage(original, asWritten, fences);
  const written = new Map(page.parts.map(({ node, block }) => [node, block]));
  const items: Item[] = page.nodes.map((node) => ({ node, block: written.get(node) }));
  const wanted = normalBlocks(blocks, asIs);
  const indexes = items.flatMap(({ block }, i) => (block ? [i] : []));
  const before = indexes.map((i) =>
    signature(normalBlocks([items[i]!.block!], (ref, as) => asIs(toRef(ref, as), as))[0]),
  );
  const matches = matching(before, wanted.map(signature));
  if (matches.length === before.length && wanted.length === before.length && matches.every((match, i) => match === i)) {
    return original;
  }
  const plan = wanted.map((block, i): Planned => {
    const match = matches[i];
    return match === undefined ? { block: normalBlocks([block], toAddress)[0]! } : { kept: indexes[match]! };
  });
  return new Splicer(original, page, items, fences).write(plan);
}

/** What a block says. Names of emoji are left out: those who post documents need not know them. */
function signature(block: Block | undefined): string {
  const said = JSON.stringify(block);
  return said.includes(EMOJI) ? JSON.stringify(block, withoutName) : said;
}

const EMOJI = '"type":"emoji"';

function withoutName(_: string, value: unknown): unknown {
  if ((value as Inline | null)?.type !== "emoji") return value;
  const { data, ...inline } = value as InlineOf<"emoji">;
  return { ...inline, data: { code: data.code } };
}

class Splicer {
  readonly #writer: BlockWriter;
  /** Definitions, and those notes that blocks which stay refer to. */
  #support = new Set<number>();
  /** What has been written, piece by piece. */
  readonly #out: string[] = [];
  /** The last item of the original that was written. */
  #last = -1;
  /** Whether nothing has been written between that one and what follows it. */
  #isAdjacent = true;
  #marker: string | undefined;

  constructor(
    readonly original: string,
    readonly page: ReadPage,
    readonly items: readonly Item[],
    readonly fences: FencedBlocks,
  ) {
    this.#writer = new BlockWriter(new Set(page.reading.footnotes.keys()), fences);
  }

  write(plan: readonly Planned[]): string | undefined {
    const kept = plan.flatMap((planned) => ("kept" in planned ? [this.items[planned.kept]!] : []));
    this.#support = this.#supportFor(kept);
    const expected: Block[] = [];
    for (const [i, planned] of plan.entries()) expected.push(this.#write(planned, i === plan.length - 1));
    this.#finish(new Set(kept));
    const text = this.#out.join("");
    const { parts } = readPage(text, asWritten, this.fences);
    return signatures(parts.map(({ block }) => block)) === signatures(expected) ? text : undefined;
  }

  #write(planned: Planned, isLast: boolean): Block {
    const item = "kept" in planned ? this.items[planned.kept]! : undefined;
    const block = "kept" in planned ? item!.block! : planned.block;
    if ("kept" in planned && item && this.#mayStay(planned.kept, item, isLast)) {
      this.#copy(planned.kept);
      this.#marker = bulletOf(item.node, this.original);
    } else {
      this.#marker = markerFor(block, kindOfList(block) ? [this.#marker, this.#nextMarker(planned)] : []);
      this.#addApart(this.#writer.write(normalBlocks([block], asIs)[0]!, this.#marker, isLast));
    }
    return block;
  }

  /** Whether a block of the original may follow what has been written: a list would absorb what is indented. */
  #mayStay(index: number, { node }: Item, isLast: boolean): boolean {
    // A block at the end of the text may be left open; every other one has an end.
    if (!isLast && index === this.items.length - 1 && isOpenEnded(node)) return false;
    if (this.#follows(index)) return true;
    const marker = bulletOf(node, this.original);
    if (marker !== undefined && marker === this.#marker) return false;
    const { start } = this.#lineOf(node);
    return this.#marker === undefined || !/[ \t]/.test(this.original[start] ?? "");
  }

  /** A node with its indentation: lines of it may be indented as well. */
  #lineOf({ start, end }: md.Span): md.Span {
    let from = start;
    while (from > 0 && /[ \t]/.test(this.original[from - 1]!)) from--;
    return from === 0 || /[\r\n]/.test(this.original[from - 1]!) ? { start: from, end } : { start, end };
  }

  /** Whether an item follows the last one that was written, with nothing between them but what stays. */
  #follows(index: number): boolean {
    if (!this.#isAdjacent) return false;
    for (let i = this.#last + 1; i < index; i++) if (!this.#support.has(i)) return false;
    return true;
  }

  #nextMarker(planned: Planned): string | undefined {
    const next = "kept" in planned ? planned.kept + 1 : this.#last + 1;
    const item = this.items[next];
    return item && bulletOf(item.node, this.original);
  }

  #copy(index: number): void {
    const { start, end } = this.#lineOf(this.items[index]!.node);
    if (this.#follows(index)) this.#out.push(this.original.slice(this.#lastEnd, end));
    else {
      this.#copySupport(index);
      this.#addText(this.original.slice(start, end));
    }
    this.#last = Math.max(this.#last, index);
    this.#isAdjacent = this.#last === index;
  }

  /** Copies what others refer to and has not been copied yet. */
  #copySupport(until: number): void {
    for (let i = this.#last + 1; i < until; i++) {
      if (this.#support.has(i)) this.#addText(this.original.slice(this.items[i]!.node.start, this.items[i]!.node.end));
    }
    this.#last = Math.max(this.#last, until - 1);
  }

  #addApart(text: string): void {
    this.#addText(text.replaceAll("\n", this.#ending));
    this.#isAdjacent = false;
  }

  /** Adds text a blank line behind everything else. */
  /** Adds text a blank line behind everything else. */
  #addText(text: string): void {
    if (this.#out.length === 0) this.#out.push(this.#head());
    const last = this.#out.pop()!;
    let end = last.length;
    while (end > 0 && /[\r\n]/.test(last[end - 1]!)) end--;
    const isFirst = this.#out.length === 0 && (end === 0 || last === "\ufeff");
    this.#out.push(last.slice(0, end), isFirst ? "" : this.#ending.repeat(2), text);
  }

  /** Where the last item of the original that was written ends. */
  get #lastEnd(): number {
    return this.#last === -1 ? 0 : this.items[this.#last]!.node.end;
  }

  /** What stands before the blocks: a byte order mark, front matter and the title. */
  #head(): string {
    const { title, root } = this.page;
    return this.original.slice(0, title ? title.end : root.start);
  }

  get #ending(): string {
    return /\r\n|\r|\n/.exec(this.original)?.[0] ?? "\n";
  }

  #finish(kept: ReadonlySet<Item>): void {
    const isAtEnd = this.#isAdjacent && this.#follows(this.items.length);
    if (!isAtEnd) this.#copySupport(this.items.length);
    for (const definition of nestedDefinitions(this.items.filter((item) => item.block && !kept.has(item)))) {
      this.#addApart(definition);
    }
    for (const note of this.#writer.takeNotes()) this.#addApart(note);
    if (isAtEnd && this.#isAdjacent) this.#out.push(this.original.slice(this.#lastEnd));
    else {
      if (this.#out.length === 0) this.#out.push(this.#head());
      if (/[^\r\n\ufeff]$/.test(this.#out.at(-1)!.slice(-1))) this.#out.push(this.#ending);
    }
  }

  #supportFor(kept: readonly Item[]): Set<number> {
    const referred = new Set<string>();
    for (const { node } of kept)
      visit(node, (part) => part.type === "footnoteReference" && referred.add(part.identifier));
    return new Set(
      this.items.flatMap(({ node, block }, i) => {
        if (block) return [];
        return node.type !== "footnoteDefinition" || referred.has(node.identifier) ? [i] : [];
      }),
    );
  }
}

function signatures(blocks: readonly Block[]): string {
  return JSON.stringify(normalBlocks(blocks, asIs));
}

/** What marks the items of a list. */
function bulletOf(node: md.Block, original: string): string | undefined {
  if (node.type !== "list") return undefined;
  return node.ordered ? /^[0-9]+([.)])/.exec(original.slice(node.start, node.start + 16))?.[1] : original[node.start];
}

/** Whether a block could continue to the end of the text. */
function isOpenEnded({ type }: md.Block): boolean {
  return type === "code" || type === "html" || type === "math";
}

/** Definitions inside blocks that are gone: others may still need them. */
function nestedDefinitions(items: readonly Item[]): string[] {
  const definitions: string[] = [];
  for (const { node } of items) {
    visit(node, (part) => {
      if (part.type !== "definition") return;
      const title = part.title === null ? "" : ` "${part.title.replace(/[\\"]/g, "\\$&")}"`;
      definitions.push(`[${part.identifier}]: <${part.url.replace(/[\\<>]/g, "\\$&")}>${title}`);
    });
  }
  return definitions;
}

function visit(node: md.Node, see: (node: md.Node) => void): void {
  see(node);
  if ("children" in node) for (const child of node.children) visit(child, see);
}
