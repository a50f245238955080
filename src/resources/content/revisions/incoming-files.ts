// Files that come in: from the request, or from another host through the guarded fetch.

import type { BatchChange as ContentChange } from "../../../content/revision/changes";
import { createError, DocsError } from "../../../errors";
import type { Ports } from "../../../ports/ports";
import { describeFailedRequest } from "../../../utils/fetch-error";
import { readStream } from "../../../utils/streams";
import type { Change } from "./changes-schema";

/** The largest file that is fetched from another host. */
export const MAX_FETCHED_BYTES = 20 * 1024 * 1024;

/** Whether the changes have files on another host. */
function nameOtherHosts(changes: readonly Change[]): boolean {
  return changes.some((it) => it.operation === "insert_files" && it.files.some(({ url }) => url !== undefined));
}

/** The same for an unchecked body. */
export function mayNameOtherHosts(sent: unknown): boolean {
  const { changes } = (sent ?? {}) as { readonly changes?: unknown };
  return Array.isArray(changes) && changes.some((it) => it?.operation === "insert_files");
}

/** The changes with the bytes of their files. All fetches share one time limit. */
export async function fetchFiles(
  { fetch: reach, files: { timeoutMs: milliseconds } }: Pick<Ports, "fetch" | "files">,
  changes: readonly Change[],
): Promise<ContentChange[]> {
  const limit = new AbortController();
  const timer = nameOtherHosts(changes) ? setTimeout(() => limit.abort(), milliseconds) : undefined;
  try {
    return await filesOf(reach, changes, limit.signal);
  } finally {
    clearTimeout(timer);
  }
}

async function filesOf(
  reach: typeof fetch | undefined,
  changes: readonly Change[],
  signal: AbortSignal,
): Promise<ContentChange[]> {
  const found: ContentChange[] = [];
  for (const [index, change] of changes.entries()) {
    if (change.operation !== "insert_files") {
      found.push(change as ContentChange);
      continue;
    }
    const files = [];
    for (const [i, { url, base64, ...file }] of change.files.entries()) {
      const at = `body.changes.${index}.files.${i}`;
      files.push({ ...file, bytes: url === undefined ? decoded(base64!, at) : await fetched(reach, url, at, signal) });
    }
    found.push({ ...change, files });
  }
  return found;
}

function decoded(base64: string, at: string): Uint8Array {
  try {
    return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  } catch {
    throw new DocsError("invalid_request", { issues: [{ path: `${at}.base64`, message: "Expected base64" }] });
  }
}

async function fetched(
  reach: typeof fetch | undefined,
  url: string,
  at: string,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (!reach) throw createError("no_outbound_fetch");
  const refused = (told: string, cause?: unknown) => {
    const message = signal.aborted ? "The files of other hosts took too long" : told;
    return new DocsError("fetch_failed", { issues: [{ path: `${at}.url`, message }], cause });
  };
  let response: Response;
  try {
    response = await reach(url, { signal });
  } catch (cause) {
    throw refused(describeFailedRequest("The host", cause), cause);
  }
  if (!response.ok) throw refused(`The host answered with ${response.status}`);
  const bytes = await readStream(response.body, MAX_FETCHED_BYTES).catch((cause) => {
    throw refused("The host did not send the whole file", cause);
  });
  if (!bytes) throw refused(`The file is larger than ${MAX_FETCHED_BYTES} bytes`);
  return bytes;
}
