// Writes the reference of the command line into docs/reference/command-line.md again.

import { readFile, writeFile } from "node:fs/promises";
import { withReference } from "./commands/document";

const path = new URL("../docs/reference/command-line.md", import.meta.url);
await writeFile(path, withReference(await readFile(path, "utf8")));
