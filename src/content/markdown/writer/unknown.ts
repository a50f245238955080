// Writes unknown blocks as their source. If that would be read as something else, they are written as plain text; HTML stays
// HTML, even if it is known by now.

import type { Steps } from "../../../utils/concurrency/steps";
import type { Block, BlockOf } from "../../document";
import { escapeEverything } from "../escape";
import { trimBlank } from "../parser/characters";
import { parseWholeTag } from "../parser/tags";
import { readPageBlocksInSteps } from "../reader/page";

/** Writes a block as its source. `writeInside` writes the content of a tag. */
export function* writeUnknown(
  { data, nodes }: BlockOf<"unknown">,
  writeInside: (nodes: readonly Block[]) => Steps<string>,
  mayRunOn: boolean,
): Steps<string> {
  const source = (data?.source ?? "").replace(/\r\n?/g, "\n");
  const name = nodes && parseWholeTag(source)?.name;
  if (nodes && name !== undefined) {
    const inside = yield* writeInside(nodes as Block[]);
    return `${source}\n${inside === "" ? "" : `${inside}\n`}{% end${name} %}`;
  }
  // The source must be read as one unknown block or as HTML, and must not absorb the text after it.
  const text = mayRunOn ? source : `${source}\n\na`;
  const { parts, nodes: read } = yield* readPageBlocksInSteps(text);
  const own = mayRunOn ? read : read.slice(0, -1);
  const [block] = parts.map(({ block }) => block);
  let isSame = parts.length === (mayRunOn ? 1 : 2) && block?.type === "unknown" && block.data?.source === source;
  if (own.length > 0 && own.every(({ type }) => type === "html"))
    isSame = mayRunOn || read.at(-1)?.type === "paragraph";
  return isSame ? source : escapeEverything(source.replace(/\s+/g, " ").trim());
}

/** Removes the blocks that are invisible in the original. Older documents have comments as unknown blocks. */
export function* removeHidden(blocks: readonly Block[], original: string): Steps<readonly Block[]> {
  const html = new Map<Block, string>();
  for (const block of blocks) {
    const source = block.type === "unknown" && !block.nodes ? block.data?.source : undefined;
    if (source?.startsWith("<")) html.set(block, trimBlank(source));
  }
  if (html.size === 0) return blocks;
  const { nodes, parts } = yield* readPageBlocksInSteps(original);
  const shown = new Set(parts.map(({ node }) => node));
  const hidden = new Set<string | undefined>(
    nodes.flatMap((node) => (node.type === "html" && !shown.has(node) ? [trimBlank(node.value)] : [])),
  );
  return blocks.filter((block) => !hidden.has(html.get(block)));
}
