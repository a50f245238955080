// Shows what comes through of books and websites that others wrote: `npm run corpus -- <folder or address>…`.

import { argv, exit } from "node:process";
import { type Measured, measure } from "./corpus/measure";
import { tableOf } from "./corpus/table";

const targets = argv.slice(2);
if (targets.length === 0) {
  console.error(
    "Name a folder of Markdown or HTML, or the address of a website: npm run corpus -- <folder or address>",
  );
  exit(1);
}
const all: Measured[] = [];
for (const target of targets) all.push(await measure(target));
console.log(tableOf(all));
