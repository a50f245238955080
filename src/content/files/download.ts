// The headers of a stored file. Whatever its bytes are, nothing in it runs: no type is guessed, no script is allowed,
// and everything except pictures, sound and film is saved instead of shown.

import { omitUndefined } from "../../utils/objects";
import { safeFileName } from "./names";

/** What is known of a file when it goes out. */
export interface Download {
  readonly contentType: string;
  readonly name: string;
  /** In bytes; left out where it is not known yet. */
  readonly size?: number | undefined;
}

/** PDF is not among them, because no browser shows one in a sandbox. */
const SHOWN = /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp|vnd\.microsoft\.icon)|audio\/[\w.+-]+|video\/[\w.+-]+)$/;
/** Any page may ask to run or apply these, and a policy that trusts this origin would allow it. */
const RUN = /^(?:text\/(?:javascript|css)|application\/(?:(?:x-)?javascript|ecmascript|wasm))$/;
const CONTENT_TYPE = /^[\w.+-]+\/[\w.+-]+$/;

/** The headers of a file's answer. */
export function downloadHeaders({ contentType, name, size }: Download): Record<string, string> {
  return {
    "content-type": typeSent(contentType),
    ...omitUndefined({ "content-length": size === undefined ? undefined : String(size) }),
    "content-disposition": `${SHOWN.test(contentType) ? "inline" : "attachment"}; ${fileNames(safeFileName(name))}`,
    "content-security-policy": "sandbox; default-src 'none'",
    "cross-origin-resource-policy": "cross-origin",
    // The bytes behind a URL never change. The reader may keep them for a while; shared caches may not.
    "cache-control": "private, max-age=3600",
    "x-content-type-options": "nosniff",
  };
}

function typeSent(contentType: string): string {
  if (RUN.test(contentType)) return "text/plain; charset=utf-8";
  return CONTENT_TYPE.test(contentType) ? contentType : "application/octet-stream";
}

/** The name as RFC 6266 has it: once in ASCII, for old clients, and once in full. */
function fileNames(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/gu, "_");
  const full = encodeURIComponent(name).replace(/['()*]/g, (it) => `%${it.charCodeAt(0).toString(16).toUpperCase()}`);
  return `filename="${ascii}"; filename*=UTF-8''${full}`;
}
