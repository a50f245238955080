// What the maker of an organization leaves beside its data, for those who ask it.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Cast } from "../../invariants/examples";
import type { Size } from "./size";

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
