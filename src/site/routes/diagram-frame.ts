// The frame that draws a diagram. Mermaid adds styles to its drawings, so the frame has a policy of its own. It has no origin, and
// can neither load nor send anything.

import { html } from "../../utils/html";
import { ASSETS_PATH, diagramAsset, getAssetSources } from "../appearance/assets";
import type { CacheableResponse } from "../cache/response-cache";
import type { RequestContext } from "../request/request-context";
import { renderNotFoundPage } from "../responses/not-found-page";
import { createTextResponse } from "../responses/responses";

export async function renderDiagramFrame(context: RequestContext): Promise<CacheableResponse> {
  const { site, toSiteUrl, messages, language, isPublic } = context;
  if (site.diagramAsset === undefined) return renderNotFoundPage(context);
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${messages.diagram}</title>
<meta name="robots" content="noindex">
<style>body{margin:0;text-align:center;background:transparent}svg{max-width:100%;height:auto}</style>
<script src="${toSiteUrl(ASSETS_PATH + site.diagramAsset)}" defer></script>
<script src="${toSiteUrl(ASSETS_PATH + diagramAsset)}" defer></script>
</head>
<body></body>
</html>
`;
  const policy = [
    "default-src 'none'",
    `script-src ${getAssetSources(context)}`,
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "sandbox allow-scripts",
  ];
  return createTextResponse(page.text, {
    type: "text/html; charset=utf-8",
    holders: isPublic ? "everybody" : "visitor",
    headers: { "content-security-policy": policy.join("; ") },
  });
}
