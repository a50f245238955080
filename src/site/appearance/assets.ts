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

export const assets = new Map<string, SiteAsset>();

const ASSET_TYPES = { css: "text/css; charset=utf-8", js: "text/javascript; charset=utf-8" };

/** Registers an asset, and returns its name, such as `site.0123456789abcdef.css`. */
export function registerAsset(name: string, extension: keyof typeof ASSET_TYPES, body: string | Uint8Array): string {
  const assetName = `${name}.${sha256Hex(body).slice(0, 16)}.${extension}`;
  const headers = {
    "content-type": ASSET_TYPES[extension],
    "cache-control": "public, max-age=31536000, immutable",
    vary: "accept-encoding",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "cross-origin",
    "access-control-allow-origin": "*",
  };
  assets.set(assetName, { status: 200, headers, body });
  return assetName;
}

/** The path of assets below a site. */
export const ASSETS_PATH = "~octavo/assets/";

export const styleAsset = registerAsset("site", "css", stylesheet);
export const scriptAsset = registerAsset("site", "js", script);
/** The script of pages, with the code for try-it forms, blocks of integrations, and cookie consent. */
export const fullScriptAsset = registerAsset("site-full", "js", full);
export const earlyAsset = registerAsset("early", "js", early);
export const diagramAsset = registerAsset("diagram", "js", diagram);

/** Returns the sources of a policy that allow a page of a site to load its assets. */
export function getAssetSources({ url, toSiteUrl }: Pick<RequestContext, "url" | "toSiteUrl">): string {
  const { host, pathname } = parseTarget(toSiteUrl(ASSETS_PATH), url.origin)!;
  return buildPolicySources([host], pathname);
}
