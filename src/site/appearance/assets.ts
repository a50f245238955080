// The assets that pages load. Their names contain a digest of their content, so they can be cached forever.

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

/** Registers an asset, and returns its name, such as `site.0123456789abcdef.css`. */
function registerAsset(name: string, extension: string, type: string, body: string | Uint8Array): string {
  const assetName = `${name}.${sha256Hex(body).slice(0, 16)}.${extension}`;
  const headers = {
    "content-type": type,
    "cache-control": "public, max-age=31536000, immutable",
    vary: "accept-encoding",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "cross-origin",
    "access-control-allow-origin": "*",
  };
  assets.set(assetName, { status: 200, headers, body });
  return assetName;
}

/** Returns the content of all assets, by name. */
export function listAssets(): Iterable<readonly [name: string, body: string | Uint8Array]> {
  return Array.from(assets, ([name, { body }]) => [name, body] as const);
}

/** The path of assets below a site. */
export const ASSETS_PATH = "~octavo/assets/";

export const styleAsset = registerAsset("site", "css", "text/css; charset=utf-8", stylesheet);
export const scriptAsset = registerScript("site", script);
/** The script of pages, with the code for try-it forms, blocks of integrations, and cookie consent. */
export const fullScriptAsset = registerScript("site-full", full);
export const earlyAsset = registerScript("early", early);
export const diagramAsset = registerScript("diagram", diagram);

/** Registers a script, and returns its name. */
export function registerScript(name: string, body: string | Uint8Array): string {
  return registerAsset(name, "js", "text/javascript; charset=utf-8", body);
}

/** Returns the sources of a policy that allow a page of a site to load its assets. */
export function getAssetSources({ url, toSiteUrl }: Pick<RequestContext, "url" | "toSiteUrl">): string {
  const { host, pathname } = parseTarget(toSiteUrl(ASSETS_PATH), url.origin)!;
  return buildPolicySources([host], pathname);
}

/** Returns the asset of a path, which may be below any site. Returns undefined if the path is not that of an asset. */
export function findAsset(path: string): PlainResponse | undefined {
  const at = path.lastIndexOf(`/${ASSETS_PATH}`);
  return at < 0 ? undefined : assets.get(path.slice(at + 1 + ASSETS_PATH.length));
}
