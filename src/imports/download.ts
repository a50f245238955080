// A download: the bytes at an address, no more than may be taken.

import { lastNameOf } from "../content/book/paths";
import { failedRequest } from "../fetch-failure";
import { readStream } from "../streams";
import { readAddress } from "../web-address";
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
export async function download(url: string, fetch: typeof globalThis.fetch, limit = MAX_DOWNLOAD): Promise<Download> {
  const response = await answerOf(url, fetch);
  if (!response.ok) {
    await response.body?.cancel();
    throw new ImportRefused(`The address answered with ${response.status}, and nothing was imported.`);
  }
  const bytes = await bodyOf(response, limit);
  const from = response.url || url;
  return { bytes, url: from, name: statedName(response.headers.get("content-disposition")) ?? nameIn(from) };
}

async function answerOf(url: string, fetch: typeof globalThis.fetch): Promise<Response> {
  try {
    return await fetch(url, { headers: { accept: "*/*" } });
  } catch (error) {
    throw new ImportRefused(`${failedRequest("The address", error)} Nothing was imported.`, { cause: error });
  }
}

async function bodyOf(response: Response, limit: number): Promise<Uint8Array> {
  const bytes = await readStream(response.body, limit).catch((cause) => {
    throw new ImportRefused("The address did not send everything, and nothing was imported.", { cause });
  });
  if (!bytes)
    throw new ImportRefused(
      `What is at the address has more than ${limit} bytes, and was not imported. ${howToRaise("maxBytes")}`,
    );
  return bytes;
}

function statedName(disposition: string | null): string | undefined {
  const encoded = /filename\*\s*=\s*UTF-8''([^;\s]{1,1000})/i.exec(disposition ?? "")?.[1];
  const plain = /filename\s*=\s*(?:"([^"]{1,1000})"|([^;\s]{1,1000}))/i.exec(disposition ?? "");
  const name = encoded === undefined ? (plain?.[1] ?? plain?.[2]) : decoded(encoded);
  return name === undefined ? undefined : lastNameOf(name.replaceAll("\\", "/"));
}

function nameIn(url: string): string {
  return decoded(lastNameOf(readAddress(url)?.pathname ?? ""));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
