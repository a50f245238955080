// Writes phrasing, reads it back, and writes it with more escapes if the result differs.

import type { Steps } from "../../../utils/concurrency/steps";
import type { Block, Phrasing } from "../../document";
import { readPageBlocksInSteps } from "../reader/page";
import { normalizeInSteps } from "./normal";
import { type Care, type PhrasingPlace, type TakeNote, writePhrasing } from "./phrasing";

/** A way to write phrasing as a block of its own, and to find it in the block that is read back. */
interface PhrasingFrame {
  around: (markdown: string) => string;
  inside: (block: Block) => Phrasing[] | undefined;
}

const FRAMES = {
  paragraph: {
    around: (markdown) => markdown,
    inside: (block) => (block.type === "paragraph" ? (block.nodes as Phrasing[]) : undefined),
  },
  heading: {
    around: (markdown) => `## ${markdown}`,
    inside: (block) => (block.type === "heading-1" ? (block.nodes as Phrasing[]) : undefined),
  },
  cell: {
    around: (markdown) => `| a |\n| - |\n| ${markdown} |`,
    inside: (block) => block.fragments?.[0]?.nodes[0]?.nodes as Phrasing[] | undefined,
  },
} satisfies Record<string, PhrasingFrame>;

/** Writes phrasing so that it is read as the same phrasing in its place, step by step. */
export function* writeChecked(
  nodes: readonly Phrasing[],
  where: keyof typeof FRAMES,
  takeNote: TakeNote,
  tagged: ReadonlySet<string>,
): Steps<string> {
  if (nodes.length === 0) return "";
  const place: PhrasingPlace = where === "paragraph" ? "paragraph" : "line";
  const labels = new Set<string>();
  const collectLabel: TakeNote = (inline) => {
    const label = takeNote(inline);
    labels.add(label);
    return label;
  };
  const { around, inside } = FRAMES[where];
  let usual: string | undefined;
  for (const care of ["usual", "utmost"] satisfies Care[]) {
    let markdown = writePhrasing(nodes, place, care, collectLabel, tagged);
    if (where === "cell") markdown = markdown.replaceAll("|", "\\|");
    // `#` at the end of a heading would be a closing sequence.
    if (where === "heading" && /(?:^|[ \t])#+$/.test(markdown)) markdown = `${markdown.slice(0, -1)}\\#`;
    // Plain words cannot be read as anything else, and need no check.
    if (usual === undefined && /^[A-Za-z](?:[A-Za-z0-9,;'()/ -]*[A-Za-z0-9)])?\.?$/.test(markdown)) return markdown;
    usual ??= markdown;
    // Placeholders for the notes that it refers to.
    const notes = labels.size === 0 ? "" : `\n\n${Array.from(labels, (label) => `[^${label}]: a`).join("\n")}`;
    const { parts } = yield* readPageBlocksInSteps(around(markdown) + notes);
    const [part] = parts;
    const block = part && parts.length === 1 ? (yield* normalizeInSteps([part.block], (ref) => ref))[0] : undefined;
    const read = block && inside(block);
    // Notes are checked where they are written.
    const [actual, expected] = [read ?? [], nodes].map((phrasing) =>
      JSON.stringify(
        phrasing.map((node) =>
          node.object === "inline" && node.type === "annotation" ? { ...node, fragments: [] } : node,
        ),
      ),
    );
    if (actual === expected) return markdown;
  }
  return usual!;
}
