// Handles the notes of changed blocks: a note that stays keeps its label and its place, and is edited there.

import type { Steps } from "../../../utils/concurrency/steps";
import type { Block, Fragment, Inline, Phrasing } from "../../document";
import type * as md from "../nodes";
import { visitNodes } from "../nodes";
import type { Original } from "./original";
import { matchBlocks } from "./pairing";

/** Edits a note so that it has other blocks; false if that is not possible in place. */
export type ReviseNote = (
  note: md.FootnoteDefinitionNode,
  raws: readonly Block[],
  wanted: readonly Block[],
) => Steps<boolean>;

export class Notes {
  #references: Map<string, number> | undefined;

  constructor(
    readonly original: Original,
    readonly revise: ReviseNote,
  ) {}

  /** Finds the labels of a block's notes, and edits the notes that stay. */
  *findLabels(raw: Block, node: md.SourceNode, wanted: Block) {
    const [old, now] = [collectAnnotations(raw), collectAnnotations(wanted)];
    if (old.length === 0 && now.length === 0) return { before: [], after: [] };
    const references: md.FootnoteReferenceNode[] = [];
    visitNodes(node, (part) => part.type === "footnoteReference" && references.push(part));
    // References that could not be read as notes are text.
    if (references.length !== old.length) return { before: old.map(String), after: now.map(() => undefined) };
    const pairs = yield* matchBlocks(
      old.map((annotation) => ({ type: "paragraph", signature: this.#serializeNote(annotation, true) })),
      now.map((annotation) => ({ type: "paragraph", signature: this.#serializeNote(annotation) })),
    );
    const after: (string | undefined)[] = [];
    for (const [i, pair] of pairs.entries()) {
      const reference = pair === undefined ? undefined : references[pair]!;
      const canStay = reference && (yield* this.#reviseNote(reference, old[pair!]!, now[i]!));
      after.push(canStay ? reference.label : undefined);
    }
    return { before: references.map(({ label }) => label), after };
  }

  serializeWithoutNotes(block: Block): string {
    return JSON.stringify(block, (_, value) => (value?.type === "annotation" ? { ...value, fragments: [] } : value));
  }

  #serializeNote({ fragments }: Inline, isRaw = false): string {
    const nodes = fragments?.[0]?.nodes ?? [];
    return JSON.stringify(isRaw ? nodes.map((block) => this.original.normalize(block)) : nodes);
  }

  /** Edits the note of a reference; false if it cannot stay. */
  *#reviseNote({ identifier }: md.FootnoteReferenceNode, old: Inline, wanted: Inline): Steps<boolean> {
    if (this.#serializeNote(old, true) === this.#serializeNote(wanted)) return true;
    const note = this.original.page.reading.footnotes.get(identifier);
    if (!this.#references) {
      const references = new Map<string, number>();
      visitNodes(this.original.page.root, (part) => {
        if (part.type === "footnoteReference")
          references.set(part.identifier, (references.get(part.identifier) ?? 0) + 1);
      });
      this.#references = references;
    }
    if (!note || this.#references.get(identifier) !== 1) return false;
    return yield* this.revise(note, old.fragments?.[0]?.nodes ?? [], wanted.fragments?.[0]?.nodes ?? []);
  }
}

/** Collects the annotations in a block, in the order in which they are written. */
function collectAnnotations(node: Block | Phrasing | Fragment): Inline[] {
  if (node.object === "inline" && node.type === "annotation") return [node];
  const inside = "nodes" in node ? ((node.nodes ?? []) as (Block | Phrasing)[]) : [];
  const fragments = "fragments" in node ? (node.fragments ?? []) : [];
  return [...inside, ...fragments].flatMap(collectAnnotations);
}
