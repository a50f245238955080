// A binding that does to rounds on their way what networks do, and what a careless adapter would.

import type { ObjectNamespaceLike } from "../../../adapters/durable-objects/index";
import type { SentRound } from "../../../adapters/durable-objects/protocol";

/** `late`: some rounds arrive long after they were given up. `unchecked`: no check arrives. `without tokens`: a round that
 * is sent again looks like another one. `without doubt`: it says that it was not sent before. */
export type Fault = "late" | "unchecked" | "without tokens" | "without doubt";

type Stub = { writeRound(round: SentRound): Promise<unknown> };

export function faulty(objects: ObjectNamespaceLike, fault: Fault): ObjectNamespaceLike {
  return {
    idFromName: (name) => objects.idFromName(name),
    get(id) {
      const stub = objects.get(id) as Stub;
      return new Proxy(stub, {
        get: (_, name) =>
          name === "writeRound"
            ? (round: SentRound) => send(stub, round, fault)
            : (...given: unknown[]) =>
                (stub as unknown as Record<PropertyKey, (...all: unknown[]) => unknown>)[name]!(...given),
      });
    },
  };
}

async function send(stub: Stub, round: SentRound, fault: Fault): Promise<unknown> {
  if (fault === "unchecked")
    return stub.writeRound({ ...round, batches: round.batches.map((batch) => ({ ...batch, checks: [] })) });
  if (fault === "without tokens") return stub.writeRound({ ...round, token: crypto.randomUUID() });
  if (fault === "without doubt") return stub.writeRound({ ...round, isDoubtful: false });
  if (Math.random() >= 0.1) return stub.writeRound(round);
  setTimeout(() => void stub.writeRound(round).catch(() => {}), 60 * Math.random());
  throw new Error("Network connection lost.");
}
