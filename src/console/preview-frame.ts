// The empty page that previews are rendered into. It has the styles of published pages and runs no scripts: both its policy and
// the sandbox of the frame forbid them.

import type { PlainResponse } from "../http/plain-request";
import { html } from "../utils/html";

/** The styles that page comparisons add to those of published pages. */
export const comparisonStyles = `
.change { text-decoration: none; border-radius: 3px; }
ins.change { background: color-mix(in srgb, var(--success) 22%, var(--paper)); }
del.change { background: color-mix(in srgb, var(--danger) 20%, var(--paper)); text-decoration: line-through; }
.change.block { display: block; margin: 0 0 1rem; padding: .5rem .75rem; border-inline-start: 4px solid var(--success); text-decoration: none; }
del.change.block { border-color: var(--danger); opacity: .85; }
.change.block > :last-child { margin-bottom: 0; }
.left-out { text-align: center; color: var(--quiet); }
main { padding-block: 1.25rem; }
`;

/** Creates the response with the page. `style` is the path of its style sheet. */
export function createPreviewFrame(style: string): PlainResponse {
  const head = html`<meta charset="utf-8"><title>Preview</title><meta name="viewport" content="width=device-width"><link rel="stylesheet" href="${style}">`;
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
  return {
    status: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy.join("; "),
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "private, max-age=3600",
    },
    body: page.text,
  };
}
