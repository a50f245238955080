// Writes src/pdf/emoji/drawings.ts again, from a set of emoji that was unpacked somewhere:
// `npx tsx scripts/emoji.ts <folder of the package @iconify-json/fluent-emoji-flat>`.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";
import { drawn } from "./emoji/drawn";

/** Tones of skin: only people without one are taken. */
const TONES = /1f3f[b-f]/;

const folder = argv[2];
if (folder === undefined) throw new Error("Name the folder of the unpacked package @iconify-json/fluent-emoji-flat.");
const { icons, aliases } = JSON.parse(await readFile(join(folder, "icons.json"), "utf8")) as {
  readonly icons: Readonly<Record<string, { readonly body: string }>>;
  readonly aliases: Readonly<Record<string, { readonly parent: string; readonly hFlip?: boolean }>>;
};
const names = JSON.parse(await readFile(join(folder, "chars.json"), "utf8")) as Record<string, string>;
const byKey = new Map<string, string>();
// The package has this one only as the reflection of another, without its code point.
for (const [key, name] of Object.entries({ ...names, "1f449": "backhand-index-pointing-right" })) {
  const { parent, hFlip = false } = aliases[name] ?? { parent: name };
  const icon = icons[parent];
  if (icon && !TONES.test(key)) byKey.set(key.replaceAll("-fe0f", ""), drawn(icon.body, hFlip));
}
const text = [...byKey].map(([key, drawing]) => `${key} ${drawing}`).join("\n");
const packed = deflateSync(text, { level: 9 }).toString("base64");
const target = fileURLToPath(new URL("../src/pdf/emoji/drawings.ts", import.meta.url));
await writeFile(
  target,
  `// Written by scripts/emoji.ts: ${byKey.size} emoji as shapes, deflated. They are those of Fluent Emoji (flat), which are
// Copyright (c) Microsoft Corporation and under the MIT License: https://github.com/microsoft/fluentui-emoji

/** A line for each: its code points, then its shapes. See read.ts. */
export const drawings =
  "${packed}";
`,
);
console.log(`${byKey.size} emoji, ${text.length} characters, ${packed.length} packed`);
