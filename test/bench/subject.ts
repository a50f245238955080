// The subject of the measurements: an API with an organization, and a token; on memory, and on LevelDB in a folder that is gone
// afterwards.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DocsApi, DocsApiOptions, Storage } from "octavo";
import { createDocsApi, levelStorage, memoryStorage } from "./built";
import type { Row } from "./measure";

/** Has something measured in a folder that is gone afterwards. */
export async function inFolder<Result>(measure: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "octavo-bench-"));
  try {
    return await measure(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Has the same measured on memory and on LevelDB. Each storage is closed afterwards. */
export function onBothStorages(measure: (name: string, storage: Storage) => Promise<Row[]>): Promise<Row[]> {
  return inFolder(async (folder) => {
    const rows: Row[] = [];
    for (const [name, storage] of [["memory", memoryStorage()] as const, ["LevelDB", levelStorage(folder)] as const]) {
      rows.push(...(await measure(name, storage)));
      await storage.close();
    }
    return rows;
  });
}

export type Subject = Awaited<ReturnType<typeof createSubject>>;

export async function createSubject(storage: Storage, options: DocsApiOptions = {}) {
  const api = createDocsApi(storage, options);
  const { organization, token } = await api.provision({
    user: { displayName: "Ada", email: "ada@example.com" },
    organization: { title: "Analytical Engines" },
    // The same in every process that opens the storage.
    token: { label: "bench", value: "the-token-of-the-bench-0123456789" },
  });
  const headers = { authorization: `Bearer ${token}`, accept: "application/json" };
  const given: Readonly<Record<string, string>> = { ...headers, "content-type": "application/json" };
  const encoder = new TextEncoder();
  /** Asks as the Node door does and gives the text of the answer; throws when it is not a success. */
  const ask = async (method: string, url: string, send?: unknown) => {
    const { status, body = "" } = await api.handle({
      method,
      url,
      headers: { get: (name) => given[name] ?? null },
      body: async () => encoder.encode(send === undefined ? "" : JSON.stringify(send)),
    });
    const text = body instanceof ReadableStream ? await new Response(body).text() : (body as string);
    if (status >= 300) throw new Error(`${method} ${url}: ${status} ${text}`);
    return text;
  };
  /** Posts, and gives what was made. */
  const post = async (url: string, send: object) => JSON.parse(await ask("POST", url, send));
  return { api, path: `/v1/orgs/${organization}`, headers, ask, post };
}

/** Gets an address with given headers alone, from an API or a site; gives the status and headers of the answer. */
export async function get(
  { handle }: Pick<DocsApi, "handle">,
  url: string,
  headers: Readonly<Record<string, string>>,
  expected: number,
) {
  const answer = await handle({
    method: "GET",
    url,
    headers: { get: (name) => headers[name] ?? null },
    body: async () => new Uint8Array(),
  });
  if (answer.status !== expected) throw new Error(`${url}: ${answer.status}, not ${expected}`);
  return answer;
}
