// Downloads the bytes at a URL, up to a limit.

import { decodePercent, getBaseName } from "../content/book/paths";
import { ByteBuilder } from "../utils/bytes";
import { describeFailedRequest } from "../utils/fetch-error";
import { tryParseUrl } from "../utils/url";
import { describeLimitOption, ImportError } from "./errors";

/** The most bytes of a download by default. */
export const MAX_DOWNLOAD_BYTES = 100 * 1024 * 1024;

export interface DownloadedFile {
  readonly bytes: Uint8Array;
  /** The last URL, after redirects. */
  readonly url: string;
  /** The name that its sender or its URL gives it. Empty if neither does. */
  readonly name: string;
}

interface DownloadRequest {
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  /** The most bytes. Default: `MAX_DOWNLOAD_BYTES`. */
  readonly limit?: number | undefined;
}

/** Downloads a file. Its bytes decide what it is, whatever its sender says. Throws `ImportError` if that fails. */
export async function download(url: string, fetch: typeof globalThis.fetch, limit?: number): Promise<DownloadedFile> {
  const builder = new ByteBuilder();
  const file = await streamDownload(async (bytes) => builder.append(bytes), { url, fetch, limit });
  return { ...file, bytes: builder.toBytes() };
}

/** Downloads a file as `download` does, and passes on the bytes as they arrive. */
export async function streamDownload(
  write: (bytes: Uint8Array) => Promise<void>,
  { url, fetch, limit = MAX_DOWNLOAD_BYTES }: DownloadRequest,
): Promise<Omit<DownloadedFile, "bytes">> {
  let response: Response;
  try {
    response = await fetch(url, { headers: { accept: "*/*" } });
  } catch (cause) {
    throw new ImportError(`${describeFailedRequest("The address", cause)} Nothing was imported.`, { cause });
  }
  if (!response.ok) {
    await response.body?.cancel();
    throw new ImportError(`The URL returned the status ${response.status}, so nothing was imported.`);
  }
  if (response.body) {
    const reader = response.body.getReader();
    const readChunk = () =>
      reader.read().catch((cause) => {
        throw new ImportError("The download was interrupted, so nothing was imported. Try again.", { cause });
      });
    try {
      let bytesLeft = limit;
      for (let chunk = await readChunk(); !chunk.done; chunk = await readChunk()) {
        bytesLeft -= chunk.value.length;
        if (bytesLeft < 0)
          throw new ImportError(
            `What is at the address has more than ${limit} bytes, and was not imported. ${describeLimitOption("maxBytes")}`,
          );
        await write(chunk.value);
      }
    } catch (error) {
      // Errors of the canceled rest do not matter.
      await reader.cancel().catch(() => {});
      throw error;
    }
  }

  const lastUrl = response.url || url;
  const disposition = response.headers.get("content-disposition") ?? "";
  const encoded = /filename\*\s*=\s*UTF-8''([^;\s]{1,1000})/i.exec(disposition)?.[1];
  const quoted = /filename\s*=\s*(?:"([^"]{1,1000})"|([^;\s]{1,1000}))/i.exec(disposition);
  const stated = encoded === undefined ? (quoted?.[1] ?? quoted?.[2]) : decodePercent(encoded);
  const name =
    stated === undefined
      ? decodePercent(getBaseName(tryParseUrl(lastUrl)?.pathname ?? ""))
      : getBaseName(stated.replaceAll("\\", "/"));
  return { url: lastUrl, name };
}
