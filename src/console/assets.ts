// The files of the application. Their names contain a digest, so browsers may cache them forever. They are loaded at the first
// request.

import type { PlainResponse } from "../http/plain-request";
import { html } from "../utils/html";
import { loadLazily } from "../utils/lazy";
import { sha256Hex } from "../utils/sha256";

/** The path of the console's own files. No path of the API or of the sign-in pages begins with it. */
export const ASSETS_PATH = "/~console/";

export const loadFiles = loadLazily(async () => {
  const { entry, files } = await import("./built/files");
  const style = (await import("../site/appearance/stylesheet")).stylesheet + comparisonStyles;
  const styleName = `reader.${sha256Hex(style).slice(0, 16)}.css`;
  const stylePath = `${ASSETS_PATH}${styleName}`;
  const responses = new Map<string, PlainResponse>(
    Object.entries(files).map(([name, body]) => [`${ASSETS_PATH}${name}`, createAssetResponse(name, body)]),
  );
  responses.set(stylePath, createAssetResponse(styleName, style));

  // Previews are rendered into an empty page with the style sheet of published pages. It runs no scripts: both its policy and the
  // sandbox of the frame forbid them.
  const viewport = html`<meta name="viewport" content="width=device-width">`;
  const head = html`<meta charset="utf-8"><title>Preview</title>${viewport}<link rel="stylesheet" href="${stylePath}">`;
  const page = html`<!DOCTYPE html>
<html class="device">
<head>${head}</head>
<body></body>
</html>
`;
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data: https: http:",
    "media-src 'self' https: http:",
    "font-src 'self' https: http:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "sandbox allow-same-origin allow-top-navigation-by-user-activation allow-popups",
  ];
  responses.set(`${ASSETS_PATH}preview`, {
    status: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy.join("; "),
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "private, max-age=3600",
    },
    body: page.text,
  });
  return { entry, responses };
});

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

/** The styles that page comparisons add to those of published pages. */
const comparisonStyles = `
.change { text-decoration: none; border-radius: 3px; }
ins.change { background: color-mix(in srgb, var(--success) 22%, var(--paper)); }
del.change { background: color-mix(in srgb, var(--danger) 20%, var(--paper)); text-decoration: line-through; }
.change.block { display: block; margin: 0 0 1rem; padding: .5rem .75rem; border-inline-start: 4px solid var(--success); text-decoration: none; }
del.change.block { border-color: var(--danger); opacity: .85; }
.change.block > :last-child { margin-bottom: 0; }
.left-out { text-align: center; color: var(--quiet); }
main { padding-block: 1.25rem; }
`;
