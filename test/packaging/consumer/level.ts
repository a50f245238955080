// A program of somebody who forgot to install `level`: the door opens, and the first use says what is missing.

import { type LevelOptions, levelStorage } from "octavo/level";

const options: LevelOptions = { cacheBytes: 1024 };
const storage = levelStorage("./data", options);
const error: unknown = await storage
  .partition("directory")
  .snapshot()
  .catch((reason: unknown) => reason);
const told = error instanceof Error ? error.message : "nothing";
if (!/`level`.*install/.test(told)) throw new Error(`Without the package level the storage says: ${told}`);
