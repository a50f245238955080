// Files that are inserted by their URL, from a host that takes its time: the wait has an end, and only whoever asked waits.

import { memoryStorage } from "octavo/memory";
import { describe, expect, test } from "vitest";
import { PATIENCE_MS } from "../support/patience";
import { open, setUp } from "../support/setting";

/** Ends as a fetch does whose signal fires. */
const aborted = (signal: AbortSignal | null | undefined) =>
  new Promise<never>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));

const hosts: Record<string, typeof fetch> = {
  "never answers": async (_url, init) => aborted(init?.signal),
  "stops in the middle": async (_url, init) => {
    const pull = async (controller: ReadableStreamDefaultController) => {
      controller.enqueue(new Uint8Array([1]));
      await aborted(init?.signal);
    };
    return new Response(new ReadableStream({ pull }));
  },
};

const inserting = (...urls: string[]) => ({
  changes: [
    { operation: "insert_files", files: urls.map((url) => ({ name: "a.txt", contentType: "text/plain", url })) },
  ],
});

/** A space with a change request, and a way to change both. */
async function spaceWith(reach: typeof fetch, maxSeconds: number) {
  const storage = memoryStorage();
  const { org, ask, tokens, clock } = await setUp(storage);
  const space = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Guide" })).body.id;
  const made = await ask("admin", `POST /v1/spaces/${space}/change-requests`, { subject: "Change" });
  const { askWith } = open(storage, { fetch: reach, files: { maxSeconds }, now: () => clock.now });
  return {
    places: [`/v1/spaces/${space}`, `/v1/spaces/${space}/change-requests/${made.body.id}`],
    change: (at: string, send: object) => askWith(tokens.admin, `POST ${at}/content`, send),
  };
}

describe.each(Object.entries(hosts))("a host that %s", (_, reach) => {
  test("the wait for a failing host ends once for all files of a request, and the response says so", async () => {
    const { places, change } = await spaceWith(reach, 0.05);
    for (const at of places) {
      const answer = await change(at, inserting("https://files.example/a", "https://files.example/b"));
      expect(answer.status).toBe(502);
      expect(answer.body.error).toMatchObject({
        reason: "fetch_failed",
        issues: [{ path: "body.changes.0.files.0.url", message: "The files of other hosts took too long" }],
      });
    }
  });

  test("the wait for a failing host does not prevent others from changing the space", async () => {
    let release: (() => void) | undefined;
    const waiting: typeof fetch = async (url, init) => {
      const over = new AbortController();
      release = () => over.abort();
      return reach(url, { ...init, signal: AbortSignal.any([init?.signal ?? over.signal, over.signal]) });
    };
    const { places, change } = await spaceWith(waiting, 600);
    for (const at of places) {
      release = undefined;
      const slow = change(at, inserting("https://files.example/a"));
      await expect.poll(() => release, { timeout: PATIENCE_MS }).toBeDefined();
      const page = { operation: "insert_page", title: "Start", document: { markdown: "Hello." } };
      expect((await change(at, { changes: [page] })).status).toBe(200);
      release!();
      expect((await slow).status).toBe(502);
    }
  });
});
