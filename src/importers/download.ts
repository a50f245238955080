// A download: the bytes at an address, no more than may be taken.

import { getBaseName } from "../content/book/paths";
import { ByteBuilder } from "../utils/bytes";
import { describeFailedRequest } from "../utils/fetch-error";
import { tryParseUrl } from "../utils/url";
import { howToRaise, ImportRefused } from "./refused";

/** The most bytes of a download when nobody says otherwise. */
export const MAX_DOWNLOAD = 100 * 1024 * 1024;

/** What was downloaded. */
export interface Download {
  readonly bytes: Uint8Array;
  /** Where it came from in the end. */
  readonly url: string;
  /** What it is called, by its sender or its address; empty when neither says it. */
  readonly name: string;
}

/** Downloads what is at an address. Its bytes decide what it is, whatever its sender says. */
export async function download(url: string, fetch: typeof globalThis.fetch, limit?: number): Promise<Download> {
  const bytes = new ByteBuilder();
  const about = await downloadTo(async (some) => bytes.append(some), { url, fetch, limit });
  return { ...about, bytes: bytes.toBytes() };
}

/** The same, for somebody who takes the bytes as they come. */
export async function downloadTo(
  take: (bytes: Uint8Array) => Promise<void>,
  { url, fetch, limit = MAX_DOWNLOAD }: Wanted,
): Promise<Omit<Download, "bytes">> {
  const response = await answerOf(url, fetch);
  if (!response.ok) {
    await response.body?.cancel();
    throw new ImportRefused(`The address answered with ${response.status}, and nothing was imported.`);
  }
  if (response.body) await readBody(response.body, limit, take);
  const from = response.url || url;
  return { url: from, name: statedName(response.headers.get("content-disposition")) ?? nameIn(from) };
}

interface Wanted {
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  /** The most bytes. Default: `MAX_DOWNLOAD`. */
  readonly limit?: number | undefined;
}

async function answerOf(url: string, fetch: typeof globalThis.fetch): Promise<Response> {
  try {
    return await fetch(url, { headers: { accept: "*/*" } });
  } catch (error) {
    throw new ImportRefused(`${describeFailedRequest("The address", error)} Nothing was imported.`, { cause: error });
  }
}

async function readBody(
  body: ReadableStream<Uint8Array>,
  limit: number,
  take: (bytes: Uint8Array) => Promise<void>,
): Promise<void> {
  const reader = body.getReader();
  const next = () =>
    reader.read().catch((cause) => {
      throw new ImportRefused("The address did not send everything, and nothing was imported.", { cause });
    });
  try {
    let left = limit;
    for (let some = await next(); !some.done; some = await next()) {
      left -= some.value.length;
      if (left < 0)
        throw new ImportRefused(
          `What is at the address has more than ${limit} bytes, and was not imported. ${howToRaise("maxBytes")}`,
        );
      await take(some.value);
    }
  } catch (error) {
    // Errors of the canceled rest do not matter.
    await reader.cancel().catch(() => {});
    throw error;
  }
}

function statedName(disposition: string | null): string | undefined {
  const encoded = /filename\*\s*=\s*UTF-8''([^;\s]{1,1000})/i.exec(disposition ?? "")?.[1];
  const plain = /filename\s*=\s*(?:"([^"]{1,1000})"|([^;\s]{1,1000}))/i.exec(disposition ?? "");
  const name = encoded === undefined ? (plain?.[1] ?? plain?.[2]) : decoded(encoded);
  return name === undefined ? undefined : getBaseName(name.replaceAll("\\", "/"));
}

function nameIn(url: string): string {
  return decoded(getBaseName(tryParseUrl(url)?.pathname ?? ""));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
