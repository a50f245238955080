// Notes of blocks that change: a note that stays keeps its label and its place, and is edited there.

import type { Steps } from "../../../utils/concurrency/steps";
import type { Block, Fragment, Inline, Phrasing } from "../../document";
import type * as md from "../nodes";
import { type Original, visit } from "./original";
import { pairing } from "./pairing";

/** Edits a note so that it holds other blocks; false if that cannot be done in its place. */
export type ReviseNote = (
  note: md.FootnoteDefinition,
  raws: readonly Block[],
  wanted: readonly Block[],
) => Steps<boolean>;

/** Labels of the notes in a block, in their order, as it was and as it is wanted. */
interface Labels {
  readonly before: string[];
  /** undefined for a note that is new. */
  readonly after: (string | undefined)[];
}

/** The notes of a text. */
export class Notes {
  /** How often a note is referred to. */
  #references: Map<string, number> | undefined;

  constructor(
    readonly original: Original,
    readonly revise: ReviseNote,
  ) {}

  *labels(raw: Block, node: md.Node, wanted: Block): Steps<Labels> {
    const [old, now] = [annotationsIn(raw), annotationsIn(wanted)];
    if (old.length === 0 && now.length === 0) return { before: [], after: [] };
    const references = referencesIn(node);
    // References that could not be read as notes are text.
    if (references.length !== old.length) return { before: old.map(String), after: now.map(() => undefined) };
    const said = (annotation: Inline) => ({ type: "paragraph" as const, signature: this.#noteIn(annotation) });
    const pairs = yield* pairing(
      old.map((annotation) => ({ type: "paragraph", signature: this.#noteIn(annotation, true) })),
      now.map(said),
    );
    const after: (string | undefined)[] = [];
    for (const [i, pair] of pairs.entries()) {
      const reference = pair === undefined ? undefined : references[pair]!;
      const isNow = reference && (yield* this.#isNow(reference, old[pair!]!, now[i]!));
      after.push(isNow ? reference.label : undefined);
    }
    return { before: references.map(({ label }) => label), after };
  }

  /** What a block says, its notes left out. */
  textOf(block: Block): string {
    return JSON.stringify(block, (_, value) => (value?.type === "annotation" ? { ...value, fragments: [] } : value));
  }

  /** What the note of an annotation says. */
  #noteIn({ fragments }: Inline, isRaw = false): string {
    const nodes = fragments?.[0]?.nodes ?? [];
    return JSON.stringify(isRaw ? nodes.map((block) => this.original.said(block)) : nodes);
  }

  /** Whether the note of a reference says what is wanted, or could be made to. */
  *#isNow({ identifier }: md.FootnoteReference, old: Inline, wanted: Inline): Steps<boolean> {
    if (this.#noteIn(old, true) === this.#noteIn(wanted)) return true;
    const note = this.original.page.reading.footnotes.get(identifier);
    this.#references ??= countOf(this.original.page.root);
    if (!note || this.#references.get(identifier) !== 1) return false;
    return yield* this.revise(note, nodesIn(old.fragments), nodesIn(wanted.fragments));
  }
}

function nodesIn(fragments: readonly Fragment[] | undefined): readonly Block[] {
  return fragments?.[0]?.nodes ?? [];
}

function countOf(root: md.Root): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { identifier } of referencesIn(root)) counts.set(identifier, (counts.get(identifier) ?? 0) + 1);
  return counts;
}

function referencesIn(node: md.Node): md.FootnoteReference[] {
  const references: md.FootnoteReference[] = [];
  visit(node, (part) => part.type === "footnoteReference" && references.push(part));
  return references;
}

/** The annotations in a block, in the order in which they are written. */
function annotationsIn(node: Block | Phrasing | Fragment): Inline[] {
  if (node.object === "inline" && node.type === "annotation") return [node];
  const inside = "nodes" in node ? ((node.nodes ?? []) as (Block | Phrasing)[]) : [];
  const fragments = "fragments" in node ? (node.fragments ?? []) : [];
  return [...inside, ...fragments].flatMap(annotationsIn);
}
