// Shows what comes through of books and websites that others wrote: `npm run bench:corpus -- [--pages 500] <folder or address>…`.
// `--made <folder>` has what the generator of a book made of it; its ids say which links are false alarms.
// With `--many 50000 --files 100000` it shows what an import of so many pages and files takes: `--from git` and
// `--storage memory` choose where it comes from and goes to, `--file-bytes 100000` how large files are, `--heap 160` how
// many MiB the heap may have; `--push` pushes all of it into an empty repository afterwards.

import { argv, exit } from "node:process";
import { parseArgs } from "node:util";
import { doJob, importMany, WORKER } from "./corpus/many";
import { type Measured, measure } from "./corpus/measure";
import { tableOf } from "./corpus/table";

if (argv[2] === WORKER) await doJob(argv[3]!);
const { values, positionals: targets } = parseArgs({
  args: argv.slice(2),
  allowPositionals: true,
  options: {
    pages: { type: "string" },
    made: { type: "string" },
    many: { type: "string" },
    files: { type: "string" },
    from: { type: "string" },
    storage: { type: "string" },
    "file-bytes": { type: "string" },
    heap: { type: "string" },
    push: { type: "boolean" },
  },
});
if (values.many !== undefined) {
  const [pages, files] = [Number(values.many), Number(values.files ?? 2 * Number(values.many))];
  const from = values.from === "git" ? "git" : "zip";
  const storage = values.storage === "memory" ? "memory" : "level";
  const heap = values.heap === undefined ? undefined : Number(values.heap);
  const fileBytes = Number(values["file-bytes"] ?? 1500);
  console.log(await importMany({ pages, files, from, storage, fileBytes, heap, push: values.push === true }));
  exit(0);
}
const maxPages = values.pages === undefined ? undefined : Number(values.pages);
if (targets.length === 0 || Number.isNaN(maxPages)) {
  console.error(
    "Name a folder of Markdown or HTML, or a website: npm run bench:corpus -- [--pages 500] <folder or address>",
  );
  exit(1);
}
const all: Measured[] = [];
let failed = 0;
for (const target of targets) {
  try {
    all.push(await measure(target, maxPages, values.made));
  } catch (error) {
    failed++;
    console.error(`${target} could not be measured: ${error instanceof Error ? error.message : error}`);
  }
}
if (all.length > 0) console.log(tableOf(all));
exit(failed === 0 ? 0 : 1);
