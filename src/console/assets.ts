// The files of the application. Their names contain a digest, so browsers may cache them forever. They are loaded at the first
// request.

import type { PlainResponse } from "../http/plain-request";
import { loadLazily } from "../utils/lazy";
import { sha256Hex } from "../utils/sha256";
import { comparisonStyles, createPreviewFrame } from "./preview-frame";

/** The path of the console's own files. No path of the API or of the sign-in pages begins with it. */
export const ASSETS_PATH = "/~console/";

export const loadFiles = loadLazily(async () => {
  const { entry, files } = await import("./built/files");
  const style = (await import("../site/appearance/stylesheet")).stylesheet + comparisonStyles;
  const readerStyle = `reader.${sha256Hex(style).slice(0, 16)}.css`;
  const responses = new Map(
    Object.entries(files).map(([name, body]) => [`${ASSETS_PATH}${name}`, createAssetResponse(name, body)]),
  );
  responses.set(`${ASSETS_PATH}${readerStyle}`, createAssetResponse(readerStyle, style));
  responses.set(`${ASSETS_PATH}preview`, createPreviewFrame(`${ASSETS_PATH}${readerStyle}`));
  return { entry, responses };
});

/** Returns the response for a path below `ASSETS_PATH`, or undefined if there is no such file. */
export async function getAsset(path: string): Promise<PlainResponse | undefined> {
  return (await loadFiles()).responses.get(path);
}

function createAssetResponse(name: string, body: string): PlainResponse {
  const type = name.endsWith(".css") ? "text/css" : "text/javascript";
  const headers = {
    "content-type": `${type}; charset=utf-8`,
    "cache-control": "public, max-age=31536000, immutable",
    vary: "accept-encoding",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
  };
  return { status: 200, headers, body };
}
