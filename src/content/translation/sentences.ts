// From the inlines of a paragraph, a heading or a cell to pieces. Put together again without a change they are the
// source, except for line endings inside of sentences.

import type { Image, Inline, InlineHtml, Link } from "../markdown/nodes";
import { findDirectives, hasDirectives } from "../mdbook/directives";
import { type Atom, atom, depthOf, type Group, MAX_DEPTH, type Piece, wordsAndVariables } from "./pieces";

/** Elements whose content is no language. */
export const UNSPOKEN = new Set("code kbd pre samp script style svg math textarea var".split(" "));

const TAG = /^<(\/?)([A-Za-z][A-Za-z0-9-]*)/;

/** Inlines of a text as pieces. */
export function sentenceOf(source: string, nodes: readonly Inline[]): Piece[] {
  const pieces = new Sequence(source);
  let before: Inline | undefined;
  for (const node of withoutDirectives(source, nodes)) {
    // After a line ending that becomes a space, the indentation of the new line is dropped.
    const isJoined = before?.type === "text" && /[\r\n]$/.test(before.value);
    if (before && node.start > before.end && !isJoined) pieces.addBetween(source.slice(before.end, node.start));
    pieces.add(node);
    before = node;
  }
  return pieces.done();
}

/** Inlines in which the directives of mdBook are no language. One may have marks of Markdown in it, which are none to
 * mdBook: `{{#include _parts_/a.md}}`. */
function withoutDirectives(source: string, nodes: readonly Inline[]): readonly Inline[] {
  const [from, to] = [nodes[0]?.start ?? 0, nodes.at(-1)?.end ?? 0];
  const sentence = source.slice(from, to);
  if (!hasDirectives(sentence)) return nodes;
  const waiting = nodes.toReversed();
  const done: Inline[] = [];
  for (const directive of findDirectives(sentence)) {
    const [start, end] = [from + directive.start, from + directive.end];
    while (waiting.length > 0 && waiting.at(-1)!.end <= start) done.push(waiting.pop()!);
    const inside: Inline[] = [];
    while (waiting.length > 0 && waiting.at(-1)!.start < end) inside.push(waiting.pop()!);
    const [first, last] = [inside[0], inside.at(-1)];
    if (!first || !last || first === last || !isPlain(source, first) || !isPlain(source, last)) {
      // The last one may hold the next directive as well.
      if (last) waiting.push(last);
      done.push(...inside.slice(0, -1));
      continue;
    }
    if (first.start < start) done.push(plainText(source, first.start, start));
    done.push({ type: "inlineCode", value: source.slice(start, end), start, end });
    if (end < last.end) waiting.push(plainText(source, end, last.end));
  }
  return [...done, ...waiting.reverse()];
}

function isPlain(source: string, node: Inline): boolean {
  return node.type === "text" && node.value === source.slice(node.start, node.end);
}

function plainText(source: string, start: number, end: number): Inline {
  return { type: "text", value: source.slice(start, end), start, end };
}

/** An element that was opened, and where. */
interface Opened {
  readonly index: number;
  readonly piece: Atom;
  readonly start: number;
}

class Sequence {
  readonly #pieces: Piece[] = [];
  readonly #opened = new Map<string, Opened[]>();
  /** Very deep elements are not split, because reading them again and again would take too long. */
  #isTooDeep = false;

  constructor(private readonly source: string) {}

  done(): Piece[] {
    return this.#pieces;
  }

  /** Text that belongs to no inline, such as the mark of a quote after a line ending, belongs to the one before. */
  addBetween(text: string): void {
    const last = this.#pieces.at(-1);
    if (last?.kind === "atom") this.#pieces[this.#pieces.length - 1] = { ...last, source: last.source + text };
    else if (last?.kind === "group") this.#pieces[this.#pieces.length - 1] = { ...last, close: last.close + text };
    else this.#pieces.push(atom(text));
  }

  add(node: Inline): void {
    const source = this.source.slice(node.start, node.end);
    switch (node.type) {
      case "text":
        this.#pieces.push(...wordsAndVariables(node.value, source));
        return;
      case "emphasis":
      case "strong":
      case "delete":
        this.#pieces.push(this.#around(node, "emphasis"));
        return;
      case "link":
        this.#pieces.push(source.startsWith("[") ? this.#link(node) : atom(source, !source.startsWith("<")));
        return;
      case "image":
        this.#pieces.push(this.#image(node, source));
        return;
      case "html":
        this.#addTag(node);
        return;
      default:
        this.#pieces.push(atom(source));
    }
  }

  #around(node: Extract<Inline, { children: Inline[] }>, is: Group["is"]): Piece {
    const [first, last] = [node.children[0], node.children.at(-1)];
    if (!first || !last) return atom(this.source.slice(node.start, node.end));
    return {
      kind: "group",
      is,
      open: this.source.slice(node.start, first.start),
      close: this.source.slice(last.end, node.end),
      pieces: sentenceOf(this.source, node.children),
    };
  }

  /** A link whose words are the label of its definition gets that label written out, because its words will change. */
  #link(node: Link): Piece {
    const piece = this.#around(node, "link");
    if (piece.kind !== "group" || !node.definition || !/^\](?:\[\])?$/.test(piece.close)) return piece;
    const label = this.source.slice(node.children[0]!.start, node.children.at(-1)!.end);
    return { ...piece, close: `][${label}]` };
  }

  /** What an image shows is told in words, where they stand as they are. */
  #image({ alt, start, end }: Image, source: string): Piece {
    if (alt.trim() === "" || !/^[^[\]\\&<>`*_$:{}]*$/.test(alt) || !source.startsWith(`![${alt}](`))
      return atom(source);
    const close = this.source.slice(start + 2 + alt.length, end);
    return { kind: "group", is: "link", open: "![", close, pieces: wordsAndVariables(alt, alt) };
  }

  #addTag(node: InlineHtml): void {
    const [, slash, name = ""] = TAG.exec(node.value) ?? [];
    const known = this.#opened.get(name.toLowerCase()) ?? [];
    if (slash === "/" && !this.#isTooDeep) {
      const opened = this.#lastOf(known);
      if (opened && this.#close(opened, node, name.toLowerCase())) return;
    }
    const piece = atom(this.source.slice(node.start, node.end));
    if (slash === "" && name !== "" && !node.value.endsWith("/>")) {
      known.push({ index: this.#pieces.length, piece, start: node.start });
      this.#opened.set(name.toLowerCase(), known);
    }
    this.#pieces.push(piece);
  }

  /** The last one that still stands alone. */
  #lastOf(known: Opened[]): Opened | undefined {
    for (let it = known.pop(); it; it = known.pop()) if (this.#pieces[it.index] === it.piece) return it;
    return undefined;
  }

  #close({ index, piece, start }: Opened, node: InlineHtml, name: string): boolean {
    const inside = this.#pieces.slice(index + 1);
    // What an icon holds is its name, for those who do not show icons.
    if (UNSPOKEN.has(name) || (name === "i" && /\sclass\s*=\s*["']?fa-/.test(piece.source))) {
      this.#pieces.splice(index, Number.POSITIVE_INFINITY, atom(this.source.slice(start, node.end)));
      return true;
    }
    this.#isTooDeep = depthOf(inside) >= MAX_DEPTH;
    if (this.#isTooDeep) return false;
    const close = this.source.slice(node.start, node.end);
    this.#pieces.splice(index, Number.POSITIVE_INFINITY, {
      kind: "group",
      is: "element",
      open: piece.source,
      close,
      pieces: inside,
    });
    return true;
  }
}
