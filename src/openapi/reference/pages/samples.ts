// The same request three times: for a shell, for JavaScript, and for the typed client.

import { html, type Markup } from "../../../utils/html";
import { examples, type Recorded } from "../examples";
import type { Entry, Reference } from "./places";

interface Request {
  readonly url: string;
  readonly method: string;
  readonly needsToken: boolean;
  readonly recorded: Partial<Recorded>;
}

/** The samples of an operation. */
export function samplesOf(reference: Reference, entry: Entry): Markup {
  const recorded = examples[entry.id] ?? {};
  const { security } = entry.operation as { security?: unknown[] };
  const request: Request = {
    url: urlOf(reference, entry, recorded),
    method: entry.method,
    needsToken: security === undefined,
    recorded,
  };
  const samples: [string, string][] = [
    ["curl", curl(request)],
    ["JavaScript", javascript(request)],
    ["Typed client", typedClient(entry, request)],
  ];
  return html`<section aria-labelledby="samples"><h2 id="samples">Samples</h2>${samples.map(
    ([name, text]) =>
      html`<figure class="sample"><figcaption>${name}</figcaption><pre tabindex="0"><code>${text}</code></pre></figure>`,
  )}</section>`;
}

/** The URL of the recorded request. */
export function urlOf(
  { server }: Pick<Reference, "server">,
  { path }: Entry,
  { params, query }: Partial<Recorded>,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params?.[name];
    return value === undefined ? whole : value.split("/").map(encodeURIComponent).join("/");
  });
  const search = new URLSearchParams(query).toString();
  return `${server}${filled}${search === "" ? "" : `?${search}`}`;
}

const shell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function curl({ url, method, needsToken, recorded }: Request): string {
  const { body } = recorded;
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}${shell(url)}`,
    ...(needsToken ? [`  -H "Authorization: Bearer $TOKEN"`] : []),
    ...(body === undefined ? [] : ["  -H 'Content-Type: application/json'", `  -d ${shell(JSON.stringify(body))}`]),
  ];
  return lines.join(" \\\n");
}

function javascript({ url, method, needsToken, recorded }: Request): string {
  const { body, answer } = recorded;
  const headers = [
    ...(needsToken ? ['authorization: "Bearer " + token'] : []),
    ...(body === undefined ? [] : ['"content-type": "application/json"']),
  ];
  const options = [
    ...(method === "GET" ? [] : [`  method: ${JSON.stringify(method)},`]),
    ...(headers.length === 0 ? [] : [`  headers: { ${headers.join(", ")} },`]),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${literal(body, "  ")}),`]),
  ];
  const call =
    options.length === 0
      ? [`const response = await fetch(${JSON.stringify(url)});`]
      : [`const response = await fetch(${JSON.stringify(url)}, {`, ...options, "});"];
  return [
    ...call,
    "if (!response.ok) throw new Error((await response.json()).error.message);",
    ...(answer === undefined ? [] : ["const answer = await response.json();"]),
  ].join("\n");
}

function typedClient({ id, operation }: Entry, { recorded }: Request): string {
  const { params, query, body } = recorded;
  const input = Object.fromEntries(Object.entries({ params, query, body }).filter(([, it]) => it !== undefined));
  const given = Object.keys(input).length === 0 ? "" : `, ${literal(input, "")}`;
  const isList = JSON.stringify(operation.responses["200"] ?? {}).includes('List"');
  const opened = ['import { createClient } from "octavo/client";', "", "const docs = createClient({ url, token });"];
  if (isList) return [...opened, `for await (const item of docs.each("${id}"${given})) console.log(item);`].join("\n");
  return [...opened, `const { value, error } = await docs.call("${id}"${given});`].join("\n");
}

/** A value as JavaScript, with bare names where they may stand. */
function literal(value: unknown, indent: string): string {
  const text = JSON.stringify(value, null, 2).replace(/^( *)"([A-Za-z_]\w*)":/gm, "$1$2:");
  const short = text.replace(/\n\s*/g, " ");
  return (short.length <= 72 ? short : text).replaceAll("\n", `\n${indent}`);
}
