// npm run kills -- <how often> [seed] [postgres]: kills a process on LevelDB this many times, or one on a PostgreSQL that it
// starts, and prints what was damaged. A kill takes about two seconds.

import { startServer } from "../postgres/server";
import { killTimes } from "./kill";

const kills = Number(process.argv[2] ?? 1000);
const seed = Number(process.argv[3] ?? Math.floor(Math.random() * 2 ** 31));
const server = process.argv[4] === "postgres" ? await startServer({ isDurable: true }) : undefined;
if (server && "leftOut" in server) throw new Error(server.leftOut);
if (server) process.env.OCTAVO_KILLS_URL = server.url;
console.log(`${kills} kills on ${server ? "PostgreSQL" : "LevelDB"}, seed ${seed}`);
const { acknowledged, statuses, wrong } = await killTimes(kills, seed, console.log);
for (const [name, times] of [...statuses].sort()) console.log(`  ${name}: ${times}`);
for (const sentence of wrong) console.log(`WRONG ${sentence}`);
console.log(`${acknowledged} acknowledged, ${wrong.length === 0 ? "everything is whole" : "not whole"} (seed ${seed})`);
await server?.stop();
process.exit(wrong.length === 0 ? 0 : 1);
