// Converts the inlines of a paragraph, a heading or a cell to pieces. Put together again without a change they are the source, except for
// line endings inside of sentences.

import type { ImageNode, InlineHtmlNode, InlineNode, LinkNode } from "../markdown/nodes";
import { findDirectives, hasDirectives } from "../mdbook/directives";
import {
  type AtomPiece,
  createAtom,
  type GroupPiece,
  MAX_PIECE_DEPTH,
  measureDepth,
  type Piece,
  splitVariables,
} from "./pieces";

export const NON_LANGUAGE_ELEMENTS = new Set("code kbd pre samp script style svg math textarea var".split(" "));

const TAG = /^<(\/?)([A-Za-z][A-Za-z0-9-]*)/;

export function createPieces(source: string, nodes: readonly InlineNode[]): Piece[] {
  const builder = new PieceBuilder(source);
  let before: InlineNode | undefined;
  for (const node of replaceDirectives(source, nodes)) {
    // After a line ending that becomes a space, the indentation of the new line is dropped.
    const isJoined = before?.type === "text" && /[\r\n]$/.test(before.value);
    if (before && node.start > before.end && !isJoined) builder.addGap(source.slice(before.end, node.start));
    builder.add(node);
    before = node;
  }
  return builder.pieces;
}

/** Returns inlines with directives of mdBook as code, as `{{#include _parts_/a.md}}` may contain marks. */
function replaceDirectives(source: string, nodes: readonly InlineNode[]): readonly InlineNode[] {
  const [from, to] = [nodes[0]?.start ?? 0, nodes.at(-1)?.end ?? 0];
  const sentence = source.slice(from, to);
  if (!hasDirectives(sentence)) return nodes;

  const createText = (start: number, end: number): InlineNode => {
    return { type: "text", value: source.slice(start, end), start, end };
  };
  const isPlainText = (node: InlineNode) => node.type === "text" && node.value === source.slice(node.start, node.end);
  const remaining = nodes.toReversed();
  const replaced: InlineNode[] = [];
  for (const directive of findDirectives(sentence)) {
    const [start, end] = [from + directive.start, from + directive.end];
    while (remaining.length > 0 && remaining.at(-1)!.end <= start) replaced.push(remaining.pop()!);
    const inside: InlineNode[] = [];
    while (remaining.length > 0 && remaining.at(-1)!.start < end) inside.push(remaining.pop()!);
    const [first, last] = [inside[0], inside.at(-1)];
    if (!first || !last || first === last || !isPlainText(first) || !isPlainText(last)) {
      // The last one may contain the next directive as well.
      if (last) remaining.push(last);
      replaced.push(...inside.slice(0, -1));
      continue;
    }
    if (first.start < start) replaced.push(createText(first.start, start));
    replaced.push({ type: "inlineCode", value: source.slice(start, end), start, end });
    if (end < last.end) remaining.push(createText(end, last.end));
  }
  return [...replaced, ...remaining.reverse()];
}

interface OpenElement {
  /** The index of the piece of its opening tag. */
  readonly index: number;
  readonly piece: AtomPiece;
  readonly start: number;
}

class PieceBuilder {
  readonly pieces: Piece[] = [];
  readonly #openElements = new Map<string, OpenElement[]>();
  /** Very deep elements are not split, because measuring them again and again would take too long. */
  #isTooDeep = false;

  constructor(private readonly source: string) {}

  /** Adds text that belongs to no inline, such as the mark of a quote after a line ending, to the piece before it. */
  addGap(text: string): void {
    const last = this.pieces.at(-1);
    if (last?.kind === "atom") this.pieces[this.pieces.length - 1] = { ...last, source: last.source + text };
    else if (last?.kind === "group") this.pieces[this.pieces.length - 1] = { ...last, close: last.close + text };
    else this.pieces.push(createAtom(text));
  }

