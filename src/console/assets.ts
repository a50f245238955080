// The files of the application. Names hold a digest of the bytes, so browsers may hold them for ever. They are loaded when
// the first browser asks.

import type { PlainResponse } from "../http/plain-request";
import { loadLazily } from "../utils/lazy";
import { sha256Hex } from "../utils/sha256";
import { compared, frameOfPreview } from "./preview-frame";

/** The folder of the console's own files. No address of the API or of signing in begins so. */
export const OWN = "/~console/";

export const loadFiles = loadLazily(async () => {
  const { entry, files } = await import("./built/files");
  const style = (await import("../site/appearance/stylesheet")).stylesheet + compared;
  const readerStyle = `reader.${sha256Hex(style).slice(0, 16)}.css`;
  const answers = new Map(Object.entries(files).map(([name, body]) => [`${OWN}${name}`, answerOf(name, body)]));
  answers.set(`${OWN}${readerStyle}`, answerOf(readerStyle, style));
  answers.set(`${OWN}preview`, frameOfPreview(`${OWN}${readerStyle}`));
  return { entry, answers };
});

export async function assetAnswer(path: string): Promise<PlainResponse | undefined> {
  return (await loadFiles()).answers.get(path);
}

function answerOf(name: string, body: string): PlainResponse {
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
