// Creates the response headers of a stored file. Whatever its bytes are, nothing in it runs: browsers guess no type and run no script, and
// save everything except images, audio and video instead of showing it.

import { omitUndefined } from "../../utils/objects";
import { sanitizeFileName } from "./file-names";

export interface DownloadableFile {
  readonly contentType: string;
  readonly name: string;
  /** The size in bytes, if it is known. */
  readonly size?: number | undefined;
}

/** PDF is not included, because no browser shows one in a sandbox. */
const SHOWN_TYPES = /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp|vnd\.microsoft\.icon)|audio\/[\w.+-]+|video\/[\w.+-]+)$/;
/** Any page may load and run or apply these, and a policy that trusts this origin would allow it. */
const EXECUTABLE_TYPES = /^(?:text\/(?:javascript|css)|application\/(?:(?:x-)?javascript|ecmascript|wasm))$/;
const CONTENT_TYPE = /^[\w.+-]+\/[\w.+-]+$/;

export function createDownloadHeaders({ contentType, name, size }: DownloadableFile): Record<string, string> {
  let sentType = CONTENT_TYPE.test(contentType) ? contentType : "application/octet-stream";
  if (EXECUTABLE_TYPES.test(contentType)) sentType = "text/plain; charset=utf-8";
  // RFC 6266: the name is sent once in ASCII, for old clients, and once in full.
  const fileName = sanitizeFileName(name);
  const asciiName = fileName.replace(/[^\x20-\x7e]|["\\%]/gu, "_");
  const fullName = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const disposition = SHOWN_TYPES.test(contentType) ? "inline" : "attachment";
  return {
    "content-type": sentType,
    ...omitUndefined({ "content-length": size === undefined ? undefined : String(size) }),
    "content-disposition": `${disposition}; filename="${asciiName}"; filename*=UTF-8''${fullName}`,
    "content-security-policy": "sandbox; default-src 'none'",
    "cross-origin-resource-policy": "cross-origin",
    // The bytes of a URL never change. A private cache may store them for a while; shared caches may not.
    "cache-control": "private, max-age=3600",
    "x-content-type-options": "nosniff",
  };
}