  add(node: InlineNode): void {
    const source = this.source.slice(node.start, node.end);
    switch (node.type) {
      case "text":
        this.pieces.push(...splitVariables(node.value, source));
        return;
      case "emphasis":
      case "strong":
      case "delete":
        this.pieces.push(this.#createGroup(node, "emphasis"));
        return;
      case "link":
        this.pieces.push(source.startsWith("[") ? this.#createLink(node) : createAtom(source, !source.startsWith("<")));
        return;
      case "image":
        this.pieces.push(this.#createImage(node, source));
        return;
      case "html":
        this.#addTag(node);
        return;
      default:
        this.pieces.push(createAtom(source));
    }
  }

  #createGroup(node: Extract<InlineNode, { children: InlineNode[] }>, type: GroupPiece["type"]): Piece {
    const [first, last] = [node.children[0], node.children.at(-1)];
    if (!first || !last) return createAtom(this.source.slice(node.start, node.end));
    return {
      kind: "group",
      type,
      open: this.source.slice(node.start, first.start),
      close: this.source.slice(last.end, node.end),
      pieces: createPieces(this.source, node.children),
    };
  }

  /** Creates a link. If its words are the label of its definition, the label is written out, because the words will change. */
  #createLink(node: LinkNode): Piece {
    const piece = this.#createGroup(node, "link");
    if (piece.kind !== "group" || !node.definition || !/^\](?:\[\])?$/.test(piece.close)) return piece;
    const label = this.source.slice(node.children[0]!.start, node.children.at(-1)!.end);
    return { ...piece, close: `][${label}]` };
  }

  /** Creates an image, whose alternative text is words if it needs no escaping. */
  #createImage({ alt, start, end }: ImageNode, source: string): Piece {
    if (alt.trim() === "" || !/^[^[\]\\&<>`*_$:{}]*$/.test(alt) || !source.startsWith(`![${alt}](`))
      return createAtom(source);
    const close = this.source.slice(start + 2 + alt.length, end);
    return { kind: "group", type: "link", open: "![", close, pieces: splitVariables(alt, alt) };
  }

  #addTag(node: InlineHtmlNode): void {
    const [, slash, tagName = ""] = TAG.exec(node.value) ?? [];
    const name = tagName.toLowerCase();
    const openElements = this.#openElements.get(name) ?? [];
    if (slash === "/" && !this.#isTooDeep) {
      // The last element is closed whose opening tag is still a separate piece.
      let opened = openElements.pop();
      while (opened && this.pieces[opened.index] !== opened.piece) opened = openElements.pop();
      if (opened && this.#closeElement(opened, node, name)) return;
    }
    const piece = createAtom(this.source.slice(node.start, node.end));
    if (slash === "" && name !== "" && !node.value.endsWith("/>")) {
      openElements.push({ index: this.pieces.length, piece, start: node.start });
      this.#openElements.set(name, openElements);
    }
    this.pieces.push(piece);
  }

  /** Replaces the pieces of an element by one piece. Returns false if they are nested too deep. */
  #closeElement({ index, piece, start }: OpenElement, node: InlineHtmlNode, name: string): boolean {
    // The content of an icon is its name, for those who do not show icons.
    const isIcon = name === "i" && /\sclass\s*=\s*["']?fa-/.test(piece.source);
    if (NON_LANGUAGE_ELEMENTS.has(name) || isIcon) {
      this.pieces.splice(index, Number.POSITIVE_INFINITY, createAtom(this.source.slice(start, node.end)));
      return true;
    }
    const content = this.pieces.slice(index + 1);
    this.#isTooDeep = measureDepth(content) >= MAX_PIECE_DEPTH;
    if (this.#isTooDeep) return false;
    this.pieces.splice(index, Number.POSITIVE_INFINITY, {
      kind: "group",
      type: "element",
      open: piece.source,
      close: this.source.slice(node.start, node.end),
      pieces: content,
    });
    return true;
  }
}
