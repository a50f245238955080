// Does one long job, and prints what it has cost: `<job> <share of the full size>`.

import { costOf } from "../../../scripts/corpus/time";
import { jobs } from "./jobs";

const WARM = 0.001;

const [name, share] = process.argv.slice(2) as [string, string];
// Code that is loaded when it is first needed is loaded by a small job, which is not measured.
await (await jobs[name]!(WARM)).work();
const { about, work } = await jobs[name]!(Number(share));
const { result: _, ...cost } = await costOf(work);
console.log(JSON.stringify({ about, ...cost }));
process.exit(0);
