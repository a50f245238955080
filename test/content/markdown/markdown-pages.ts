// Pages to test with: those of our own corpus, and whatever Markdown the installed packages bring along.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A page and the path it was found at. */
export interface TestPage {
  name: string;
  text: string;
}

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The pages of test/content/markdown/corpus, each as it is and in the forms that editors and systems leave behind. */
export function corpusPages(): TestPage[] {
  const folder = at("./corpus/");
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const text = readFileSync(folder + name, "utf8");
      return [
        { name, text },
        { name: `${name} with CRLF`, text: text.replaceAll("\n", "\r\n") },
        { name: `${name} with CR`, text: text.replaceAll("\n", "\r") },
        { name: `${name} with a byte order mark`, text: `\ufeff${text}` },
        { name: `${name} without a last line ending`, text: text.trimEnd() },
      ];
    });
}

/** Every Markdown file of the installed packages up to a size, each text once. */
export function packagePages(maxBytes: number): TestPage[] {
  const seen = new Set<string>();
  const pages: TestPage[] = [];
  for (const root of [at("../../../node_modules/"), at("../../node_modules/")])
    for (const name of readdirSync(root, { recursive: true, encoding: "utf8" }).sort()) {
      if (!name.endsWith(".md")) continue;
      const stats = statSync(root + name, { throwIfNoEntry: false });
      if (!stats?.isFile() || stats.size > maxBytes) continue;
      const text = readFileSync(root + name, "utf8");
      if (!seen.has(text)) pages.push({ name, text });
      seen.add(text);
    }
  return pages;
}
