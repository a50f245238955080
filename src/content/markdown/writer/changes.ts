// The changes of a document as edits of the text that it came from, at every depth: a block that is the same has none, one
// that changed is edited where it stands, and what is new is put between its neighbours.

import type { Steps } from "../../../utils/concurrency/steps";
import { omitUndefined } from "../../../utils/objects";
import type { Block, BlockOf } from "../../document";
import type { TextEdit } from "../../text-edits";
import type * as md from "../nodes";
import { readAlert } from "../reader/alerts";
import { inOrderOf } from "./attribute-order";
import { type BlockWriter, kindOfList, markerFor, NO_TAGS } from "./blocks";
import { carriedOver, type OwnLabel } from "./carry";
import { filled } from "./gaps";
import { Notes } from "./notes";
import { type Original, signatureInSteps, visit } from "./original";
import { pairing, type Said } from "./pairing";

/**
 * How a change is brought into the text: carried over by all words and signs, or by the words first; each paragraph,
 * table or the like that changed written again; or the whole block at the top written again.
 */
export const MANNERS = ["signs", "words", "leaves", "blocks"] as const;
export type Manner = (typeof MANNERS)[number];

/** Something that stands in a text, at the top or inside of something else. */
interface Item extends md.Span {
  readonly node: md.Block | md.ListItem;
  /** As it was read, and in normal form; undefined for what is only there for others to refer to. */
  readonly block: { readonly raw: Block; readonly said: Block } | undefined;
}

interface Holder {
  readonly node: md.Root | md.Block | md.ListItem;
  readonly items: readonly Item[];
  readonly prefix: string;
}

/** Collects the edits that make a text say what a document says. */
export class Changes {
  readonly edits: TextEdit[] = [];
  readonly #notes: Notes;
  /** What was taken out or written again: others may refer to definitions in it. */
  readonly #gone: md.Node[] = [];
  #manner: Manner = "signs";

  /** `manners` are those of the blocks at the top. */
  constructor(
    readonly original: Original,
    readonly writer: BlockWriter,
    readonly manners: readonly Manner[],
  ) {
    this.#notes = new Notes(original, (note, raws, wanted) => this.#reviseNote(note, raws, wanted));
  }

  /** Changes the whole text into one that holds some blocks, in normal form. */
  *change(wanted: readonly Block[]): Steps<void> {
    const { root, nodes, parts } = this.original.page;
    const raws = parts.map(({ block }) => block);
    const items = this.#itemsOf(nodes, raws);
    if (items) yield* this.#changeIn({ node: root, items, prefix: "" }, wanted, undefined);
  }

