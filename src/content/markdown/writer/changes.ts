// Converts the changes of a document to edits of its source text, at every depth: an unchanged block has none, a changed one is
// edited in place, and a new one is inserted between its neighbors.

import type { Steps } from "../../../utils/concurrency/steps";
import { omitUndefined } from "../../../utils/objects";
import type { Block, BlockOf } from "../../document";
import type { TextEdit } from "../../text-edits";
import type * as md from "../nodes";
import { visitNodes } from "../nodes";
import { readAlert } from "../reader/alerts";
import { matchAttributeOrder } from "./attribute-order";
import { type BlockWriter, chooseListMarker, getListKind, NO_TAGS } from "./blocks";
import { applyTextChanges, type OwnLabel } from "./carry";
import { createGapEdit } from "./gaps";
import { Notes } from "./notes";
import { getSignatureInSteps, type Original } from "./original";
import { type ComparedBlock, matchBlocks } from "./pairing";

/**
 * The ways to apply a change to the text: by comparing all words and other characters, or words first; by rewriting each
 * changed paragraph, table or the like; or by rewriting the whole top-level block.
 */
export const MANNERS = ["signs", "words", "leaves", "blocks"] as const;
export type Manner = (typeof MANNERS)[number];

interface ContainedNode extends md.SourceSpan {
  readonly node: md.BlockNode | md.ListItemNode;
  /** Its block as it was read, and in normal form; undefined for a node that other nodes only refer to. */
  readonly block: { readonly raw: Block; readonly normal: Block } | undefined;
}

interface ChangedContainer {
  readonly node: md.RootNode | md.BlockNode | md.ListItemNode;
  readonly items: readonly ContainedNode[];
  readonly prefix: string;
}

/** Collects the edits that give a text the content of a document. */
export class Changes {
  readonly edits: TextEdit[] = [];
  readonly #notes: Notes;
  /** The nodes that were removed or rewritten: other nodes can refer to definitions in them. */
  readonly #removed: md.SourceNode[] = [];
  #manner: Manner = "signs";

  /** `manners` are those of the top-level blocks. */
  constructor(
    readonly original: Original,
    readonly writer: BlockWriter,
    readonly manners: readonly Manner[],
  ) {
    this.#notes = new Notes(original, (note, raws, wanted) => this.#reviseNote(note, raws, wanted));
  }

  /** Changes the whole text so that it has the given blocks, which are in normal form. */
  *changeTo(wanted: readonly Block[]): Steps<void> {
    const { root, nodes, parts } = this.original.page;
    const raws = parts.map(({ block }) => block);
    const items = this.#collectItems(nodes, raws);
    if (items) yield* this.#changeContainer({ node: root, items, prefix: "" }, wanted, undefined);
  }

