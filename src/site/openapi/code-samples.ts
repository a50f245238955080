// The same request in curl, JavaScript and Python. What an author wrote goes first.

import { isValues } from "../../openapi/specifications/pages/pointers";
import type { Markup } from "../../utils/html";
import { type ApiCall, type CallBody, listAuthoredSamples } from "./api-call";
import { type ApiContext, renderTabPanels, renderTextAsCode } from "./api-context";
import type { ApiCredential } from "./authorization";

/** A request with everything filled in. */
interface SampleRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: CallBody | undefined;
}

export function renderCodeSamples(operation: unknown, call: ApiCall, apiContext: ApiContext): Markup {
  const request = buildSampleRequest(call);
  const own = listAuthoredSamples(operation);
  const names = new Set(own.map(({ label }) => label.toLowerCase()));
  const made = [
    { label: "curl", syntax: "bash", text: renderCurl(request) },
    { label: "JavaScript", syntax: "javascript", text: renderJavaScript(request) },
    { label: "Python", syntax: "python", text: renderPython(request) },
  ].filter(({ label }) => !names.has(label.toLowerCase()));
  const shown = [...own, ...made].map(({ label, syntax, text }) => ({
    label,
    content: renderTextAsCode(text, syntax, apiContext),
  }));
  return renderTabPanels(shown, apiContext);
}

function buildSampleRequest({ method, path, serverUrls, fields, credentials, bodies }: ApiCall): SampleRequest {
  const [proof] = credentials;
  const given = ({ example, values, name }: ApiCall["fields"][number]) => example ?? values[0] ?? `{${name}}`;
  let filled = path;
  for (const field of fields)
    if (field.in === "path") filled = filled.replaceAll(`{${field.name}}`, escapePathValue(given(field)));
  const query = fields
    .filter((it) => it.in === "query" && it.isRequired)
    .map((it) => `${encodeURIComponent(it.name)}=${encodeURIComponent(given(it))}`);
  if (proof?.in === "query") query.push(`${encodeURIComponent(proof.key!)}=YOUR_KEY`);
  const [sending] = bodies;
  return {
    method,
    url: toSingleLine(`${serverUrls[0] ?? ""}${filled}${query.length > 0 ? `?${query.join("&")}` : ""}`),
    headers: [
      ...fields
        .filter((it) => it.in === "header" && it.isRequired)
        .map((it) => [it.name, toSingleLine(given(it))] as const),
      ...getCredentialHeaders(proof),
      ...(sending && !sending.form ? [["Content-Type", sending.type] as const] : []),
    ],
    body: sending,
  };
}

function getCredentialHeaders(proof: ApiCredential | undefined): (readonly [string, string])[] {
  if (proof?.type === "basic") return [["Authorization", "Basic YOUR_NAME_AND_PASSWORD"]];
  if (proof?.type === "bearer") return [["Authorization", `${proof.prefix ?? "Bearer"} YOUR_TOKEN`]];
  return proof?.in === "header" ? [[proof.key!, "YOUR_KEY"]] : [];
}

/** A value in a path; what stands for one keeps its braces. */
function escapePathValue(value: string): string {
  return /^\{.*\}$/.test(value) ? value : encodeURIComponent(value);
}

function toSingleLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").slice(0, 2000);
}

function quoteShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function renderCurl({ method, url, headers, body }: SampleRequest): string {
  const lines = [`curl${method === "GET" ? "" : ` -X ${method}`} ${quoteShell(url)}`];
  for (const [name, value] of headers) lines.push(`-H ${quoteShell(`${name}: ${value}`)}`);
  const trail = body && /^multipart/i.test(body.type) ? "-F" : "--data-urlencode";
  for (const [name, value] of body?.form ?? []) lines.push(`${trail} ${quoteShell(`${name}=${value}`)}`);
  if (body && !body.form) lines.push(`-d ${quoteShell(body.text)}`);
  return lines.join(" \\\n  ");
}

function renderJavaScript({ method, url, headers, body }: SampleRequest): string {
  const isParts = body?.form !== undefined && /^multipart/i.test(body.type);
  const options: string[] = [];
  if (method !== "GET") options.push(`method: ${JSON.stringify(method)},`);
  if (headers.length > 0) {
    const lines = headers.map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},`);
    options.push("headers: {", ...lines, "},");
  }
  if (isParts) options.push("body: form,");
  else if (body) options.push(...renderScriptBody(body));
  const lines = options.flatMap((it) => it.split("\n")).map((it) => `  ${it}`);
  const before = isParts
    ? ["const form = new FormData();", ...body.form!.map((it) => `form.append(${it.map(quoteScript).join(", ")});`), ""]
    : [];
  const inside = lines.length === 0 ? "" : `, {\n${lines.join("\n")}\n}`;
  const call = `const response = await fetch(${JSON.stringify(url)}${inside});`;
  return [...before, call, "const data = await response.json();"].join("\n");
}

function quoteScript(text: string): string {
  return JSON.stringify(text);
}

function renderScriptBody({ type, text, form, value }: CallBody): string[] {
  if (form) {
    const fields = form.map(([name, it]) => `  ${quoteScript(name)}: ${quoteScript(it)},`);
    return ["body: new URLSearchParams({", ...fields, "}),"];
  }
  if (/json/i.test(type) && typeof value === "object") return [`body: JSON.stringify(${text || "{}"}),`];
  return [`body: ${quoteScript(text)},`];
}

function renderPython({ method, url, headers, body }: SampleRequest): string {
  const given = [`    ${toPythonLiteral(url, "    ")},`];
  if (headers.length > 0) {
    given.push("    headers={");
    for (const [name, value] of headers)
      given.push(`        ${toPythonLiteral(name, "")}: ${toPythonLiteral(value, "")},`);
    given.push("    },");
  }
  if (body?.form) given.push(`    data=${toPythonLiteral(Object.fromEntries(body.form), "    ")},`);
  else if (body && /json/i.test(body.type)) given.push(`    json=${toPythonLiteral(body.value ?? {}, "    ")},`);
  else if (body) given.push(`    data=${toPythonLiteral(body.text, "    ")},`);
  const verb = method.toLowerCase();
  const known = ["get", "post", "put", "patch", "delete", "head", "options"].includes(verb);
  const call = known ? `requests.${verb}(` : `requests.request(\n    ${JSON.stringify(method)},`;
  return `import requests\n\nresponse = ${call}\n${given.join("\n")}\n)\ndata = response.json()`;
}

/** How deep values are written. */
const MOST_DEEP = 12;

/** A value as Python writes it. */
function toPythonLiteral(value: unknown, indent: string, depth = 0): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = `${indent}    `;
  if (depth > MOST_DEEP) return "...";
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    return `[\n${value
      .slice(0, 100)
      .map((it) => `${inner}${toPythonLiteral(it, inner, depth + 1)},`)
      .join("\n")}\n${indent}]`;
  }
  const entries = isValues(value) ? Object.entries(value).slice(0, 200) : [];
  if (entries.length === 0) return "{}";
  return `{\n${entries.map(([name, it]) => `${inner}${JSON.stringify(name)}: ${toPythonLiteral(it, inner, depth + 1)},`).join("\n")}\n${indent}}`;
}
