// A program of somebody who writes an adapter, without Node's types: the contract and its parts are there, the errors are those
// of the core, and the suite says which package it lacks.

import { createDocsApi, DocsError } from "octavo";
import { checkBatch, type Entry, MAX_KEY_BYTES, type Storage, TooLarge, Unavailable } from "octavo/adapter";
import { defineConformanceTests, RUNNER_LIMIT_MS } from "octavo/conformance";
import { memoryStorage } from "octavo/memory";

const entry: Entry = { key: "a", value: { b: [1] }, version: 1 };
const put = { checks: [], puts: [{ key: "a".repeat(MAX_KEY_BYTES + 1), value: entry.value }], deletes: [], adds: [] };
let refused: unknown;
try {
  checkBatch(put);
} catch (error) {
  refused = error;
}
if (!(refused instanceof TooLarge)) throw new Error(`A key that is too long is answered with ${refused}.`);

// The class is the same through both doors: the core understands what the adapter throws.
const memory = memoryStorage();
const failing: Storage = {
  ...memory,
  partition: () => ({
    snapshot: () => Promise.reject(new Unavailable("Away.", { outcome: "none" })),
    commit: () => Promise.reject(new Unavailable("Away.", { outcome: "none" })),
  }),
};
const api = createDocsApi(failing, { onError: () => undefined });
const told = await api.call("getCurrentUser", {}, { user: "usr_1" }).catch((error: unknown) => error);
if (!(told instanceof DocsError) || told.reason !== "unavailable") throw new Error(`The core says ${told}.`);

const tests = new Map<string, () => Promise<void>>();
const open = async () => ({ storage: memory, reopen: async () => memory });
defineConformanceTests({ test: (name, run) => tests.set(name, run), open });
const missing = await tests.get("random scripts: every answer is the model's")!().catch(
  (error: Error) => error.message,
);
if (!/`fast-check`: run `npm install/.test(String(missing))) throw new Error(`Without fast-check it says: ${missing}`);
if (!(RUNNER_LIMIT_MS > 60_000) || tests.size < 60) throw new Error(`The suite has ${tests.size} tests.`);