  /** What stands in something that was read as blocks; undefined if it holds more or less than those. */
  #itemsOf(
    nodes: readonly (md.Block | md.ListItem)[],
    raws: readonly Block[],
    said: readonly Block[] = raws.map((raw) => this.original.said(raw)),
  ): Item[] | undefined {
    const blocks = new Map(raws.map((raw, i) => [this.original.origins.get(raw), { raw, said: said[i]! }]));
    const items = nodes.map((given) => {
      const node = given.type === "blockquote" ? readAlert(given, this.original.text) : given;
      return { node, start: node.start, end: node.end, block: blocks.get(node) };
    });
    const isWhole = raws.length === said.length && items.filter(({ block }) => block).length === raws.length;
    return isWhole ? items : undefined;
  }

  /** Changes what something holds; `list` is the list that it is to be. */
  *#changeIn(holder: Holder, wanted: readonly Block[], list: Block | undefined): Steps<void> {
    const plan = yield* Plan.of(holder, wanted);
    const numbers = list?.type === "list-ordered" ? new Numbers(this.original.text, holder.items, list) : undefined;
    let [texts, last, marker]: [string[], number, string | undefined] = [[], -1, undefined];
    for (const [i, block] of wanted.entries()) {
      yield;
      if (holder.node.type === "root") this.#manner = this.manners[i]!;
      const index = plan.pairs[i];
      if (index !== undefined && this.#mayStay(plan, i, last, texts.length > 0, marker)) {
        const item = holder.items[index]!;
        yield* this.#fill(holder, last, index, texts);
        [texts, last, marker] = [[], index, this.original.bulletOf(item.node)];
        if (numbers) this.#renumber(item, numbers.kept(item.start));
        if (!plan.isSame(i)) yield* this.#revise(item, block);
        continue;
      }
      const moved = this.#isCarried ? plan.movedTo(i) : undefined;
      const source = moved && this.original.text.slice(moved.start, moved.end);
      if (list) {
        const number = numbers?.added();
        const written = source ?? (yield* this.#newItem(block as BlockOf<"list-item">, holder));
        texts.push(number === undefined ? written : written.replace(/^[0-9]*/, String(number)));
        continue;
      }
      const next = plan.pairs[i + 1];
      const around = [marker, next === undefined ? undefined : this.original.bulletOf(holder.items[next]!.node)];
      const bullet = moved && this.original.bulletOf(moved.node);
      const mayMove = source !== undefined && !(bullet && around.includes(bullet));
      marker = mayMove ? bullet : markerFor(block, around);
      texts.push(mayMove ? source : yield* this.#written(block, marker, holder.prefix, i === wanted.length - 1));
    }
    yield* this.#fill(holder, last, holder.items.length, texts);
  }

  *#written(block: Block, marker: string | undefined, prefix: string, isLast: boolean): Steps<string> {
    const written = yield* this.writer.oneInSteps(yield* this.original.addressed(block), marker, isLast);
    return this.original.inLines(written, prefix);
  }

  *#newItem(item: BlockOf<"list-item">, { node, prefix }: Holder): Steps<string> {
    const bullet = this.original.bulletOf(node) ?? "*";
    const marker = /[.)]/.test(bullet) ? `1${bullet}` : bullet;
    const written = yield* this.writer.item((yield* this.original.addressed(item)) as BlockOf<"list-item">, marker);
    return this.original.inLines(written, prefix);
  }

  /** Whether a block may stay where it is: nothing before it may absorb it, and it may absorb nothing. */
  #mayStay(
    { holder, wanted, pairs, isSame }: Plan,
    i: number,
    last: number,
    isAdded: boolean,
    marker?: string,
  ): boolean {
    const { items, node: around } = holder;
    const index = pairs[i]!;
    const { node, start } = items[index]!;
    const isTop = around.type === "root";
    if (isTop && this.#manner === "blocks" && isSame(i)) return false;
    // A block at the end of the text may be left open; every other one has an end.
    if (isTop && i < wanted.length - 1 && index === items.length - 1 && isOpenEnded(node)) return false;
    const isGap = isAdded || items.slice(last + 1, index).some(({ block }) => block);
    if (!isGap || marker === undefined || node.type === "listItem") return true;
    const line = this.original.lineBefore(start) + this.original.text[start];
    const isIndented = /^[ \t]/.test(line.startsWith(holder.prefix) ? line.slice(holder.prefix.length) : line);
    return this.original.bulletOf(node) !== marker && !isIndented;
  }

  /** Puts texts between two items, in place of the blocks there. What others refer to stays. */
  *#fill(holder: Holder, last: number, next: number, texts: readonly string[]): Steps<void> {
    let [from, left] = [last, texts];
    for (let at = last + 1; at <= next; at++) {
      const item = holder.items[at];
      if (at < next && item?.block) this.#gone.push(item.node);
      else {
        const isEnd = holder.node.type === "root" && item === undefined;
        const all = isEnd ? [...left, ...(yield* this.#extras())] : left;
        const edit = filled(this.original, holder, from, at, all);
        if (edit) this.edits.push(edit);
        [from, left] = [at, []];
      }
    }
  }

  /** What has to be written down at the end: definitions inside of what is gone, and new notes. */
  *#extras(): Steps<string[]> {
    const extras = [...this.#gone.flatMap(definitionsIn), ...(yield* this.writer.notesInSteps())];
    return extras.map((text) => this.original.inLines(text, ""));
  }

  /** Edits a block so that it says something else. */
  *#revise(item: Item, wanted: Block): Steps<void> {
    if (this.#manner !== "blocks" && (yield* this.#reviseInside(item, wanted))) return;
    const { node, start, end } = item;
    const { raw, said } = item.block!;
    const source = this.original.text.slice(start, end);
    const prefix = this.original.prefixAt(start);
    const { before, after } = yield* this.#notes.labels(raw, node, wanted);
    const write = function* (this: Changes, block: Block, labels: readonly (string | undefined)[]): Steps<string> {
      this.writer.known = [...labels];
      const isItem = block.type === "list-item";
      const written = yield* isItem ? this.writer.item(block, this.#markerAt(start)) : this.#rewritten(block, node);
      this.writer.known = [];
      return this.original.inLines(written, prefix);
    }.bind(this);
    const now = yield* write(yield* this.original.addressed(wanted), after);
    const old = this.#isCarried ? yield* write(yield* this.original.addressed(said), before) : now;
    if (old !== now) {
      const labels = this.original.ownLabels(node, start);
      const text = yield* this.#carried(source, old, now, labels);
      this.edits.push({ from: start, to: end, text });
    } else if (!this.#isCarried || this.#notes.textOf(said) !== this.#notes.textOf(wanted)) {
      this.#gone.push(node);
      this.edits.push({ from: start, to: end, text: now });
    }
  }

  get #isCarried(): boolean {
    return this.#manner === "signs" || this.#manner === "words";
  }

  #carried(source: string, old: string, now: string, labels: readonly OwnLabel[]): Steps<string> {
    const [before, after] = [inOrderOf(source, old), inOrderOf(source, now)];
    return carriedOver(source, before, after, labels, this.#manner === "words");
  }

  *#rewritten(block: Block, node: md.Node): Steps<string> {
    const isSameKind = node.type === "list" && kindOfList(block) === (node.ordered ? "ordered" : "bullets");
    const marker = isSameKind ? this.original.bulletOf(node) : undefined;
    this.writer.tagged = this.original.taggedIn(node);
    const written = yield* this.writer.oneInSteps(block, marker, true, node.type === "html");
    this.writer.tagged = NO_TAGS;
    return written;
  }

  #markerAt(start: number): string {
    return /^(?:[-+*]|[0-9]{1,9}[.)])/.exec(this.original.text.slice(start, start + 16))?.[0] ?? "*";
  }

  /** Edits what stands inside a block; false if the whole of it has to change. */
  *#reviseInside(item: Item, wanted: Block): Steps<boolean> {
    const { node } = item;
    const { raw, said } = item.block!;
    const isSameKind = said.type === wanted.type || (kindOfList(said) && kindOfList(said) === kindOfList(wanted));
    const inside = isSameKind ? insideOf(node) : undefined;
    const [raws, children] = [childrenOf(raw), childrenOf(wanted)];
    if (!inside || !raws || !children || raws.length === 0 || children.length === 0) return false;
    const items = this.#itemsOf(inside, raws, childrenOf(said));
    if (!items || !(yield* this.#reviseHead(item, wanted, items))) return false;
    const prefix = prefixIn(this.original, node, items);
    const edits = this.edits.length;
    yield* this.#changeIn({ node, items, prefix }, children, node.type === "list" ? wanted : undefined);
    if (raws.length !== children.length && (node.type === "details" || node.type === "tag"))
      this.edits.splice(edits, 0, ...this.#setApart(items, prefix));
    return true;
  }

  /** Blank lines behind an opening and before a closing tag that stand on the lines of what is between them. */
  #setApart(items: readonly Item[], prefix: string): TextEdit[] {
    const { original } = this;
    const [{ start }, { end }] = [items[0]!, items.at(-1)!];
    const places = [
      ...(/[^ \t>]/.test(original.lineBefore(start)) ? [start] : []),
      ...(/^[ \t]*[^\s]/.test(original.text.slice(end, end + 100)) ? [end] : []),
    ];
    return places.map((place) => ({ from: place, to: place, text: original.blankLine(prefix) }));
  }

  /** Edits what stands before everything in a block; false if that cannot be done in its place. */
  *#reviseHead(item: Item, wanted: Block, items: Item[]): Steps<boolean> {
    const { node } = item;
    const { said } = item.block!;
    if (node.type === "listItem") return this.#reviseBox(node, wanted as BlockOf<"list-item">, items);
    const [before, after] = [yield* this.#headOf(said), yield* this.#headOf(wanted)];
    if (before === after) return true;
    const head = node.type === "tag" ? node.open : { start: node.start, end: items[0]!.start };
    if (said.type === "unknown" || (node.type !== "tag" && node.type !== "details")) return false;
    const prefix = this.original.prefixAt(head.start);
    const source = this.original.text.slice(head.start, head.end);
    const [old, now] = [this.original.inLines(before, prefix), this.original.inLines(after, prefix)];
    const text = this.#isCarried
      ? yield* this.#carried(source, old, now, [])
      : now + source.slice(source.trimEnd().length);
    this.edits.push({ from: head.start, to: head.end, text });
    return true;
  }

  /** What is written before everything that stands in a block. */
  *#headOf(block: Block): Steps<string> {
    if (kindOfList(block) || block.type === "blockquote") return "";
    const fragments = block.fragments?.map((part) => (part.type === "expandable-body" ? { ...part, nodes: [] } : part));
    const empty = { ...block, ...omitUndefined({ nodes: block.nodes ? [] : undefined, fragments }) } as Block;
    const written = yield* this.writer.oneInSteps(yield* this.original.addressed(empty));
    return written.slice(0, Math.max(0, written.lastIndexOf("\n"))).trimEnd();
  }

  /** Edits the box of a task. What stands in the item begins behind it. */
  #reviseBox(node: md.ListItem, { data }: BlockOf<"list-item">, items: Item[]): boolean {
    const [first] = items as [Item];
    const wanted = data?.checked;
    const [box = ""] =
      node.checked === null ? [] : (/^\[[ \t\r\nxX]\]\s+/.exec(this.original.text.slice(first.start)) ?? []);
    const start = first.start + box.length;
    items[0] = { ...first, start };
    if (wanted === (node.checked ?? undefined)) return true;
    if (first.node.type !== "paragraph") return false;
    if (wanted === undefined) this.edits.push({ from: first.start, to: start, text: "" });
    else if (box === "") this.edits.push({ from: start, to: start, text: wanted ? "[x] " : "[ ] " });
    else this.edits.push({ from: first.start + 1, to: first.start + 2, text: wanted ? "x" : " " });
    return true;
  }

  #renumber({ start }: Item, [number, wanted]: readonly [string, number | undefined]): void {
    if (wanted !== undefined && Number(number) !== wanted)
      this.edits.push({ from: start, to: start + number.length, text: String(wanted) });
  }

  *#reviseNote(note: md.FootnoteDefinition, raws: readonly Block[], wanted: readonly Block[]): Steps<boolean> {
    const items = raws.length > 0 && wanted.length > 0 ? this.#itemsOf(note.children, raws) : undefined;
    if (!items) return false;
    yield* this.#changeIn({ node: note, items, prefix: prefixIn(this.original, note, items) }, wanted, undefined);
    return true;
  }
}

