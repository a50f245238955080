// The file that holds the recorded examples: one line for each operation, so that a change is one line.

import type { RecordedExample } from "../../src/openapi/reference/add-examples";

/** The source text of src/openapi/reference/recorded.ts. */
export function recordedSource(recorded: Readonly<Record<string, RecordedExample>>): string {
  const lines = Object.entries(recorded).map(([name, it]) => `  ${name}: ${JSON.stringify(it)},`);
  return [
    "// Written by `npm run generate:openapi`: one request of every operation, and what was answered.",
    "",
    "export const recorded: Readonly<Record<string, unknown>> = {",
    ...lines,
    "};",
    "",
  ].join("\n");
}
