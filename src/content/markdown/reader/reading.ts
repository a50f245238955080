// The state of reading one text: its footnotes, and the links and anchors that are collected.

import type { Steps } from "../../../utils/concurrency/steps";
import type { Block, ContentRef } from "../../document";
import { isSafeUrl } from "../../document/safe-url";
import { type FencedBlocks, NO_FENCES } from "../fences";
import type { FootnoteDefinitionNode, FootnoteReferenceNode, SourceNode, SourceSpan } from "../nodes";

export type LinkPurpose =
  | "link"
  | "image"
  | "file"
  | "content-ref"
  | "include"
  | "embed"
  | "button"
  | "mention"
  | "openapi";

/** A URL in a text. */
export interface LinkUse extends SourceSpan {
  href: string;
  as: LinkPurpose;
  text: string;
  /** The key of the top-level block that contains it. */
  block: string;
}

/** Resolves a URL to the content that it leads to. */
export type HrefResolver = (href: string, as: LinkPurpose) => ContentRef;

export interface HeadingUse {
  level: 1 | 2 | 3;
  text: string;
  anchor: string;
  key: string;
  /** The end of its content in the source; undefined if it is empty. */
  end: number | undefined;
}

/** The maximum number of characters that are read repeatedly: notes and URLs with several references. */
const MAX_REPEATED = 100_000;

const STEP = 500;

/** The state of reading one text. */
export class Reading {
  readonly links: LinkUse[] = [];
  /** The explicit anchors in the text, besides those of headings. */
  readonly anchors: string[] = [];
  /** By identifier. */
  readonly footnotes = new Map<string, FootnoteDefinitionNode>();
  /** Footnotes that are referred to outside of footnotes. */
  readonly referred = new Set<FootnoteDefinitionNode>();
  /** Footnotes that shown footnotes refer to: in a note, such a reference is text. */
  readonly inNotes = new Set<FootnoteDefinitionNode>();
  readonly #read = new Set<FootnoteDefinitionNode>();
  /** True while a note is read: notes in notes are text. */
  isInNote = false;
  #repeated = 0;
  #addresses = 0;
  #sinceStep = 0;

  constructor(
    readonly text: string,
    readonly resolve: HrefResolver,
    readonly fences: FencedBlocks = NO_FENCES,
    readonly origins?: Map<Block, SourceNode>,
  ) {}

  /** Counts the nodes that are read, and returns true at the end of a step. */
  isStep(nodes = 1): boolean {
    this.#sinceStep += nodes;
    if (this.#sinceStep < STEP) return false;
    this.#sinceStep = 0;
    return true;
  }

  /** Resolves a URL, and records the link; undefined for a URL that is not safe. */
  addLink(href: string, as: LinkPurpose, text: string, { start, end }: SourceSpan): ContentRef | undefined {
    const use = as === "image" ? "image" : "link";
    if (!this.canRepeat(href) || !isSafeUrl(href, use)) return undefined;
    const ref = this.resolve(href, as);
    if (ref.kind === "url" && !isSafeUrl(ref.url, use)) return undefined;
    this.links.push({ href, as, text, block: "", start, end });
    return ref;
  }

  /** Returns false if too many URLs or titles are repeated. Everything that the text itself contains is allowed. */
  canRepeat(value: string): boolean {
    this.#addresses += value.length;
    return this.#addresses <= this.text.length + MAX_REPEATED;
  }

  /** Tries to read something. If it fails, the links and anchors found in it are dropped too. */
  *attempt<Result>(
    read: Steps<Result | undefined>,
    isComplete: (result: Result | undefined) => boolean = (result) => result !== undefined,
  ): Steps<Result | undefined> {
    const [links, anchors] = [this.links.length, this.anchors.length];
    const result = yield* read;
    if (isComplete(result)) return result;
    this.links.length = links;
    this.anchors.length = anchors;
    return undefined;
  }

  /** Returns true for a footnote that is shown as a block, because only other footnotes refer to it. */
  isShownAsBlock(note: FootnoteDefinitionNode): boolean {
    return this.inNotes.has(note) && !this.referred.has(note);
  }

  /** Returns the footnote of a reference, within a limit, so that a short text does not become a huge document. */
  findFootnote({ identifier }: FootnoteReferenceNode): FootnoteDefinitionNode | undefined {
    const note = this.isInNote ? undefined : this.footnotes.get(identifier);
    if (!note || !this.#read.has(note)) {
      if (note) this.#read.add(note);
      return note;
    }
    this.#repeated += note.end - note.start;
    return this.#repeated <= MAX_REPEATED ? note : undefined;
  }
}