/** Which items stay, and which blocks they become. */
class Plan {
  #left: Map<string, Item> | undefined;

  private constructor(
    readonly holder: Holder,
    readonly wanted: readonly Block[],
    readonly pairs: readonly (number | undefined)[],
    readonly before: ReadonlyMap<number, Said>,
    readonly after: readonly Said[],
  ) {}

  /** Finds it out, step by step. */
  static *of(holder: Holder, wanted: readonly Block[]): Steps<Plan> {
    const [before, after]: [Map<number, Said>, Said[]] = [new Map(), []];
    for (const [i, { block }] of holder.items.entries()) if (block) before.set(i, yield* sayingOf(block.said));
    for (const block of wanted) after.push(yield* sayingOf(block));
    const indexes = [...before.keys()];
    const found = yield* pairing([...before.values()], after);
    const pairs = found.map((pair) => (pair === undefined ? undefined : indexes[pair]!));
    return new Plan(holder, wanted, pairs, before, after);
  }

  /** Whether a block says what its item says. */
  readonly isSame = (i: number): boolean => {
    return this.before.get(this.pairs[i]!)?.signature === this.after[i]!.signature;
  };

  /** The item that a block was at another place; each is given once. */
  movedTo(i: number): Item | undefined {
    if (!this.#left) {
      const paired = new Set(this.pairs);
      const left = [...this.before].filter(([index]) => !paired.has(index));
      this.#left = new Map(left.map(([index, { signature }]) => [signature, this.holder.items[index]!]));
    }
    const { signature } = this.after[i]!;
    const item = this.#left.get(signature);
    this.#left.delete(signature);
    return item;
  }
}

