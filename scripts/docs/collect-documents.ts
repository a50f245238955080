// Collects the documents of the project as a book: the folder `docs` and the documents beside it, with a table of contents that
// follows `docs/README.md`. Links to other files of the repository lead to its host.

import { readdir, readFile, stat } from "node:fs/promises";
import { join, posix } from "node:path";

/** Documents outside of `docs` that are pages as well. */
const OTHER_DOCUMENTS = [
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "SECURITY.md",
  "adapters/README.md",
  "adapters/s3/DESIGN.md",
  "adapters/postgres/DESIGN.md",
  "adapters/durable-objects/DESIGN.md",
];

/** The table of contents of the documents. The front page takes its place. */
const CONTENTS = "docs/README.md";
const DECISIONS = "docs/decisions/README.md";
const FRONT_PAGE = "docs/index.md";

/** Code in Markdown, in which nothing is a link. */
const CODE = /^ *(`{3,})[^\n]*\n[\s\S]*?^ *\1 *$|(`+)(?!`)[^\n]*?(?<!`)\2(?!`)/gm;
const LINK = /(\]\()([^)\s]+)/g;

/** Returns the files of the book, by path. */
export async function collectDocuments(root: string, repositoryUrl: string): Promise<Map<string, Uint8Array>> {
  const read = (path: string) => readFile(join(root, path), "utf8");
  const names = await readdir(join(root, "docs"), { recursive: true });
  const inDocs = names.map((name) => `docs/${name.replaceAll("\\", "/")}`).sort();
  const documents = [...inDocs.filter((path) => path.endsWith(".md") && path !== CONTENTS), ...OTHER_DOCUMENTS];
  const texts = new Map<string, string>();
  for (const path of documents) texts.set(path, await read(path));
  texts.set(FRONT_PAGE, await readFile(join(root, "scripts/docs/front-page.md"), "utf8"));
  // Pictures that only the README shows are left out.
  const allTexts = [...texts.values()].join("\n");
  const pictures = inDocs.filter((path) => /\.(?:png|svg)$/.test(path) && allTexts.includes(posix.basename(path)));
  const known = new Set([...texts.keys(), ...pictures]);

  /** Returns the target of a link in the book, or its URL in the repository. A link that leads nowhere stays as it is. */
  const resolveLink = async (path: string, href: string): Promise<string> => {
    if (/^(?:[a-z][a-z0-9+.-]*:|#)/i.test(href)) return href;
    const [file = "", anchor] = href.split("#");
    const hash = anchor === undefined ? "" : `#${anchor}`;
    const target = posix.join(posix.dirname(path), file).replace(/\/$/, "");
    if (target === CONTENTS || target === "docs") return posix.relative(posix.dirname(path), FRONT_PAGE);
    if (known.has(`${target}/README.md`)) return `${posix.relative(posix.dirname(path), `${target}/README.md`)}${hash}`;
    if (known.has(target)) return href;
    const stats = await stat(join(root, target)).catch(() => undefined);
    return stats ? `${repositoryUrl}/${stats.isDirectory() ? "tree" : "blob"}/main/${target}${hash}` : href;
  };

  const files = new Map<string, Uint8Array>();
  for (const path of pictures) files.set(path, await readFile(join(root, path)));
  const addText = (path: string, text: string) => void files.set(path, new TextEncoder().encode(text));
  for (const [path, text] of texts) addText(path, await replaceLinks(text, (href) => resolveLink(path, href)));
  addText("SUMMARY.md", composeSummary(await read(CONTENTS), texts));
  return files;
}

/** Replaces the targets of links outside of code. */
async function replaceLinks(text: string, replace: (href: string) => Promise<string>): Promise<string> {
  const parts: string[] = [];
  let position = 0;
  const addProse = async (prose: string) => {
    const targets = await Promise.all(Array.from(prose.matchAll(LINK), ([, , href]) => replace(href!)));
    let next = 0;
    parts.push(prose.replace(LINK, (_, start: string) => start + targets[next++]));
  };
  for (const match of text.matchAll(CODE)) {
    await addProse(text.slice(position, match.index));
    parts.push(match[0]);
    position = match.index + match[0].length;
  }
  await addProse(text.slice(position));
  return parts.join("");
}

/** Returns the table of contents: the headings of the documents' own table are groups, and its links are pages in their order. */
function composeSummary(contents: string, texts: ReadonlyMap<string, string>): string {
  const listed = new Set<string>();
  const lines = [`* [Octavo](${FRONT_PAGE})`];
  const addPage = (path: string, indent = "") => {
    const text = texts.get(path);
    if (text === undefined || listed.has(path)) return;
    listed.add(path);
    lines.push(`${indent}* [${/^# (.*)$/m.exec(text)?.[1] ?? path}](${path})`);
  };
  const listLinks = (text: string, folder: string) =>
    Array.from(text.matchAll(/\]\(([^)#\s]+)/g), ([, href]) => posix.join(folder, href!));
  for (const [, title = "", section = ""] of contents.matchAll(/^## (.*)\n([\s\S]*?)(?=^## |(?![\s\S]))/gm)) {
    lines.push("", `## ${title}`, "");
    for (const path of listLinks(section, "docs")) {
      addPage(path);
      if (path !== DECISIONS) continue;
      for (const decision of listLinks(texts.get(DECISIONS) ?? "", "docs/decisions")) addPage(decision, "  ");
    }
  }
  lines.push("", "## Project", "");
  for (const path of texts.keys()) if (path !== FRONT_PAGE) addPage(path);
  return `${lines.join("\n")}\n`;
}
