// Writes blocks as Markdown. A block is a text without a line ending at its end; blocks are separated by blank lines.

import type { Steps } from "../../../utils/concurrency/steps";
import type { Block, BlockOf, Fragment, Inline, Phrasing } from "../../document";
import { formatHtmlAttributes, quoteValue } from "../escape";
import { type FencedBlocks, toFencedCode } from "../fences";
import { buildHref } from "../hrefs";
import { createTextNode, isEmpty } from "../reader/leaves";
import { writeChecked } from "./checked";
import { writeCode } from "./code";
import { writeFigures } from "./figures";
import { writeAlign, writeInlineHtml } from "./html";
import { writeTable } from "./tables";
import { writeTag, writeTagPair } from "./tags";
import { writeUnknown } from "./unknown";

/** No links or images that must be written as tags. */
export const NO_TAGS: ReadonlySet<string> = new Set();

/** Writes the blocks of one text, and collects their notes. */
export class BlockWriter {
  readonly #notes: { label: string; fragment: Fragment | undefined }[] = [];
  #label = 0;

  /** `taken` are the labels of notes that the text already contains. */
  constructor(
    readonly taken: ReadonlySet<string>,
    readonly fences: FencedBlocks,
  ) {}

  /** Writes a sequence of blocks, step by step. With `mayRunOn` the last one may stay open, because nothing follows. */
  *writeInSteps(blocks: readonly Block[], mayRunOn = false): Steps<string> {
    const written: string[] = [];
    let marker: string | undefined;
    for (const [i, block] of blocks.entries()) {
      const isNext = i > 0 && getListKind(blocks[i - 1]!) === getListKind(block);
      marker = chooseListMarker(block, isNext && marker !== undefined ? [marker] : []);
      written.push(yield* this.writeBlockInSteps(block, marker, mayRunOn && i === blocks.length - 1));
      yield;
    }
    return written.join("\n\n");
  }

  *writeNotesInSteps(): Steps<string[]> {
    const written: string[] = [];
    for (let note = this.#notes.shift(); note; note = this.#notes.shift()) {
      const body = yield* this.writeInSteps(note.fragment?.nodes ?? [], true);
      written.push(body === "" ? `[^${note.label}]:` : `[^${note.label}]: ${indent(body, "    ")}`);
    }
    return written;
  }

  /** URLs of links and images that are written as tags, as in the text that is changed. */
  tagged = NO_TAGS;

  /** Labels of the notes that are written next, in their order. The text already contains a note with such a label. */
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

