// Reverts some blocks of a page. The two texts are aligned by their equal blocks. Everything between two equal blocks is one
// change, and is reverted as a whole.

import { runStepsSync } from "../../utils/concurrency/steps";
import { readPageBlocksInSteps } from "../markdown/read";

/** A block of a text, and its index among the blocks there. */
interface TextBlock {
  readonly text: string;
  readonly index: number;
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** Returns the present text, with each change reverted that has a block with one of the keys on either side. */
export function revertBlocks(presentText: string, earlierText: string, keys: readonly string[]): string {
  const [present = [], earlier = []] = [presentText, earlierText].map((text) => {
    const { parts } = runStepsSync(readPageBlocksInSteps(text));
    return parts.map(({ block, node }, index): TextBlock => {
      return { text, index, key: block.key!, start: node.start, end: node.end };
    });
  });
  const keySet = new Set(keys);
  const earlierIndexes = new Map(earlier.map(({ key }, i) => [key, i]));

  const blocks: TextBlock[] = [];
  let [presentStart, earlierStart] = [0, 0];
  const addChange = (presentEnd: number, earlierEnd: number) => {
    const presentBlocks = present.slice(presentStart, presentEnd);
    const earlierBlocks = earlier.slice(earlierStart, earlierEnd);
    const isReverted = [...presentBlocks, ...earlierBlocks].some(({ key }) => keySet.has(key));
    blocks.push(...(isReverted ? earlierBlocks : presentBlocks));
  };
  for (const [i, block] of present.entries()) {
    const earlierIndex = earlierIndexes.get(block.key);
    if (earlierIndex === undefined || earlierIndex < earlierStart) continue;
    addChange(i, earlierIndex);
    blocks.push(block);
    [presentStart, earlierStart] = [i + 1, earlierIndex + 1];
  }
  addChange(present.length, earlier.length);
  if (blocks.length === present.length && blocks.every((block, i) => block === present[i])) return presentText;

  // The space between two blocks that were neighbors stays. New neighbors get an empty line between them.
  const head = presentText.slice(0, present[0]?.start ?? presentText.length);
  const tail = present.length > 0 ? presentText.slice(present.at(-1)!.end) : "\n";
  let result = head.trim() === "" || /\n[ \t]*\r?\n$/.test(head) ? head : `${head.trimEnd()}\n\n`;
  for (const [i, block] of blocks.entries()) {
    const before = blocks[i - 1];
    const wereNeighbors = before?.text === block.text && before.index + 1 === block.index;
    if (before) result += wereNeighbors ? block.text.slice(before.end, block.start) : "\n\n";
    result += block.text.slice(block.start, block.end);
  }
  return result + tail;
}
