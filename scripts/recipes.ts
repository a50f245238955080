// Writes the examples into docs/guides/embed-in-your-server.md, which shows each one behind a comment with its path. A test fails when it is stale.

import { readFileSync, writeFileSync } from "node:fs";
import { withExamples } from "./recipes/with-examples";

const page = new URL("../docs/guides/embed-in-your-server.md", import.meta.url);
const example = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
writeFileSync(page, withExamples(readFileSync(page, "utf8"), example));
