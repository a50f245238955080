// What pages load besides themselves. Names hold a digest of the bytes, so they can be held for ever.

import { buildPolicySources } from "../../http/content-security-policy";
import type { PlainResponse } from "../../http/plain-request";
import { parseTarget } from "../../http/request-target";
import { sha256Hex } from "../../utils/sha256";
import { script as diagram } from "../built/diagram";
import { script as early } from "../built/early";
import { script as full } from "../built/full";
import { script } from "../built/script";
import type { RequestContext } from "../request/request-context";
import { stylesheet } from "./stylesheet";

interface SiteAsset extends PlainResponse {
  readonly body: string | Uint8Array;
}

const assets = new Map<string, SiteAsset>();

/** Adds an asset and gives its name, such as `site.0123456789abcdef.css`. */
export function registerAsset(name: string, ending: string, type: string, body: string | Uint8Array): string {
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
export function listAssets(): Iterable<readonly [name: string, body: string | Uint8Array]> {
  return Array.from(assets, ([name, { body }]) => [name, body] as const);
}

/** The folder of assets below a site. */
export const ASSETS_PATH = "~octavo/assets/";

export const styleAsset = registerAsset("site", "css", "text/css; charset=utf-8", stylesheet);
export const scriptAsset = registerScript("site", script);
/** The same, and what calls operations of APIs, sends what is pressed in blocks of integrations, and asks before cookies. */
export const fullScriptAsset = registerScript("site-full", full);
export const earlyAsset = registerScript("early", early);
export const diagramAsset = registerScript("diagram", diagram);

/** Adds a script and gives its name. */
export function registerScript(name: string, body: string | Uint8Array): string {
  return registerAsset(name, "js", "text/javascript; charset=utf-8", body);
}

/** The sources of a policy that let a page of a site load its assets. */
export function getAssetSources({ url, toSiteUrl }: Pick<RequestContext, "url" | "toSiteUrl">): string {
  const { host, pathname } = parseTarget(toSiteUrl(ASSETS_PATH), url.origin)!;
  return buildPolicySources([host], pathname);
}

/** The asset of a path, wherever the site is; undefined: the path names none. */
export function findAsset(path: string): PlainResponse | undefined {
  const at = path.lastIndexOf(`/${ASSETS_PATH}`);
  return at < 0 ? undefined : assets.get(path.slice(at + 1 + ASSETS_PATH.length));
}
