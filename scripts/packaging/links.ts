// Checks the links of the documents that the package contains. npm and GitHub resolve relative links against the repository, and
// readers of an installed package resolve them against its files, so a link has to work in both places.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";

/** Files that documents show, but that only the repository has. */
const ONLY_IN_REPOSITORY = /^docs\/pictures\//;

/** Returns the links of packed documents that lead nowhere, each as `document: link`. `files` are the paths of the tarball. */
export async function findBrokenPackageLinks(root: string, files: readonly string[]): Promise<string[]> {
  const { repository } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const source = `${repository.url.replace(/^git\+/, "").replace(/\.git$/, "")}/`;
  const packed = new Set(files);
  for (const file of files) for (let path = file; path !== "."; path = posix.dirname(path)) packed.add(path);
  const documents = files.filter((path) => path.endsWith(".md") && !path.startsWith("dist/"));
  const texts = new Map<string, string>();
  for (const path of documents) texts.set(path, removeCode(await readFile(join(root, path), "utf8")));

  const isBroken = (document: string, href: string): boolean => {
    if (href.startsWith(source)) {
      const [, path] = /^(?:blob|tree)\/[^/]+\/([^#?]*)/.exec(href.slice(source.length)) ?? [];
      return path !== undefined && !existsSync(join(root, path));
    }
    if (/^[a-z][a-z0-9+.-]*:/i.test(href)) return false;
    const [path = "", anchor] = href.split("#");
    const target = path === "" ? document : posix.join(posix.dirname(document), path).replace(/\/$/, "");
    if (ONLY_IN_REPOSITORY.test(target)) return !existsSync(join(root, target));
    if (!packed.has(target)) return true;
    const text = texts.get(target);
    return anchor !== undefined && text !== undefined && !listAnchors(text).includes(anchor);
  };
  return [...texts].flatMap(([document, text]) =>
    [...text.matchAll(/\]\(([^)\s]+)[^)]*\)/g)].flatMap(([, href]) =>
      isBroken(document, href!) ? [`${document}: ${href}`] : [],
    ),
  );
}

/** Returns a document without its blocks and spans of code. */
function removeCode(text: string): string {
  return text.replace(/^ *(`{3,})[^\n]*\n[\s\S]*?^ *\1 *$/gm, "").replace(/(?<!`)`[^`\n]*\]\([^`\n]*`(?!`)/g, "");
}

/** Returns the anchors of the headings of a document, as GitHub makes them. */
function listAnchors(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replace(/ /g, "-"),
  );
}