  /** Returns the nodes of a container with their blocks; undefined if they do not correspond. */
  #collectItems(
    nodes: readonly (md.BlockNode | md.ListItemNode)[],
    raws: readonly Block[],
    normal: readonly Block[] = raws.map((raw) => this.original.normalize(raw)),
  ): ContainedNode[] | undefined {
    const blocks = new Map(raws.map((raw, i) => [this.original.origins.get(raw), { raw, normal: normal[i]! }]));
    const items = nodes.map((given) => {
      const node = given.type === "blockquote" ? readAlert(given, this.original.text) : given;
      return { node, start: node.start, end: node.end, block: blocks.get(node) };
    });
    const isComplete = raws.length === normal.length && items.filter(({ block }) => block).length === raws.length;
    return isComplete ? items : undefined;
  }

  /** Changes the nodes of a container; `list` is the list that it becomes. */
  *#changeContainer(container: ChangedContainer, wanted: readonly Block[], list: Block | undefined): Steps<void> {
    const plan = yield* ChangePlan.create(container, wanted);
    const numbers =
      list?.type === "list-ordered" ? new ListNumbers(this.original.text, container.items, list) : undefined;
    let [texts, last, marker]: [string[], number, string | undefined] = [[], -1, undefined];
    for (const [i, block] of wanted.entries()) {
      yield;
      if (container.node.type === "root") this.#manner = this.manners[i]!;
      const index = plan.pairs[i];
      if (index !== undefined && this.#canStay(plan, i, last, texts.length > 0, marker)) {
        const item = container.items[index]!;
        yield* this.#replaceBetween(container, last, index, texts);
        [texts, last, marker] = [[], index, this.original.getBullet(item.node)];
        if (numbers) this.#renumber(item, numbers.takeExisting(item.start));
        if (!plan.isSame(i)) yield* this.#revise(item, block);
        continue;
      }
      const moved = this.#appliesChanges ? plan.takeMoved(i) : undefined;
      const source = moved && this.original.text.slice(moved.start, moved.end);
      if (list) {
        const number = numbers?.takeNew();
        const written = source ?? (yield* this.#writeNewItem(block as BlockOf<"list-item">, container));
        texts.push(number === undefined ? written : written.replace(/^[0-9]*/, String(number)));
        continue;
      }
      const next = plan.pairs[i + 1];
      const around = [marker, next === undefined ? undefined : this.original.getBullet(container.items[next]!.node)];
      const bullet = moved && this.original.getBullet(moved.node);
      const mayMove = source !== undefined && !(bullet && around.includes(bullet));
      marker = mayMove ? bullet : chooseListMarker(block, around);
      texts.push(mayMove ? source : yield* this.#writeBlock(block, marker, container.prefix, i === wanted.length - 1));
    }
    yield* this.#replaceBetween(container, last, container.items.length, texts);
  }

  *#writeBlock(block: Block, marker: string | undefined, prefix: string, isLast: boolean): Steps<string> {
    const written = yield* this.writer.writeBlockInSteps(yield* this.original.mapToUrls(block), marker, isLast);
    return this.original.prefixLines(written, prefix);
  }

  *#writeNewItem(item: BlockOf<"list-item">, { node, prefix }: ChangedContainer): Steps<string> {
    const bullet = this.original.getBullet(node) ?? "*";
    const marker = /[.)]/.test(bullet) ? `1${bullet}` : bullet;
    const written = yield* this.writer.writeListItem(
      (yield* this.original.mapToUrls(item)) as BlockOf<"list-item">,
      marker,
    );
    return this.original.prefixLines(written, prefix);
  }

  /** Returns true if a block can stay in its place: nothing before it absorbs it, and it absorbs nothing after it. */
  #canStay(
    { container, wanted, pairs, isSame }: ChangePlan,
    i: number,
    last: number,
    isAdded: boolean,
    marker?: string,
  ): boolean {
    const { items, node: around } = container;
    const index = pairs[i]!;
    const { node, start } = items[index]!;
    const isTop = around.type === "root";
    if (isTop && this.#manner === "blocks" && isSame(i)) return false;
    // A block at the end of the text can be unclosed; every other one has an end.
    const canBeOpen = node.type === "code" || node.type === "html" || node.type === "math";
    if (isTop && i < wanted.length - 1 && index === items.length - 1 && canBeOpen) return false;
    const isGap = isAdded || items.slice(last + 1, index).some(({ block }) => block);
    if (!isGap || marker === undefined || node.type === "listItem") return true;
    const line = this.original.getLineBefore(start) + this.original.text[start];
    const isIndented = /^[ \t]/.test(line.startsWith(container.prefix) ? line.slice(container.prefix.length) : line);
    return this.original.getBullet(node) !== marker && !isIndented;
  }

  /** Replaces the blocks between two items by texts. Definitions stay. */
  *#replaceBetween(container: ChangedContainer, last: number, next: number, texts: readonly string[]): Steps<void> {
    let [from, left] = [last, texts];
    for (let at = last + 1; at <= next; at++) {
      const item = container.items[at];
      if (at < next && item?.block) this.#removed.push(item.node);
      else {
        const isEnd = container.node.type === "root" && item === undefined;
        const all = [...left];
        if (isEnd) {
          // Others can still need the definitions in removed nodes. New notes are added after them.
          const extras: string[] = [];
          for (const removed of this.#removed)
            visitNodes(removed, (part) => {
              if (part.type !== "definition") return;
              const title = part.title === null ? "" : ` "${part.title.replace(/[\\"]/g, "\\$&")}"`;
              extras.push(`[${part.identifier}]: <${part.url.replace(/[\\<>]/g, "\\$&")}>${title}`);
            });
          for (const note of yield* this.writer.writeNotesInSteps()) extras.push(note);
          for (const extra of extras) all.push(this.original.prefixLines(extra, ""));
        }
        const edit = createGapEdit(this.original, container, from, at, all);
        if (edit) this.edits.push(edit);
        [from, left] = [at, []];
      }
    }
  }

  /** Edits a block so that it becomes another one. */
  *#revise(item: ContainedNode, wanted: Block): Steps<void> {
    if (this.#manner !== "blocks" && (yield* this.#reviseInside(item, wanted))) return;
    const { node, start, end } = item;
    const { raw, normal } = item.block!;
    const source = this.original.text.slice(start, end);
    const prefix = this.original.getPrefix(start);
    const { before, after } = yield* this.#notes.findLabels(raw, node, wanted);
    const write = function* (this: Changes, block: Block, labels: readonly (string | undefined)[]): Steps<string> {
      const isSameKind = node.type === "list" && getListKind(block) === (node.ordered ? "ordered" : "bullets");
      const bullet = isSameKind ? this.original.getBullet(node) : undefined;
      const [marker = "*"] = /^(?:[-+*]|[0-9]{1,9}[.)])/.exec(source.slice(0, 16)) ?? [];
      const isItem = block.type === "list-item";
      this.writer.known = [...labels];
      this.writer.tagged = isItem ? NO_TAGS : this.original.findTaggedUrls(node);
      const written = yield* isItem
        ? this.writer.writeListItem(block, marker)
        : this.writer.writeBlockInSteps(block, bullet, true, node.type === "html");
      this.writer.known = [];
      this.writer.tagged = NO_TAGS;
      return this.original.prefixLines(written, prefix);
    }.bind(this);
    const now = yield* write(yield* this.original.mapToUrls(wanted), after);
    const old = this.#appliesChanges ? yield* write(yield* this.original.mapToUrls(normal), before) : now;
    if (old !== now) {
      const labels = this.original.findOwnLabels(node, start);
      const text = yield* this.#applyChanges(source, old, now, labels);
      this.edits.push({ from: start, to: end, text });
    } else if (
      !this.#appliesChanges ||
      this.#notes.serializeWithoutNotes(normal) !== this.#notes.serializeWithoutNotes(wanted)
    ) {
      this.#removed.push(node);
      this.edits.push({ from: start, to: end, text: now });
    }
  }

  get #appliesChanges(): boolean {
    return this.#manner === "signs" || this.#manner === "words";
  }

  #applyChanges(source: string, old: string, now: string, labels: readonly OwnLabel[]): Steps<string> {
    const [before, after] = [matchAttributeOrder(source, old), matchAttributeOrder(source, now)];
    return applyTextChanges(source, before, after, labels, this.#manner === "words");
  }

  /** Edits the content of a block; false if the whole block has to change. */
  *#reviseInside(item: ContainedNode, wanted: Block): Steps<boolean> {
    const { node } = item;
    const { raw, normal } = item.block!;
    const isSameKind =
      normal.type === wanted.type || (getListKind(normal) && getListKind(normal) === getListKind(wanted));
    const isContainer = node.type === "tag" ? node.close !== undefined : CONTAINERS.has(node.type);
    const inside =
      isSameKind && isContainer && "children" in node
        ? (node.children as readonly (md.BlockNode | md.ListItemNode)[])
        : undefined;
    const [raws, children] = [getChildBlocks(raw), getChildBlocks(wanted)];
    if (!inside || !raws || !children || raws.length === 0 || children.length === 0) return false;
    const items = this.#collectItems(inside, raws, getChildBlocks(normal));
    if (!items || !(yield* this.#reviseHead(item, wanted, items))) return false;
    const prefix = getLinePrefix(this.original, node, items);
    const edits = this.edits.length;
    yield* this.#changeContainer({ node, items, prefix }, children, node.type === "list" ? wanted : undefined);
    if (raws.length !== children.length && (node.type === "details" || node.type === "tag"))
      this.edits.splice(edits, 0, ...this.#separateFromTags(items, prefix));
    return true;
  }

  /** Adds blank lines after an opening and before a closing tag that are on a line with the content between them. */
  #separateFromTags(items: readonly ContainedNode[], prefix: string): TextEdit[] {
    const { original } = this;
    const [{ start }, { end }] = [items[0]!, items.at(-1)!];
    const places = [
      ...(/[^ \t>]/.test(original.getLineBefore(start)) ? [start] : []),
      ...(/^[ \t]*[^\s]/.test(original.text.slice(end, end + 100)) ? [end] : []),
    ];
    return places.map((place) => ({ from: place, to: place, text: original.getBlankLine(prefix) }));
  }

  /** Edits the head of a block, before its content; false if that is not possible in place. */
  *#reviseHead(item: ContainedNode, wanted: Block, items: ContainedNode[]): Steps<boolean> {
    const { node } = item;
    const { normal } = item.block!;
    if (node.type === "listItem") return this.#reviseCheckbox(node, wanted as BlockOf<"list-item">, items);
    const [before, after] = [yield* this.#writeHead(normal), yield* this.#writeHead(wanted)];
    if (before === after) return true;
    const head = node.type === "tag" ? node.open : { start: node.start, end: items[0]!.start };
    if (normal.type === "unknown" || (node.type !== "tag" && node.type !== "details")) return false;
    const prefix = this.original.getPrefix(head.start);
    const source = this.original.text.slice(head.start, head.end);
    const [old, now] = [this.original.prefixLines(before, prefix), this.original.prefixLines(after, prefix)];
    const text = this.#appliesChanges
      ? yield* this.#applyChanges(source, old, now, [])
      : now + source.slice(source.trimEnd().length);
    this.edits.push({ from: head.start, to: head.end, text });
    return true;
  }

  *#writeHead(block: Block): Steps<string> {
    if (getListKind(block) || block.type === "blockquote") return "";
    const fragments = block.fragments?.map((part) => (part.type === "expandable-body" ? { ...part, nodes: [] } : part));
    const empty = { ...block, ...omitUndefined({ nodes: block.nodes ? [] : undefined, fragments }) } as Block;
    const written = yield* this.writer.writeBlockInSteps(yield* this.original.mapToUrls(empty));
    return written.slice(0, Math.max(0, written.lastIndexOf("\n"))).trimEnd();
  }

  /** Edits the checkbox of a task list item. The content of the item begins after it. */
  #reviseCheckbox(node: md.ListItemNode, { data }: BlockOf<"list-item">, items: ContainedNode[]): boolean {
    const [first] = items as [ContainedNode];
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

  #renumber({ start }: ContainedNode, [number, wanted]: readonly [string, number | undefined]): void {
    if (wanted !== undefined && Number(number) !== wanted)
      this.edits.push({ from: start, to: start + number.length, text: String(wanted) });
  }

  *#reviseNote(note: md.FootnoteDefinitionNode, raws: readonly Block[], wanted: readonly Block[]): Steps<boolean> {
    const items = raws.length > 0 && wanted.length > 0 ? this.#collectItems(note.children, raws) : undefined;
    if (!items) return false;
    yield* this.#changeContainer(
      { node: note, items, prefix: getLinePrefix(this.original, note, items) },
      wanted,
      undefined,
    );
    return true;
  }
}

