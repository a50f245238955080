// npm run stress:kills -- <how often> [seed] [level | postgres | s3]: kills a process this many times that works on LevelDB, or on
// a PostgreSQL or Ceph that it starts, and prints what was damaged. A kill takes about two seconds.

import { startServer } from "../../adapters/postgres/server";
import { s3Environment, s3Server } from "../../adapters/s3/server";
import { killTimes } from "./kill";

const kills = Number(process.argv[2] ?? 1000);
const seed = Number(process.argv[3] ?? Math.floor(Math.random() * 2 ** 31));
const storage = process.argv[4] ?? "level";
const stop = await startStorage(storage);
console.log(`${kills} kills on ${storage}, seed ${seed}`);
const { acknowledged, statuses, wrong } = await killTimes(kills, seed, console.log);
for (const [name, times] of [...statuses].sort()) console.log(`  ${name}: ${times}`);
for (const sentence of wrong) console.log(`WRONG ${sentence}`);
console.log(`${acknowledged} acknowledged, ${wrong.length === 0 ? "everything is whole" : "not whole"} (seed ${seed})`);
await stop();
process.exit(wrong.length === 0 ? 0 : 1);

/** Starts what the processes need, and tells them of it. Gives what ends it. */
async function startStorage(name: string): Promise<() => Promise<void>> {
  if (name === "postgres") {
    const server = found(await startServer({ isDurable: true }));
    process.env.OCTAVO_KILLS_URL = server.url;
    return () => server.stop();
  }
  // A Ceph that was started ends with this process.
  if (name === "s3") Object.assign(process.env, s3Environment(found(await s3Server())));
  else if (name !== "level") throw new Error(`Expected level, postgres or s3, not ${name}.`);
  return async () => {};
}

function found<Server extends object>(server: Server | { readonly leftOut: string }): Server {
  if ("leftOut" in server) throw new Error(server.leftOut as string);
  return server;
}
