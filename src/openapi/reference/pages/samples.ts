// Renders the recorded request of an operation as code: for a shell, for JavaScript, and for the typed client.

import { html, type Markup } from "../../../utils/html";
import { recordedExamples } from "../add-examples";
import type { ApiReference, ReferenceOperation } from "./reference";

/** Renders the samples of an operation. */
export function renderSamples({ server }: ApiReference, { id, method, path, operation }: ReferenceOperation): Markup {
  const { params, query, body, answer } = recordedExamples[id] ?? {};
  const needsToken = operation.security === undefined;

  const filledPath = path.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = params?.[name];
    return value === undefined ? placeholder : value.split("/").map(encodeURIComponent).join("/");
  });
  const search = new URLSearchParams(query).toString();
  const url = `${server}${filledPath}${search === "" ? "" : `?${search}`}`;

  const curl = [`curl ${method === "GET" ? "" : `-X ${method} `}${quoteForShell(url)}`];
  if (needsToken) curl.push(`  -H "Authorization: Bearer $TOKEN"`);
  if (body !== undefined)
    curl.push("  -H 'Content-Type: application/json'", `  -d ${quoteForShell(JSON.stringify(body))}`);

  const headers: string[] = [];
  if (needsToken) headers.push('authorization: "Bearer " + token');
  if (body !== undefined) headers.push('"content-type": "application/json"');
  const init: string[] = [];
  if (method !== "GET") init.push(`  method: ${JSON.stringify(method)},`);
  if (headers.length > 0) init.push(`  headers: { ${headers.join(", ")} },`);
  if (body !== undefined) init.push(`  body: JSON.stringify(${formatLiteral(body, "  ")}),`);
  const fetchArguments = init.length === 0 ? JSON.stringify(url) : `${JSON.stringify(url)}, {\n${init.join("\n")}\n}`;
  const script = [
    `const response = await fetch(${fetchArguments});`,
    "if (!response.ok) throw new Error((await response.json()).error.message);",
  ];
  if (answer !== undefined) script.push("const answer = await response.json();");

  const input = Object.fromEntries(Object.entries({ params, query, body }).filter(([, value]) => value !== undefined));
  const clientArguments = Object.keys(input).length === 0 ? `"${id}"` : `"${id}", ${formatLiteral(input, "")}`;
  const isList = JSON.stringify(operation.responses["200"] ?? {}).includes('List"');
  const client = [
    'import { createClient } from "octavo/client";',
    "",
    "const docs = createClient({ url, token });",
    isList
      ? `for await (const item of docs.each(${clientArguments})) console.log(item);`
      : `const { value, error } = await docs.call(${clientArguments});`,
  ];

  const samples = [
    { caption: "curl", code: curl.join(" \\\n") },
    { caption: "JavaScript", code: script.join("\n") },
    { caption: "Typed client", code: client.join("\n") },
  ];
  const figures = samples.map(({ caption, code }) => {
    const block = html`<pre tabindex="0"><code>${code}</code></pre>`;
    return html`<figure class="sample"><figcaption>${caption}</figcaption>${block}</figure>`;
  });
  return html`<section aria-labelledby="samples"><h2 id="samples">Samples</h2>${figures}</section>`;
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Formats a value as JavaScript, without quotes around names that need none. */
function formatLiteral(value: unknown, indent: string): string {
  const text = JSON.stringify(value, null, 2).replace(/^( *)"([A-Za-z_]\w*)":/gm, "$1$2:");
  const line = text.replace(/\n\s*/g, " ");
  return (line.length <= 72 ? line : text).replaceAll("\n", `\n${indent}`);
}
