// Blocks as Markdown. A block is a text without a line ending at its end; blocks that follow each other stand a blank line apart.

import type { Steps } from "../../../utils/concurrency/steps";
import type { Align, Block, BlockOf, Fragment, Inline, Phrasing } from "../../document";
import { type FencedBlocks, fenceOf } from "../fences";
import { isEmpty, textNode } from "../reader/leaves";
import { writeChecked } from "./checked";
import { writeCode, writeMath } from "./code";
import { quoteArgument } from "./escape";
import { writeFigures } from "./figures";
import { attributesOf, htmlOf } from "./html";
import { writeTable } from "./tables";
import { type Attributes, line, oneLine, pair, tag, wide } from "./tags";
import { writeUnknown } from "./unknown";
import { urlOf } from "./urls";

const ALIGNMENTS = { start: "left", center: "center", end: "right" } as const;

/** No address is written as a tag unless it has to. */
export const NO_TAGS: ReadonlySet<string> = new Set();

/** Writes the blocks of one text, and collects their notes. */
export class BlockWriter {
  readonly #notes: { label: string; fragment: Fragment | undefined }[] = [];
  #label = 0;

  /** `taken` are labels of notes that stand in the text already. */
  constructor(
    readonly taken: ReadonlySet<string>,
    readonly fences: FencedBlocks,
  ) {}

