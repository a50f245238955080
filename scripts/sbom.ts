// Writes the bill of materials again: `npx tsx scripts/sbom.ts`.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SBOM, sbomOf } from "./packaging/sbom";

await writeFile(join(fileURLToPath(new URL("..", import.meta.url)), SBOM), await sbomOf());
