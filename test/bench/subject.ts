// The subject of the measurements: an API with an organization, and a token.

import type { DocsApi, DocsApiOptions, Storage } from "octavo";
import { createDocsApi } from "./built";

export interface Subject {
  readonly api: DocsApi;
  /** The path of the organization. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Asks as the Node door does and gives the text of the answer; throws when it is not a success. */
  readonly ask: (method: string, path: string, send?: unknown) => Promise<string>;
}

export async function createSubject(storage: Storage, options: DocsApiOptions = {}): Promise<Subject> {
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
  return { api, path: `/v1/orgs/${organization}`, headers, ask };
}
