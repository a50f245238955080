// A system with one of everything in it, and a walk over everything that can be read: two storages that hold the same answer
// alike.

import type { Storage } from "octavo";
import { type MemoryStorage, memoryStorage } from "octavo/memory";
import { allOperations } from "../../src/operations";
import { allowedPerson, type Cast, type Example, examples, mute, parrot, prepare } from "../invariants/examples";
import { sealLogs } from "../invariants/faults";
import { web } from "../resources/content/imports-web";
import type { Visits } from "../storage/formats/visit";
import { open, people, seeded, setUp } from "../support/setting";

interface Walking {
  readonly asEverybody?: boolean;
  readonly chance?: number;
}

export type Answers = ReadonlyMap<string, unknown>;

export interface System {
  readonly storage: MemoryStorage;
  readonly cast: Cast;
  /** What a later visitor of a copy asks. */
  readonly visits: Visits;
  /** Its own answers. */
  readonly answers: Answers;
  /** Every answer of a walk, by operation: to somebody who may read it, or by person and operation to everybody. Those who are
   * refused leave something behind, so two walks of one storage need another chance each. */
  readonly walk: (storage: Storage, options?: Walking) => Promise<Answers>;
}

const gets = allOperations().filter(({ definition: operation }) => operation.method === "GET");

/** What is read with a body. */
const READS_BY_POST: ReadonlySet<string> = new Set([
  ...["previewPage", "previewChangeRequestPage", "askOrganization", "askSite", "askSpace"],
  ...["aggregateSiteEvents", "searchSite", "resolvePublishedUrl"],
]);
const reads = allOperations().filter(
  ({ name, definition: operation }) => operation.method === "GET" || READS_BY_POST.has(name),
);

let made: Promise<System> | undefined;

/** Made once for all who ask: nobody writes to it, but to copies. */
export function system(): Promise<System> {
  made ??= make();
  return made;
}

async function make(): Promise<System> {
  const storage = memoryStorage();
  const cast = await prepare(await setUp(storage, { fetch: web, translator: mute, ask: parrot }));
  // Large enough to be a blob.
  const files = [{ name: "large.txt", contentType: "text/plain", base64: btoa("Many words. ".repeat(4000)) }];
  const changes = [{ operation: "insert_files", files }];
  const { status } = await cast.ask("admin", `POST /v1/spaces/${cast.innerSpace}/content`, { changes });
  if (status !== 200) throw new Error("The system was not made.");
  const rows: Record<string, Example> = examples(cast);
  await sealLogs(storage, cast.clock.now);
  async function walk(of: Storage, { asEverybody = false, chance }: Walking = {}): Promise<Answers> {
    const random = chance === undefined ? {} : { random: seeded(chance) };
    const { api, clock, askWith } = open(of, { fetch: web, translator: mute, ask: parrot, ...random });
    clock.now = cast.clock.now;
    const answers = new Map<string, unknown>();
    for (const { name } of reads) {
      const row = rows[name]!;
      for (const person of asEverybody ? people : [allowedPerson(row)]) {
        const { status, headers, body } = await askWith(cast.tokens[person], row.ask, row.send);
        answers.set(asEverybody ? `${person}: ${name}` : name, { status, headers: [...headers], body });
      }
    }
    for (const organization of [undefined, cast.org])
      answers.set(
        `verifyAudit ${organization}`,
        await api.verifyAudit(organization === undefined ? {} : { organization }),
      );
    return answers;
  }
  const asks = gets.map(({ name }) => ({ name, token: cast.tokens[allowedPerson(rows[name]!)], ask: rows[name]!.ask }));
  const answered = await walk(storage.copy());
  const statusOf = (name: string) => (answered.get(name) as { readonly status: number }).status;
  const visits = {
    now: cast.clock.now.toISOString(),
    asks: asks.map((it) => ({ ...it, status: statusOf(it.name) })),
    writes: { token: cast.tokens.admin, space: cast.innerSpace },
  };
  return { storage, cast, visits, answers: answered, walk };
}
