// `npm run bench`: prints the budgets of the project, and whether they hold on this machine. With `--strict` a broken one
// makes it fail. Names of groups limit it to these: `npm run bench -- reading lists`.

import { printTable } from "../support/printing";
import { content } from "./content";
import { engines } from "./engines";
import { imports } from "./imports";
import { integrations } from "./integrations";
import { lists } from "./lists";
import type { Row } from "./measure";
import { objects } from "./objects";
import { project } from "./project";
import { reading } from "./reading";
import { site } from "./site";
import { sites } from "./sites";
import { specs } from "./specs";
import { visits } from "./visits";
import { writing } from "./writing";

const groups: Readonly<Record<string, () => Promise<Row[]>>> = {
  reading,
  writing,
  lists,
  content,
  engines,
  imports,
  integrations,
  objects,
  site,
  sites,
  specs,
  visits,
  project,
};

const names = process.argv.slice(2).filter((argument) => argument !== "--strict");
const unknown = names.find((name) => !(name in groups));
if (unknown !== undefined) throw new Error(`There is no group "${unknown}", only ${Object.keys(groups).join(", ")}.`);

const rows: Row[] = [];
for (const name of names.length > 0 ? names : Object.keys(groups)) {
  console.error(`measuring: ${name}`);
  rows.push(...(await groups[name]!()));
}
printTable([
  ["what", "against", "measured", "budget", ""],
  ...rows.map(({ what, against, measured, budget, holds }) => [
    what,
    against,
    measured,
    budget,
    holds === undefined ? "" : holds ? "holds" : "FAILS",
  ]),
]);
if (process.argv.includes("--strict") && rows.some((row) => row.holds === false)) process.exitCode = 1;