/** The items that stay, and the blocks that they become. */
class ChangePlan {
  #left: Map<string, ContainedNode> | undefined;

  private constructor(
    readonly container: ChangedContainer,
    readonly wanted: readonly Block[],
    readonly pairs: readonly (number | undefined)[],
    readonly before: ReadonlyMap<number, ComparedBlock>,
    readonly after: readonly ComparedBlock[],
  ) {}

  static *create(container: ChangedContainer, wanted: readonly Block[]): Steps<ChangePlan> {
    const [before, after]: [Map<number, ComparedBlock>, ComparedBlock[]] = [new Map(), []];
    for (const [i, { block }] of container.items.entries())
      if (block) before.set(i, { type: block.normal.type, signature: yield* getSignatureInSteps(block.normal) });
    for (const block of wanted) after.push({ type: block.type, signature: yield* getSignatureInSteps(block) });
    const indexes = [...before.keys()];
    const matches = yield* matchBlocks([...before.values()], after);
    const pairs = matches.map((pair) => (pair === undefined ? undefined : indexes[pair]!));
    return new ChangePlan(container, wanted, pairs, before, after);
  }

  /** Returns true for a block that is equal to its item. */
  readonly isSame = (i: number): boolean => {
    return this.before.get(this.pairs[i]!)?.signature === this.after[i]!.signature;
  };

