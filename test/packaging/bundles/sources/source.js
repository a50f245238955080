// A content source: pages for each item, with texts that are worked out when they are read.

import { createIntegration } from "./runtime.js";

const items = new Map([
  ["a", { title: "First item", at: Date.UTC(2026, 0, 31) }],
  ["b", { title: "Second item", at: Date.UTC(2026, 1, 1) }],
]);

export default createIntegration({
  content_compute_revision: ({ sourceId, props }) =>
    Response.json({
      pages: [...items].map(([id, { title }]) => ({
        id,
        title,
        computed: { type: `integration:source:${sourceId}`, props: { ...props, id } },
      })),
    }),
  content_compute_document: ({ props }) => {
    const { title, at } = items.get(props.id);
    const date = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" }).format(at);
    return Response.json({ document: { markdown: `# ${title}\n\nWritten on ${date}, ${props.tone}.` } });
  },
});
