// The stories of every resource: what the files of these folders export as `stories`.

import { readdirSync, readFileSync } from "node:fs";
import type { Story } from "./scenario";

const modules = ["people", "library", "content", "sites", "integrations", "service"];
const files = modules.flatMap((module) =>
  readdirSync(new URL(`${module}/`, import.meta.url))
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => new URL(`${module}/${name}`, import.meta.url)),
);
// The others help them.
const tellers = files.filter((file) => readFileSync(file, "utf8").includes("\nexport const stories: "));
const told = await Promise.all(tellers.map((file): Promise<{ stories: Story[] }> => import(file.pathname)));

export const stories: readonly Story[] = told.flatMap((module) => module.stories);
