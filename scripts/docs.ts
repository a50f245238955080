// Builds the documentation as a folder of pages: `npm run docs`, into build/docs. `-- --url https://…` says where it will be
// published; then there are a sitemap and canonical URLs.

import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process, { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { buildDocs } from "./docs/build-docs";
import { findBrokenLinks } from "./docs/find-broken-links";

const folder = fileURLToPath(new URL("../build/docs", import.meta.url));
const url = argv.includes("--url") ? argv[argv.indexOf("--url") + 1] : undefined;
const began = performance.now();
const { files, pages } = await buildDocs(url === undefined ? {} : { url });
await rm(folder, { recursive: true, force: true });
let bytes = 0;
for (const [path, content] of files) {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
  bytes += content.length;
}
const seconds = ((performance.now() - began) / 1000).toFixed(1);
console.log(
  `Wrote ${pages} pages, ${files.size} files, ${(bytes / 1e6).toFixed(1)} MB into build/docs in ${seconds} s.`,
);
const broken = findBrokenLinks(files);
for (const link of broken) console.error(`Leads nowhere: ${link}`);
if (broken.length > 0) process.exitCode = 1;