function* sayingOf(block: Block): Steps<Said> {
  return { type: block.type, signature: yield* signatureInSteps(block) };
}

/** The numbers of an ordered list. */
class Numbers {
  #next: number;
  #isFirst = true;
  /** 0 where every item has one number. */
  readonly #step: number;

  constructor(
    readonly text: string,
    items: readonly Item[],
    list: BlockOf<"list-ordered">,
  ) {
    const [first, second] = items.map(({ start }) => this.#at(start));
    this.#step = second !== undefined && second === first ? 0 : 1;
    this.#next = list.data?.start ?? 1;
  }

  #at(start: number): string {
    return /^[0-9]*/.exec(this.text.slice(start, start + 10))![0];
  }

  /** The number of an item that stays, and the one that it has to have: only that of the first counts. */
  kept(start: number): [string, number | undefined] {
    const number = this.#at(start);
    const wanted = this.#isFirst ? this.#next : undefined;
    this.#isFirst = false;
    this.#next = (wanted ?? Number(number)) + this.#step;
    return [number, wanted];
  }

  added(): number {
    this.#isFirst = false;
    this.#next += this.#step;
    return this.#next - this.#step;
  }
}

/** The nodes that a node holds, if blocks stand in it. */
function insideOf(node: md.Block | md.ListItem): readonly (md.Block | md.ListItem)[] | undefined {
  switch (node.type) {
    case "tag":
      return node.close && node.children;
    case "blockquote":
    case "list":
    case "listItem":
    case "details":
      return node.children;
    default:
      return undefined;
  }
}

