// Opening and closing tags stand beside each other in a list of blocks; here what is between them moves inside. What
// opens and is never closed, or closes what was never opened, stands alone where it stood.

import type { Steps } from "../../../utils/concurrency/steps";
import { MAX_TAG_DEPTH } from "../limits";
import type { Block } from "../nodes";
import { asDetails, closesDetails, opensDetails, type ReadFragment, wholeDetails } from "./details";

const DETAILS = "<details>";

/** How many blocks are gone through in one step. */
const STEP = 1_000;

/** An opening tag that waits for its closing one. */
interface Opening {
  name: string;
  /** Its place in the blocks. */
  at: number;
}

/** Groups a list of blocks; `read` reads Markdown that stands inside the HTML of `<details>`. */
export function* groupBlocks(blocks: readonly Block[], read: ReadFragment): Steps<Block[]> {
  const groups = new Groups(read);
  for (const [at, block] of blocks.entries()) {
    yield* groups.add(block);
    if (at % STEP === STEP - 1) yield;
  }
  return groups.blocks;
}

/** Whether a block may open or close a group. */
export function mayGroup({ type }: Block): boolean {
  return type === "tag" || type === "html";
}

class Groups {
  readonly blocks: Block[] = [];
  readonly #open: Opening[] = [];
  /** How many openings of a name wait. */
  readonly #waiting = new Map<string, number>();

  constructor(readonly read: ReadFragment) {}

  *add(block: Block): Steps<void> {
    const closed = closedBy(block);
    if (closed !== undefined && this.#waiting.get(closed)) {
      yield* this.#close(closed, block);
      return;
    }
    this.blocks.push((block.type === "html" && (yield* wholeDetails(block, this.read))) || block);
    const opened = openedBy(block);
    if (opened === undefined || this.#open.length >= MAX_TAG_DEPTH) return;
    this.#open.push({ name: opened, at: this.blocks.length - 1 });
    this.#waiting.set(opened, (this.#waiting.get(opened) ?? 0) + 1);
  }

  *#close(name: string, closing: Block): Steps<void> {
    const { at } = this.#innermost(name);
    const children = this.blocks.splice(at + 1);
    const opening = this.blocks.pop()!;
    if (opening.type === "tag") {
      const { start, end } = closing;
      this.blocks.push({ ...opening, close: { start, end }, children, end });
    } else if (opening.type === "html" && closing.type === "html") {
      for (const block of yield* asDetails(opening, children, closing, this.read)) this.blocks.push(block);
    }
  }

  #innermost(name: string): Opening {
    for (;;) {
      const opening = this.#open.pop()!;
      this.#waiting.set(opening.name, this.#waiting.get(opening.name)! - 1);
      if (opening.name === name) return opening;
    }
  }
}

function openedBy(block: Block): string | undefined {
  if (block.type === "tag") return block.name.startsWith("end") ? undefined : block.name;
  return block.type === "html" && opensDetails(block) ? DETAILS : undefined;
}

function closedBy(block: Block): string | undefined {
  if (block.type === "tag") return block.name.startsWith("end") ? block.name.slice(3) : undefined;
  return block.type === "html" && closesDetails(block) ? DETAILS : undefined;
}
