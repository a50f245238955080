// What pages load besides themselves. Names hold a digest of the bytes, so they can be held for ever.

import type { PlainResponse } from "../http/plain";
import { sha256Hex } from "../sha256";
import { script as consent } from "./built/consent";
import { script as integrations } from "./built/integrations";
import { script as tryIt } from "./built/try-it";
import { style } from "./style";

interface Asset {
  readonly type: string;
  readonly body: string | Uint8Array;
}

const assets = new Map<string, Asset>();

/** Adds an asset and gives its name, such as `site.0123456789abcdef.css`. */
export function addAsset(name: string, ending: string, type: string, body: string | Uint8Array): string {
  const full = `${name}.${sha256Hex(body).slice(0, 16)}.${ending}`;
  assets.set(full, { type, body });
  return full;
}

/** The folder of assets below a site. */
export const ASSETS = "~octavo/assets/";

export const styleAsset = addAsset("site", "css", "text/css; charset=utf-8", style);

const JAVASCRIPT = "text/javascript; charset=utf-8";
/** Calls operations of APIs from the browser. */
export const tryItAsset = addAsset("try-it", "js", JAVASCRIPT, tryIt);
/** Sends what is pressed in blocks of integrations. */
export const integrationsAsset = addAsset("integrations", "js", JAVASCRIPT, integrations);
/** Asks before scripts are loaded that use cookies. */
export const consentAsset = addAsset("consent", "js", JAVASCRIPT, consent);

/** The asset of a path, wherever the site is; undefined: the path names none. */
export function assetAnswer(path: string): PlainResponse | undefined {
  const at = path.lastIndexOf(`/${ASSETS}`);
  const asset = at < 0 ? undefined : assets.get(path.slice(at + 1 + ASSETS.length));
  if (!asset) return undefined;
  return {
    status: 200,
    headers: {
      "content-type": asset.type,
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "cross-origin",
      "access-control-allow-origin": "*",
    },
    body: asset.body,
  };
}
