// npm run kills -- <how often> [seed]: kills a process on LevelDB this many times, and prints what was damaged. A kill
// takes about two seconds.

import { killTimes } from "./kill";

const kills = Number(process.argv[2] ?? 1000);
const seed = Number(process.argv[3] ?? Math.floor(Math.random() * 2 ** 31));
console.log(`${kills} kills, seed ${seed}`);
const { acknowledged, statuses, wrong } = await killTimes(kills, seed, console.log);
for (const [name, times] of [...statuses].sort()) console.log(`  ${name}: ${times}`);
for (const sentence of wrong) console.log(`WRONG ${sentence}`);
console.log(`${acknowledged} acknowledged, ${wrong.length === 0 ? "everything is whole" : "not whole"} (seed ${seed})`);
process.exit(wrong.length === 0 ? 0 : 1);
