// Publishes the integration, or a new version of it: `TOKEN=… ORG=… WEBHOOK_SECRET=… node publish.mjs`. OCTAVO_URL says where
// the API is, http://127.0.0.1:3000 unless it is given.

import { readFile } from "node:fs/promises";

const { TOKEN, ORG, WEBHOOK_SECRET, OCTAVO_URL = "http://127.0.0.1:3000" } = process.env;
if (!TOKEN) fail("TOKEN must be the token of an admin.");

const response = await fetch(`${OCTAVO_URL}/v1/integrations/merge-summary`, {
  method: "POST",
  headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
  body: JSON.stringify({
    organization: ORG,
    title: "Merge summary",
    description: "Posts a summary of each merged change request to a webhook.",
    // Its secret goes to the webhook, so it is for one's own organization.
    visibility: "private",
    target: "space",
    categories: ["collaboration"],
    // To hear of change requests, and to read them.
    scopes: ["space:content:read"],
    configurations: {
      account: {
        properties: {
          webhook_url: { type: "string", title: "Webhook", description: "Where summaries are posted, as JSON." },
        },
        required: ["webhook_url"],
      },
    },
    // Left out, the one from before stays.
    secrets: WEBHOOK_SECRET === undefined ? undefined : { WEBHOOK_SECRET },
    script: await readFile(new URL("integration.js", import.meta.url), "utf8"),
  }),
});
const answer = await response.json();
if (!response.ok) fail(JSON.stringify(answer.error, null, 2));
console.log(`Published ${answer.name}, version ${answer.version}.`);

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
