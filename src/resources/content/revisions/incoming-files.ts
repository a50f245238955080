// Files that come in with changes: in the request itself, or from other hosts through the guarded fetch.

import type { BatchChange } from "../../../content/revision/changes";
import { createError, DocsError } from "../../../errors";
import type { Ports } from "../../../ports/ports";
import { describeFailedRequest } from "../../../utils/fetch-error";
import { readStream } from "../../../utils/streams";
import type { Change } from "./changes-schema";

/** The largest file that is fetched from another host. */
export const MAX_FETCHED_BYTES = 20 * 1024 * 1024;

/** Checks whether a body that was not validated yet may insert files, which may be on other hosts. */
export function mayInsertFiles(body: unknown): boolean {
  const { changes } = (body ?? {}) as { readonly changes?: unknown };
  return Array.isArray(changes) && changes.some((change) => change?.operation === "insert_files");
}

/** Returns changes with the bytes of their files. All fetches share one time limit. */
export async function fetchFiles(
  { fetch: fetchUrl, files: { timeoutMs } }: Pick<Ports, "fetch" | "files">,
  changes: readonly Change[],
): Promise<BatchChange[]> {
  const hasUrls = changes.some(
    (change) => change.operation === "insert_files" && change.files.some(({ url }) => url !== undefined),
  );
  const controller = new AbortController();
  const timer = hasUrls ? setTimeout(() => controller.abort(), timeoutMs) : undefined;
  try {
    const batch: BatchChange[] = [];
    for (const [index, change] of changes.entries()) {
      if (change.operation !== "insert_files") {
        batch.push(change as BatchChange);
        continue;
      }
      const files = [];
      for (const [i, { url, base64, ...file }] of change.files.entries()) {
        const path = `body.changes.${index}.files.${i}`;
        if (url !== undefined) {
          files.push({ ...file, bytes: await fetchFile(fetchUrl, url, `${path}.url`, controller.signal) });
          continue;
        }
        try {
          const bytes = Uint8Array.from(atob(base64!), (character) => character.charCodeAt(0));
          files.push({ ...file, bytes });
        } catch {
          const issue = { path: `${path}.base64`, message: "Expected base64" };
          throw new DocsError("invalid_request", { issues: [issue] });
        }
      }
      batch.push({ ...change, files });
    }
    return batch;
  } finally {
    clearTimeout(timer);
  }
}

async function fetchFile(
  fetchUrl: typeof fetch | undefined,
  url: string,
  path: string,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (!fetchUrl) throw createError("no_outbound_fetch");
  const createFetchError = (reason: string, cause?: unknown) => {
    const message = signal.aborted ? "The files of other hosts took too long" : reason;
    return new DocsError("fetch_failed", { issues: [{ path, message }], cause });
  };
  let response: Response;
  try {
    response = await fetchUrl(url, { signal });
  } catch (cause) {
    throw createFetchError(describeFailedRequest("The host", cause), cause);
  }
  if (!response.ok) throw createFetchError(`The host answered with ${response.status}`);
  const bytes = await readStream(response.body, MAX_FETCHED_BYTES).catch((cause) => {
    throw createFetchError("The host did not send the whole file", cause);
  });
  if (!bytes) throw createFetchError(`The file is larger than ${MAX_FETCHED_BYTES} bytes`);
  return bytes;
}
