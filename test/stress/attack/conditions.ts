// Texts of the largest size, full of conditions, closed or not, as a visitor reads them.

import { evaluateMarkdownInSteps } from "../../../src/content/evaluate";
import { runSteps } from "../../../src/utils/concurrency/event-loop";
import type { Attack } from "./attack";

const LIMIT = 1 << 20;

const pieces = [
  "{% if a %}b{% endif %} ",
  "{% if true %}b{% endif %} ",
  "{% if ",
  '{% if "',
  "{% endif %}",
  "{% endif ",
  "{% else %}",
  "`{% if `",
  "`{% if %}` {% endif %}\n\n",
  "{% a visitor ",
  '{% tab title="{% if a',
  "{%  \n",
  "\\{% if ",
  "<p>{% if 1 %}{% endif %}\n",
  "| {% if 1 %} |\n|---|\n",
  '<code class="expression">visitor',
];

export const conditions: readonly Attack[] = pieces.map((piece) => ({
  name: `a page at its limit of ${JSON.stringify(piece)}`,
  budget: "size limit",
  prepare: async () => {
    const text = piece.repeat(Math.floor(LIMIT / piece.length));
    return async () =>
      runSteps(evaluateMarkdownInSteps(text, { scope: { visitor: { claims: {} } }, getIncludedText: () => undefined }));
  },
}));
