// A storage is copied, kept and checked with the package as it is installed: every set of records is known there.

import { createDocsApi } from "octavo";
import { memoryStorage } from "octavo/memory";
import { backup, copyStorage, restore, verify } from "octavo/storage-tools";

const secret = "a secret of more than thirty-two characters";
const storage = memoryStorage();
const api = createDocsApi(storage, { secret });
await api.provision({ user: { displayName: "Ada", email: "ada@example.com" }, organization: { title: "Acme" } });
const copy = memoryStorage();
await copyStorage(storage, copy);
const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
const restored = memoryStorage();
await Promise.all([backup(copy, writable), restore(readable, restored)]);
const { findings, records } = await verify(restored, { secret });
if (findings.length > 0 || records === 0) throw new Error(JSON.stringify(findings));