  /** Takes the item at another place that is equal to a block; each is returned once. */
  takeMoved(i: number): ContainedNode | undefined {
    if (!this.#left) {
      const paired = new Set(this.pairs);
      const left = [...this.before].filter(([index]) => !paired.has(index));
      this.#left = new Map(left.map(([index, { signature }]) => [signature, this.container.items[index]!]));
    }
    const { signature } = this.after[i]!;
    const item = this.#left.get(signature);
    this.#left.delete(signature);
    return item;
  }
}

class ListNumbers {
  #next: number;
  #isFirst = true;
  /** 0 if all items have the same number. */
  readonly #step: number;

  constructor(
    readonly text: string,
    items: readonly ContainedNode[],
    list: BlockOf<"list-ordered">,
  ) {
    const [first, second] = items.map(({ start }) => this.#readNumber(start));
    this.#step = second !== undefined && second === first ? 0 : 1;
    this.#next = list.data?.start ?? 1;
  }

  #readNumber(start: number): string {
    return /^[0-9]*/.exec(this.text.slice(start, start + 10))![0];
  }

  /** Returns the number of an item that stays, and the one that it needs: only that of the first item matters. */
  takeExisting(start: number): [string, number | undefined] {
    const number = this.#readNumber(start);
    const wanted = this.#isFirst ? this.#next : undefined;
    this.#isFirst = false;
    this.#next = (wanted ?? Number(number)) + this.#step;
    return [number, wanted];
  }

  takeNew(): number {
    this.#isFirst = false;
    this.#next += this.#step;
    return this.#next - this.#step;
  }
}

/** Nodes whose children are blocks or items. */
const CONTAINERS: ReadonlySet<md.SourceNode["type"]> = new Set(["blockquote", "list", "listItem", "details"] as const);

function getChildBlocks({ type, nodes, fragments }: Block): readonly Block[] | undefined {
  if (type === "expandable") return fragments?.find((fragment) => fragment.type === "expandable-body")?.nodes;
  return nodes && type !== "code" && type !== "images" ? (nodes as Block[]) : undefined;
}

function getLinePrefix(
  original: Original,
  node: md.BlockNode | md.ListItemNode,
  items: readonly ContainedNode[],
): string {
  if (node.type === "listItem") return original.getPrefix(items[0]!.start);
  const own = original.getPrefix(node.start);
  return node.type === "blockquote" ? `${own}> ` : node.type === "footnoteDefinition" ? `${own}    ` : own;
}