  /** Blocks that follow each other, step by step. `mayRunOn` says that the last one may stay open, because nothing follows. */
  *writeInSteps(blocks: readonly Block[], mayRunOn = false): Steps<string> {
    const written: string[] = [];
    let marker: string | undefined;
    for (const [i, block] of blocks.entries()) {
      const isNext = i > 0 && kindOfList(blocks[i - 1]!) === kindOfList(block);
      marker = markerFor(block, isNext && marker !== undefined ? [marker] : []);
      written.push(yield* this.#block(block, marker, mayRunOn && i === blocks.length - 1, false));
      yield;
    }
    return written.join("\n\n");
  }

  /** The notes of everything written so far, as blocks, step by step. */
  *notesInSteps(): Steps<string[]> {
    const written: string[] = [];
    for (let note = this.#notes.shift(); note; note = this.#notes.shift()) {
      const body = yield* this.writeInSteps(note.fragment?.nodes ?? [], true);
      written.push(body === "" ? `[^${note.label}]:` : `[^${note.label}]: ${yield* indent(body, "    ")}`);
    }
    return written;
  }

  /** Addresses of links and images in lines that are written as tags, because the text that is changed has them so. */
  tagged = NO_TAGS;

  /** Labels of the notes that are written next, in their order; a note with such a label stands in the text already. */
  known: (string | undefined)[] = [];

  readonly #takeNote = (inline: Inline): string => {
    const known = this.known.shift();
    if (known !== undefined) return known;
    do this.#label++;
    while (this.taken.has(String(this.#label)));
    const label = String(this.#label);
    this.#notes.push({ label, fragment: inline.fragments?.[0] });
    return label;
  };

  /** Writes phrasing once, because checking it again must not collect its notes twice. */
  #phrasing(nodes: readonly Phrasing[], where: "paragraph" | "heading" | "cell"): Steps<string> {
    const labels = new Map<Inline, string>();
    const takeNote = (inline: Inline) => {
      const label = labels.get(inline) ?? this.#takeNote(inline);
      labels.set(inline, label);
      return label;
    };
    return writeChecked(nodes, where, takeNote, this.tagged);
  }

  /** Writes a block; a list gets a marker. `mayRunOn` says that nothing follows that it could absorb, and `asHtml` that
   * a block which has two forms is written as HTML. */
  oneInSteps(block: Block, marker = markerFor(block, []), mayRunOn = false, asHtml = false): Steps<string> {
    return this.#block(block, marker, mayRunOn, asHtml);
  }

  *#block(block: Block, marker: string | undefined, mayRunOn: boolean, asHtml: boolean): Steps<string> {
    switch (block.type) {
      case "paragraph":
        return yield* this.#paragraph(block, asHtml);
      case "heading-1":
      case "heading-2":
      case "heading-3":
        return yield* this.#heading(block, asHtml);
      case "list-ordered":
      case "list-unordered":
      case "list-tasks":
        return yield* this.#list(block, marker ?? "*");
      case "divider":
        return "---";
      case "blockquote":
        return quoted(yield* this.writeInSteps(nodesOf(block), true));
      case "images":
      case "drawing":
        return writeFigures(block, asHtml);
      case "math":
        return writeMath(block.data?.formula ?? "");
      case "code":
        return writeCode(block);
      case "expandable":
        return yield* this.#expandable(block);
      case "table":
        return yield* writeTable(block, (nodes) => this.#phrasing(nodes, "cell"), asHtml);
      case "unknown":
        return yield* writeUnknown(block, (nodes) => this.writeInSteps(nodes), mayRunOn);
      default:
        return yield* this.#tagged(block);
    }
  }

  *#paragraph({ data, nodes = [] }: BlockOf<"paragraph">, asHtml: boolean): Steps<string> {
    if (!data?.align && !asHtml) return yield* this.#phrasing(nodes as Phrasing[], "paragraph");
    return `<p${aligned(data)}>${htmlOf(nodes as Phrasing[])}</p>`;
  }

  *#heading(
    { type, data, nodes = [] }: BlockOf<"heading-1" | "heading-2" | "heading-3">,
    asHtml: boolean,
  ): Steps<string> {
    const level = Number(type.slice(-1)) + 1;
    const anchor = data?.id === undefined ? "" : `<a ${attributesOf({ href: `#${data.id}`, id: data.id })}></a>`;
    // The first anchor in a heading is its own.
    const isFirst = nodes.some((node) => node.object === "inline" && node.type === "anchor");
    const around = (words: string) => (isFirst ? [anchor, words] : [words, anchor]);
    if (data?.align || asHtml)
      return `<h${level}${aligned(data)}>${around(htmlOf(nodes as Phrasing[])).join("")}</h${level}>`;
    return ["#".repeat(level), ...around(yield* this.#phrasing(nodes as Phrasing[], "heading"))]
      .filter((part) => part !== "")
      .join(" ");
  }

  *#list(list: Block, marker: string): Steps<string> {
    const items = nodesOf(list) as BlockOf<"list-item">[];
    const isTight = items.every((item) => this.#isTight(item));
    const start = list.type === "list-ordered" ? list.data?.start : undefined;
    const first = start !== undefined && Number.isInteger(start) && start >= 0 && start < 1e8 ? start : 1;
    const written: string[] = [];
    for (const [i, item] of items.entries()) {
      written.push(yield* this.#item(item, list.type === "list-ordered" ? first + i + marker : marker, isTight));
      yield;
    }
    return written.join(isTight ? "\n" : "\n\n");
  }

  /** An item of a list; without blank lines if it can be tight. */
  item(item: BlockOf<"list-item">, marker: string): Steps<string> {
    return this.#item(item, marker, this.#isTight(item));
  }

  *#item(item: BlockOf<"list-item">, marker: string, isTight: boolean): Steps<string> {
    const checked = item.data?.checked;
    const box = checked === undefined ? "" : checked ? "[x] " : "[ ] ";
    const blocks = nodesOf(item);
    const written = isTight ? yield* this.#tight(blocks) : yield* this.writeInSteps(blocks, true);
    const content = yield* indent(box + written, " ".repeat(marker.length + 1));
    return content === "" ? marker : `${marker} ${content}`;
  }

  readonly #tightItems = new WeakMap<Block, boolean>();

  /** Whether the blocks of an item need no blank lines: a paragraph, and lists that may follow it at once. */
  #isTight(item: Block): boolean {
    const known = this.#tightItems.get(item);
    if (known !== undefined) return known;
    const isTight = nodesOf(item).every((block, i) =>
      i === 0 ? block.type === "paragraph" : this.#mayFollowText(block, i),
    );
    this.#tightItems.set(item, isTight);
    return isTight;
  }

  #mayFollowText(block: Block, index: number): boolean {
    if (index > 1 || kindOfList(block) === undefined) return false;
    const items = nodesOf(block);
    const [first] = items;
    const start = block.type === "list-ordered" ? block.data?.start : undefined;
    const mayFollow = start === undefined && first !== undefined && nodesOf(first).length > 0;
    return mayFollow && items.every((item) => this.#isTight(item));
  }

  /** Blocks without a blank line between them. */
  *#tight(blocks: readonly Block[]): Steps<string> {
    const written: string[] = [];
    for (const block of blocks) written.push(yield* this.#block(block, markerFor(block, []), false, false));
    return written.join("\n");
  }

  *#expandable({ fragments = [] }: BlockOf<"expandable">): Steps<string> {
    const title = fragments.find(({ type }) => type === "expandable-title")?.nodes[0]?.nodes ?? [];
    const body = fragments.find(({ type }) => type === "expandable-body")?.nodes ?? [];
    const summary = `<summary>${htmlOf(title as Phrasing[])}</summary>`;
    const parts = ["<details>", summary, yield* this.writeInSteps(body), "</details>"];
    return parts.filter((part) => part !== "").join("\n\n");
  }

  /** Blocks that are written as tags. */
  *#tagged(block: Block): Steps<string> {
    const inside = () => this.writeInSteps(nodesOf(block));
    switch (block.type) {
      case "hint":
        return pair("hint", { style: block.data?.style, icon: block.data?.icon }, yield* inside());
      case "if":
        return `{% if ${oneLine(block.data?.expression ?? "")} %}\n${line(yield* inside())}{% endif %}`;
      case "tabs":
        return pair("tabs", wide(block.data), yield* inside());
      case "tabs-item":
        return pair("tab", { title: block.data?.title }, yield* inside());
      case "stepper":
        return pair("stepper", {}, yield* inside());
      case "stepper-step":
        return pair("step", {}, yield* inside());
      case "columns":
        return pair("columns", wide(block.data), yield* inside());
      case "column":
        return pair("column", { width: widthOf(block), valign: block.data?.verticalAlignment }, yield* inside());
      case "updates":
        return pair("updates", { format: block.data?.format }, yield* inside());
      case "update":
        return pair("update", { date: block.data?.date, tags: block.data?.tags?.join(",") }, yield* inside());
      default:
        return yield* this.#leaf(block);
    }
  }

