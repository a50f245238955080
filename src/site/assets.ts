// What pages load besides themselves. Names hold a digest of the bytes, so they can be held for ever.

import { buildPolicySources } from "../http/content-security-policy";
import type { PlainResponse } from "../http/plain-request";
import { parseTarget } from "../http/request-target";
import { sha256Hex } from "../utils/sha256";
import { script as diagram } from "./built/diagram";
import { script as early } from "./built/early";
import { script as full } from "./built/full";
import { script } from "./built/script";
import { style } from "./style";
import type { Visit } from "./visit";

interface Asset extends PlainResponse {
  readonly body: string | Uint8Array;
}

const assets = new Map<string, Asset>();

/** Adds an asset and gives its name, such as `site.0123456789abcdef.css`. */
export function addAsset(name: string, ending: string, type: string, body: string | Uint8Array): string {
  const full = `${name}.${sha256Hex(body).slice(0, 16)}.${ending}`;
  const headers = {
    "content-type": type,
    "cache-control": "public, max-age=31536000, immutable",
    vary: "accept-encoding",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "cross-origin",
    "access-control-allow-origin": "*",
  };
  assets.set(full, { status: 200, headers, body });
  return full;
}

/** Everything that pages may load, by its name. */
export function allAssets(): Iterable<readonly [name: string, body: string | Uint8Array]> {
  return Array.from(assets, ([name, { body }]) => [name, body] as const);
}

/** The folder of assets below a site. */
export const ASSETS = "~octavo/assets/";

export const styleAsset = addAsset("site", "css", "text/css; charset=utf-8", style);
export const scriptAsset = addScript("site", script);
/** The same, and what calls operations of APIs, sends what is pressed in blocks of integrations, and asks before cookies. */
export const fullScriptAsset = addScript("site-full", full);
export const earlyAsset = addScript("early", early);
export const diagramAsset = addScript("diagram", diagram);

/** Adds a script and gives its name. */
export function addScript(name: string, body: string | Uint8Array): string {
  return addAsset(name, "js", "text/javascript; charset=utf-8", body);
}

/** The sources of a policy that let a page of a site load its assets. */
export function assetSources({ url, own }: Pick<Visit, "url" | "own">): string {
  const { host, pathname } = parseTarget(own(ASSETS), url.origin)!;
  return buildPolicySources([host], pathname);
}

/** The asset of a path, wherever the site is; undefined: the path names none. */
export function assetAnswer(path: string): PlainResponse | undefined {
  const at = path.lastIndexOf(`/${ASSETS}`);
  return at < 0 ? undefined : assets.get(path.slice(at + 1 + ASSETS.length));
}
