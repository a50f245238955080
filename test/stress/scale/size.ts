// How much a big organization holds, and the same at a share of it.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Cast } from "../../invariants/examples";

/** In the folder of an organization: its LevelDB, and the rest. It is written last. */
export const DATA = "data";
export const CAST = "cast.json";

/** Ids and tokens of the examples, the time at which it was made, and its size. */
export interface Kept {
  readonly things: Omit<Cast, "api" | "storage" | "ask" | "askWith" | "clock">;
  readonly now: string;
  readonly size: Size;
}

export async function readKept(folder: string): Promise<Kept> {
  return JSON.parse(await readFile(join(folder, CAST), "utf8"));
}

export interface Size {
  readonly spaces: number;
  readonly members: number;
  readonly teams: number;
  /** All in one space, with 500 characters of text each. */
  readonly pages: number;
  readonly files: number;
  readonly changeRequests: number;
  readonly comments: number;
  readonly siteSpaces: number;
  readonly specifications: number;
  readonly installations: number;
}

const FULL: Size = {
  spaces: 5000,
  members: 500,
  teams: 200,
  pages: 100_000,
  files: 5000,
  changeRequests: 5000,
  comments: 50_000,
  siteSpaces: 500,
  specifications: 100,
  installations: 200,
};

/** A share of the full size; at least one of everything. */
export function sizeAt(share: number): Size {
  return Object.fromEntries(
    Object.entries(FULL).map(([what, full]) => [what, Math.max(1, Math.round(full * share))]),
  ) as unknown as Size;
}

/** A size in words. */
export function sizeText(size: Size): string {
  return Object.entries(size)
    .map(([what, count]) => `${count} ${what.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`)
    .join(", ");
}
