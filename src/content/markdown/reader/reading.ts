// What is known while a text is read, and what is collected on the way.

import type { Steps } from "../../../utils/concurrency/steps";
import type { Block, ContentRef } from "../../document";
import { isSafeUrl } from "../../document/safe-url";
import { type FencedBlocks, NO_FENCES } from "../fences";
import type { FootnoteDefinition, FootnoteReference, Node, Span } from "../nodes";

/** What an address is used for. */
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

/** An address in a text. */
export interface LinkUse extends Span {
  href: string;
  as: LinkPurpose;
  /** What is shown for it. */
  text: string;
  /** The key of the block at the top that holds it. */
  block: string;
}

/** Finds out what an address leads to. */
export type Resolve = (href: string, as: LinkPurpose) => ContentRef;

/** A heading of a text. */
export interface HeadingUse {
  level: 1 | 2 | 3;
  text: string;
  anchor: string;
  key: string;
  /** Where its words end in the source; undefined if it has none. */
  end: number | undefined;
}

/** How much of the source may be read again: notes and addresses that are referred to more than once. */
const MAX_REPEATED = 100_000;

/** How much is read in one step, counted in nodes. */
const STEP = 500;

/** One reading of a text. */
export class Reading {
  readonly links: LinkUse[] = [];
  /** Anchors that stand in the text, beside those of headings. */
  readonly anchors: string[] = [];
  /** By identifier. */
  readonly footnotes = new Map<string, FootnoteDefinition>();
  /** Notes that somebody refers to from outside of notes. */
  readonly referred = new Set<FootnoteDefinition>();
  /** Notes that notes which are shown refer to: in a note, such a reference is text. */
  readonly inNotes = new Set<FootnoteDefinition>();
  readonly #read = new Set<FootnoteDefinition>();
  /** Whether a note is being read: notes in notes are text. */
  isInNote = false;
  #repeated = 0;
  #addresses = 0;
  #sinceStep = 0;

  constructor(
    readonly text: string,
    readonly resolve: Resolve,
    readonly fences: FencedBlocks = NO_FENCES,
    /** What each block was read from, for those who ask. */
    readonly origins?: Map<Block, Node>,
  ) {}

  /** Counts what was read, and says whether a step ends here: so much was read since the last one. */
  isStep(nodes = 1): boolean {
    this.#sinceStep += nodes;
    if (this.#sinceStep < STEP) return false;
    this.#sinceStep = 0;
    return true;
  }

  /** What an address leads to; undefined if it is one that a browser would run. */
  refTo(href: string, as: LinkPurpose, text: string, { start, end }: Span): ContentRef | undefined {
    const use = as === "image" ? "image" : "link";
    if (!this.mayRepeat(href) || !isSafeUrl(href, use)) return undefined;
    const ref = this.resolve(href, as);
    if (ref.kind === "url" && !isSafeUrl(ref.url, use)) return undefined;
    this.links.push({ href, as, text, block: "", start, end });
    return ref;
  }

  /** Whether there is room for a repeated address or title. Everything that the text itself spells out fits. */
  mayRepeat(said: string): boolean {
    this.#addresses += said.length;
    return this.#addresses <= this.text.length + MAX_REPEATED;
  }

  /** Tries to read something. If it fails, the links and anchors found in it are dropped too. */
  *attempt<Result>(read: Steps<Result | undefined>): Steps<Result | undefined> {
    const [links, anchors] = [this.links.length, this.anchors.length];
    const result = yield* read;
    if (result === undefined) {
      this.links.length = links;
      this.anchors.length = anchors;
    }
    return result;
  }

  /** Whether a note stands among the blocks, because only other notes refer to it. One that nobody refers to is not shown. */
  isShownApart(note: FootnoteDefinition): boolean {
    return this.inNotes.has(note) && !this.referred.has(note);
  }

  /** The note that a reference leads to. It may be read several times, but a short text must not become a huge
   * document. */
  noteFor({ identifier }: FootnoteReference): FootnoteDefinition | undefined {
    const note = this.isInNote ? undefined : this.footnotes.get(identifier);
    if (!note || !this.#read.has(note)) {
      if (note) this.#read.add(note);
      return note;
    }
    this.#repeated += note.end - note.start;
    return this.#repeated <= MAX_REPEATED ? note : undefined;
  }
}

/** Addresses stay as they are. The name of an OpenAPI specification refers to that specification. */
export const asWritten: Resolve = (href, as) =>
  (as === "openapi" ? specIn(href) : undefined) ?? { kind: "url", url: href };

/** The specification that an operation names by its slug or its id, alone or as `/openapi/<name>`. */
export function specIn(href: string): Extract<ContentRef, { kind: "openapi" }> | undefined {
  const spec = /^(?:\/openapi\/)?([\w-]{1,100})$/.exec(href)?.[1];
  return spec === undefined ? undefined : { kind: "openapi", spec };
}
