// The frame that draws a diagram. Mermaid writes styles into its drawings, so the frame has a policy of its own; it has no origin,
// and nothing can be loaded or sent from it.

import { html } from "../utils/html";
import { textAnswer } from "./answer";
import { ASSETS, assetSources, diagramAsset } from "./assets";
import { notFoundPage } from "./not-found";
import type { KeptResponse } from "./shelf";
import type { Visit } from "./visit";

const policyOf = (scripts: string) =>
  [
    "default-src 'none'",
    `script-src ${scripts}`,
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "sandbox allow-scripts",
  ].join("; ");

export async function diagramPage(visit: Visit): Promise<KeptResponse> {
  const { house, own, words, language, isPublic } = visit;
  if (house.diagramAsset === undefined) return notFoundPage(visit);
  const page = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${words.diagram}</title>
<meta name="robots" content="noindex">
<style>body{margin:0;text-align:center;background:transparent}svg{max-width:100%;height:auto}</style>
<script src="${own(ASSETS + house.diagramAsset)}" defer></script>
<script src="${own(ASSETS + diagramAsset)}" defer></script>
</head>
<body></body>
</html>
`;
  return textAnswer(page.text, {
    type: "text/html; charset=utf-8",
    holders: isPublic ? "everybody" : "visitor",
    headers: { "content-security-policy": policyOf(assetSources(visit)) },
  });
}
