// The empty page that previews are drawn into. It looks as the pages of the reader do, and runs no script: neither its policy
// nor the sandbox of the frame lets one run.

import type { PlainResponse } from "../http/plain-request";
import { html } from "../utils/html";

/** What comparisons of pages add to the look of the reader. */
export const compared = `
.change { text-decoration: none; border-radius: 3px; }
ins.change { background: color-mix(in srgb, var(--success) 22%, var(--paper)); }
del.change { background: color-mix(in srgb, var(--danger) 20%, var(--paper)); text-decoration: line-through; }
.change.block { display: block; margin: 0 0 1rem; padding: .5rem .75rem; border-inline-start: 4px solid var(--success); text-decoration: none; }
del.change.block { border-color: var(--danger); opacity: .85; }
.change.block > :last-child { margin-bottom: 0; }
.left-out { text-align: center; color: var(--quiet); }
main { padding-block: 1.25rem; }
`;

export function frameOfPreview(style: string): PlainResponse {
  const page = html`<!DOCTYPE html>
<html class="device">
<head><meta charset="utf-8"><title>Preview</title><meta name="viewport" content="width=device-width"><link rel="stylesheet" href="${style}"></head>
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