  /** Writes phrasing. Checking it again does not collect its notes twice. */
  #writePhrasing(nodes: readonly Phrasing[], where: "paragraph" | "heading" | "cell"): Steps<string> {
    const labels = new Map<Inline, string>();
    const takeNote = (inline: Inline) => {
      const label = labels.get(inline) ?? this.#takeNote(inline);
      labels.set(inline, label);
      return label;
    };
    return writeChecked(nodes, where, takeNote, this.tagged);
  }

  /**
   * Writes a block; a list gets a marker. With `mayRunOn` nothing follows that the block could absorb, and with `asHtml` a
   * block that has two forms is written as HTML.
   */
  *writeBlockInSteps(
    block: Block,
    marker = chooseListMarker(block, []),
    mayRunOn = false,
    asHtml = false,
  ): Steps<string> {
    switch (block.type) {
      case "paragraph": {
        const { data, nodes = [] } = block;
        if (!data?.align && !asHtml) return yield* this.#writePhrasing(nodes as Phrasing[], "paragraph");
        return `<p${writeAlign(data)}>${writeInlineHtml(nodes as Phrasing[])}</p>`;
      }
      case "heading-1":
      case "heading-2":
      case "heading-3":
        return yield* this.#writeHeading(block, asHtml);
      case "list-ordered":
      case "list-unordered":
      case "list-tasks":
        return yield* this.#writeList(block, marker ?? "*");
      case "divider":
        return "---";
      case "blockquote":
        return (yield* this.writeInSteps((block.nodes ?? []) as Block[], true))
          .split("\n")
          .map((part) => (part === "" ? ">" : `> ${part}`))
          .join("\n");
      case "images":
      case "drawing":
        return writeFigures(block, asHtml);
      case "math": {
        const lines = (block.data?.formula ?? "").replace(/\r\n?/g, "\n");
        const fences = Array.from(lines.matchAll(/^[ \t]*(\$+)[ \t]*$/gm), ([, dollars]) => dollars!.length);
        const fence = "$".repeat(Math.max(1, ...fences) + 1);
        return `${fence}\n${lines}\n${fence}`;
      }
      case "code":
        return writeCode(block);
      case "expandable": {
        const { fragments = [] } = block;
        const title = fragments.find(({ type }) => type === "expandable-title")?.nodes[0]?.nodes ?? [];
        const body = fragments.find(({ type }) => type === "expandable-body")?.nodes ?? [];
        const summary = `<summary>${writeInlineHtml(title as Phrasing[])}</summary>`;
        const parts = ["<details>", summary, yield* this.writeInSteps(body), "</details>"];
        return parts.filter((part) => part !== "").join("\n\n");
      }
      case "table":
        return yield* writeTable(block, (nodes) => this.#writePhrasing(nodes, "cell"), asHtml);
      case "unknown":
        return yield* writeUnknown(block, (nodes) => this.writeInSteps(nodes), mayRunOn);
      case "content-ref": {
        const url = buildHref(block.data!.ref);
        const data = { ref: { kind: "url" as const, url } };
        const link: Inline = { object: "inline", type: "link", isVoid: false, data, nodes: [createTextNode(url)] };
        return writeTagPair("content-ref", { url }, yield* this.#writePhrasing([link], "paragraph"));
      }
      case "file":
      case "embed": {
        const caption = (block.fragments?.[0]?.nodes[0]?.nodes ?? []) as Phrasing[];
        const content = isEmpty(caption) ? undefined : yield* this.#writePhrasing(caption, "paragraph");
        const url = block.type === "file" ? buildHref(block.data!.ref) : block.data!.url;
        const attributes =
          block.type === "file" ? { src: url } : { url, fullWidth: block.data!.fullWidth ? "true" : undefined };
        if (content === undefined) return writeTag(block.type, attributes);
        return writeTagPair(block.type, attributes, content);
      }
      default:
        return this.#writeTagged(block, yield* this.writeInSteps((block.nodes ?? []) as Block[]));
    }
  }

  *#writeHeading(
    { type, data, nodes = [] }: BlockOf<"heading-1" | "heading-2" | "heading-3">,
    asHtml: boolean,
  ): Steps<string> {
    const level = Number(type.slice(-1)) + 1;
    const anchor =
      data?.id === undefined ? "" : `<a ${formatHtmlAttributes({ href: `#${data.id}`, id: data.id })}></a>`;
    // The first anchor in a heading is that of the heading.
    const isFirst = nodes.some((node) => node.object === "inline" && node.type === "anchor");
    const addAnchor = (text: string) => (isFirst ? [anchor, text] : [text, anchor]);
    if (data?.align || asHtml)
      return `<h${level}${writeAlign(data)}>${addAnchor(writeInlineHtml(nodes as Phrasing[])).join("")}</h${level}>`;
    return ["#".repeat(level), ...addAnchor(yield* this.#writePhrasing(nodes as Phrasing[], "heading"))]
      .filter((part) => part !== "")
      .join(" ");
  }

  *#writeList(list: Block, marker: string): Steps<string> {
    const items = (list.nodes ?? []) as BlockOf<"list-item">[];
    const isTight = items.every((item) => this.#isTight(item));
    const start = list.type === "list-ordered" ? list.data?.start : undefined;
    const first = start !== undefined && Number.isInteger(start) && start >= 0 && start < 1e8 ? start : 1;
    const written: string[] = [];
    for (const [i, item] of items.entries()) {
      const itemMarker = list.type === "list-ordered" ? first + i + marker : marker;
      written.push(yield* this.writeListItem(item, itemMarker, isTight));
      yield;
    }
    return written.join(isTight ? "\n" : "\n\n");
  }

  /** Writes a list item, tight if possible. */
  *writeListItem(item: BlockOf<"list-item">, marker: string, isTight = this.#isTight(item)): Steps<string> {
    const checked = item.data?.checked;
    let text = checked === undefined ? "" : checked ? "[x] " : "[ ] ";
    const blocks = (item.nodes ?? []) as Block[];
    if (!isTight) text += yield* this.writeInSteps(blocks, true);
    else
      for (const [i, block] of blocks.entries()) text += (i > 0 ? "\n" : "") + (yield* this.writeBlockInSteps(block));
    const content = indent(text, " ".repeat(marker.length + 1));
    return content === "" ? marker : `${marker} ${content}`;
  }

  readonly #tightItems = new WeakMap<Block, boolean>();

  /** Returns true for a tight item: a paragraph, and lists that can follow it without a blank line. */
  #isTight(item: Block): boolean {
    const known = this.#tightItems.get(item);
    if (known !== undefined) return known;
    const isTight = ((item.nodes ?? []) as Block[]).every((block, i) =>
      i === 0 ? block.type === "paragraph" : this.#canFollowText(block, i),
    );
    this.#tightItems.set(item, isTight);
    return isTight;
  }

  #canFollowText(block: Block, index: number): boolean {
    if (index > 1 || getListKind(block) === undefined) return false;
    const items = (block.nodes ?? []) as Block[];
    const [first] = items;
    const start = block.type === "list-ordered" ? block.data?.start : undefined;
    const mayFollow = start === undefined && (first?.nodes?.length ?? 0) > 0;
    return mayFollow && items.every((item) => this.#isTight(item));
  }

  /** Writes a block as a tag around its content. */
  #writeTagged(block: Block, inside: string): string {
    switch (block.type) {
      case "hint":
        return writeTagPair("hint", { style: block.data?.style, icon: block.data?.icon }, inside);
      case "if": {
        const expression = (block.data?.expression ?? "").replace(/[\r\n]+/g, " ").trim();
        return `{% if ${expression} %}\n${inside && `${inside}\n`}{% endif %}`;
      }
      case "tabs":
        return writeTagPair("tabs", { fullWidth: block.data?.fullWidth ? "true" : undefined }, inside);
      case "tabs-item":
        return writeTagPair("tab", { title: block.data?.title }, inside);
      case "stepper":
        return writeTagPair("stepper", {}, inside);
      case "stepper-step":
        return writeTagPair("step", {}, inside);
      case "columns":
        return writeTagPair("columns", { fullWidth: block.data?.fullWidth ? "true" : undefined }, inside);
      case "column": {
        const { width, size, verticalAlignment: valign } = block.data ?? {};
        return writeTagPair("column", { width: width === undefined ? size : `${width}%`, valign }, inside);
      }
      case "updates":
        return writeTagPair("updates", { format: block.data?.format }, inside);
      case "update":
        return writeTagPair("update", { date: block.data?.date, tags: block.data?.tags?.join(",") }, inside);
      case "reusable-content":
        return `{% include ${quoteValue(buildHref(block.data!.ref).replace(/[\r\n]+/g, " "))} %}`;
      case "integration": {
        const fence = toFencedCode(this.fences, block);
        if (fence) return writeCode(fence);
        const { integration, block: name, props, url } = block.data!;
        return writeTag(`@${integration}/${name}`, { ...props, url });
      }
      case "swagger":
        return writeTagPair(
          "openapi",
          { src: buildHref(block.data!.ref), path: block.data!.path, method: block.data!.method },
          "",
        );
      case "openapi-operation":
        return writeTagPair(
          block.type,
          { spec: buildHref(block.data!.ref), path: block.data!.path, method: block.data!.method },
          "",
        );
      case "openapi-webhook":
        return writeTagPair(
          block.type,
          { spec: buildHref(block.data!.ref), name: block.data!.name, method: block.data!.method },
          "",
        );
      case "openapi-schemas": {
        const { ref, schemas, grouped } = block.data!;
        return writeTagPair(
          block.type,
          { spec: buildHref(ref), schemas: schemas.join(","), grouped: grouped?.toString() },
          "",
        );
      }
      default:
        return "";
    }
  }
}

/** Returns the kind of a list; undefined for any other block. */
export function getListKind({ type }: Block): string | undefined {
  return type === "list-ordered"
    ? "ordered"
    : type === "list-unordered" || type === "list-tasks"
      ? "bullets"
      : undefined;
}

/** Returns the marker of a list, which differs from those of its neighbors: two lists with one marker would be one list. */
export function chooseListMarker(block: Block, taken: readonly (string | undefined)[]): string | undefined {
  const kind = getListKind(block);
  const markers = kind === "ordered" ? [".", ")"] : ["*", "+", "-"];
  return kind && (markers.find((marker) => !taken.includes(marker)) ?? markers[0]);
}

/** Indents every line but the first. */
function indent(text: string, space: string): string {
  return text.replace(/\n(?=[^\n])/g, `\n${space}`);
}
