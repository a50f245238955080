// Requests to object storage, counted where they leave: what a call of the API costs there, whatever the network does.

import { createObjectStorage } from "../../adapters/s3/engine";
import { ObjectsInMemory } from "../adapters/s3/objects-in-memory";
import { fill } from "./content";
import type { Row } from "./measure";
import { createSubject } from "./subject";

class Counted extends ObjectsInMemory {
  puts = 0;
  gets = 0;

  override async put(...args: Parameters<ObjectsInMemory["put"]>) {
    this.puts++;
    return super.put(...args);
  }

  override async get(...args: Parameters<ObjectsInMemory["get"]>) {
    this.gets++;
    // A network is never so fast that what is asked at once does not wait together.
    await new Promise((resolve) => setTimeout(resolve, 5));
    return super.get(...args);
  }
}

export async function objects(): Promise<Row[]> {
  const bucket = new Counted();
  const { path, ask } = await createSubject(createObjectStorage(bucket));
  const count = async (run: () => Promise<unknown>) => {
    const before = { puts: bucket.puts, gets: bucket.gets };
    await run();
    return { puts: bucket.puts - before.puts, gets: bucket.gets - before.gets };
  };
  let made = 0;
  const write = () => ask("PUT", `${path}/teams`, { title: `Team ${++made}` });
  await write();
  const one = await count(write);
  const many = await count(() => Promise.all(Array.from({ length: 64 }, write)));
  const read = await count(() => ask("GET", path));
  const { space, pages } = await fill(ask, path, 100);
  const edit = (markdown: string, i = 0) => {
    const changes = [{ operation: "update_page", page: pages[i], document: { markdown } }];
    return ask("POST", `/v1/spaces/${space}/content`, { changes });
  };
  await edit("once");
  const edited = await count(() => edit("twice"));
  const page = await count(() => ask("GET", `/v1/spaces/${space}/content/page/${pages[0]}`));

  const stale = await createSubject(createObjectStorage(bucket, { prefix: "stale", maxStaleness: 60_000 }));
  await stale.ask("GET", stale.path);
  const fresh = await count(() => stale.ask("GET", stale.path));
  return [
    row("S3: a write", "PUTs", one.puts, 1),
    row("S3: 64 writes at once in one organization", "PUTs", many.puts, 4),
    row("S3: a warm read of two partitions", "conditional GETs", read.gets, 2),
    row("S3: the edit of a page", "PUTs", edited.puts, 1),
    row("S3: a warm read of a page", "conditional GETs", page.gets, 2),
    row("S3: a warm read within maxStaleness", "GETs", fresh.gets, 0),
  ];
}

function row(what: string, unit: string, measured: number, most: number): Row {
  return {
    what,
    against: "counted at the store",
    measured: `${measured} ${unit}`,
    budget: `at most ${most}`,
    holds: measured <= most,
  };
}
