// Writes THIRD-PARTY-NOTICES.md again: `npx tsx scripts/notices.ts`. Packaging fails if something built in has no notice.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { NOTICES, noticesOf } from "./packaging/notices";

await writeFile(join(fileURLToPath(new URL("..", import.meta.url)), NOTICES), await noticesOf());