/** The blocks that a block holds in nodes of their own. */
function childrenOf({ type, nodes, fragments }: Block): readonly Block[] | undefined {
  if (type === "expandable") return fragments?.find((fragment) => fragment.type === "expandable-body")?.nodes;
  return nodes && type !== "code" && type !== "images" ? (nodes as Block[]) : undefined;
}

/** What each line inside something begins with. */
function prefixIn(original: Original, node: md.Block | md.ListItem, items: readonly Item[]): string {
  if (node.type === "listItem") return original.prefixAt(items[0]!.start);
  const own = original.prefixAt(node.start);
  return node.type === "blockquote" ? `${own}> ` : node.type === "footnoteDefinition" ? `${own}    ` : own;
}

/** Whether a block could continue to the end of the text. */
function isOpenEnded({ type }: md.Node): boolean {
  return type === "code" || type === "html" || type === "math";
}

/** Definitions inside a block that is gone: others may still need them. */
function definitionsIn(node: md.Node): string[] {
  const definitions: string[] = [];
  visit(node, (part) => {
    if (part.type !== "definition") return;
    const title = part.title === null ? "" : ` "${part.title.replace(/[\\"]/g, "\\$&")}"`;
    definitions.push(`[${part.identifier}]: <${part.url.replace(/[\\<>]/g, "\\$&")}>${title}`);
  });
  return definitions;
}