  *#leaf(block: Block): Steps<string> {
    switch (block.type) {
      case "file":
        return yield* this.#captioned("file", { src: urlOf(block.data!.ref) }, block.fragments);
      case "embed":
        return yield* this.#captioned("embed", { url: block.data!.url, ...wide(block.data) }, block.fragments);
      case "content-ref": {
        const url = urlOf(block.data!.ref);
        return pair("content-ref", { url }, yield* this.#phrasing([link(url)], "paragraph"));
      }
      case "reusable-content":
        return `{% include ${quoteArgument(urlOf(block.data!.ref))} %}`;
      case "integration":
        return this.#integration(block);
      case "swagger":
        return pair("openapi", { src: urlOf(block.data!.ref), path: block.data!.path, method: block.data!.method }, "");
      case "openapi-operation":
        return pair(
          block.type,
          { spec: urlOf(block.data!.ref), path: block.data!.path, method: block.data!.method },
          "",
        );
      case "openapi-webhook":
        return pair(
          block.type,
          { spec: urlOf(block.data!.ref), name: block.data!.name, method: block.data!.method },
          "",
        );
      case "openapi-schemas": {
        const { ref, schemas, grouped } = block.data!;
        return pair(block.type, { spec: urlOf(ref), schemas: schemas.join(","), grouped: grouped?.toString() }, "");
      }
      default:
        return "";
    }
  }

  #integration(block: BlockOf<"integration">): string {
    const fence = fenceOf(this.fences, block);
    if (fence) return writeCode(fence);
    const { integration, block: name, props, url } = block.data!;
    return tag(`@${integration}/${name}`, { ...props, url });
  }

  *#captioned(name: string, attributes: Attributes, fragments: readonly Fragment[] = []): Steps<string> {
    const words = (fragments[0]?.nodes[0]?.nodes ?? []) as Phrasing[];
    return isEmpty(words) ? tag(name, attributes) : pair(name, attributes, yield* this.#phrasing(words, "paragraph"));
  }
}

function link(url: string): Inline {
  return { object: "inline", type: "link", isVoid: false, data: { ref: { kind: "url", url } }, nodes: [textNode(url)] };
}

function aligned(data: { align?: Align } | undefined): string {
  return data?.align ? ` align="${ALIGNMENTS[data.align]}"` : "";
}

function widthOf({ data }: BlockOf<"column">): string | undefined {
  return data?.width === undefined ? data?.size : `${data.width}%`;
}

function nodesOf({ nodes = [] }: Block): Block[] {
  return nodes as Block[];
}

/** Whether a block is a list of bullets or an ordered one. */
export function kindOfList({ type }: Block): string | undefined {
  return type === "list-ordered"
    ? "ordered"
    : type === "list-unordered" || type === "list-tasks"
      ? "bullets"
      : undefined;
}

/** The marker of a list: another one than its neighbours have, because two lists with one marker would be one list. */
export function markerFor(block: Block, taken: readonly (string | undefined)[]): string | undefined {
  const kind = kindOfList(block);
  const markers = kind === "ordered" ? [".", ")"] : ["*", "+", "-"];
  return kind && (markers.find((marker) => !taken.includes(marker)) ?? markers[0]);
}

function quoted(text: string): string {
  return text
    .split("\n")
    .map((part) => (part === "" ? ">" : `> ${part}`))
    .join("\n");
}

/** Characters that are indented in one step. */
const INDENTED_AT_ONCE = 64 * 1024;

/** Indents every line but the first, step by step. */
function* indent(text: string, space: string): Steps<string> {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    const line = text.length - from > INDENTED_AT_ONCE ? text.indexOf("\n", from + INDENTED_AT_ONCE) : -1;
    const to = line === -1 ? text.length : line;
    pieces.push(text.slice(from, to).replace(/\n(?=[^\n])/g, `\n${space}`));
    from = to;
    yield;
  }
  return pieces.join("");
}
