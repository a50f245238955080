// The same request in curl, JavaScript and Python. What an author wrote goes first.

import { isValues } from "../../openapi/specifications/pages/pointers";
import type { Markup } from "../../utils/html";
import type { Proof } from "./authorization";
import { type Call, ownSamples, type Sending } from "./call";
import { codeBlock, type Drawing, panels } from "./drawing";

/** A request with everything filled in. */
interface Request {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly sending: Sending | undefined;
}

export function samples(operation: unknown, call: Call, drawing: Drawing): Markup {
  const request = requestOf(call);
  const own = ownSamples(operation);
  const names = new Set(own.map(({ label }) => label.toLowerCase()));
  const made = [
    { label: "curl", syntax: "bash", text: curl(request) },
    { label: "JavaScript", syntax: "javascript", text: javaScript(request) },
    { label: "Python", syntax: "python", text: python(request) },
  ].filter(({ label }) => !names.has(label.toLowerCase()));
  const shown = [...own, ...made].map(({ label, syntax, text }) => ({
    label,
    content: codeBlock(text, syntax, drawing),
  }));
  return panels(shown, drawing);
}

function requestOf({ method, path, addresses, fields, proofs, sendings }: Call): Request {
  const [proof] = proofs;
  const given = ({ example, values, name }: Call["fields"][number]) => example ?? values[0] ?? `{${name}}`;
  let filled = path;
  for (const field of fields)
    if (field.in === "path") filled = filled.replaceAll(`{${field.name}}`, escapedPath(given(field)));
  const query = fields
    .filter((it) => it.in === "query" && it.isRequired)
    .map((it) => `${encodeURIComponent(it.name)}=${encodeURIComponent(given(it))}`);
  if (proof?.in === "query") query.push(`${encodeURIComponent(proof.key!)}=YOUR_KEY`);
  const [sending] = sendings;
  return {
    method,
    url: oneLine(`${addresses[0] ?? ""}${filled}${query.length > 0 ? `?${query.join("&")}` : ""}`),
    headers: [
      ...fields.filter((it) => it.in === "header" && it.isRequired).map((it) => [it.name, oneLine(given(it))] as const),
      ...headerOf(proof),
      ...(sending && !sending.form ? [["Content-Type", sending.type] as const] : []),
    ],
    sending,
  };
}

function headerOf(proof: Proof | undefined): (readonly [string, string])[] {
  if (proof?.type === "basic") return [["Authorization", "Basic YOUR_NAME_AND_PASSWORD"]];
  if (proof?.type === "bearer") return [["Authorization", `${proof.prefix ?? "Bearer"} YOUR_TOKEN`]];
  return proof?.in === "header" ? [[proof.key!, "YOUR_KEY"]] : [];
}

/** A value in a path; what stands for one keeps its braces. */
function escapedPath(value: string): string {
  return /^\{.*\}$/.test(value) ? value : encodeURIComponent(value);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").slice(0, 2000);
}

function inShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function curl({ method, url, headers, sending }: Request): string {
  const lines = [`curl${method === "GET" ? "" : ` -X ${method}`} ${inShell(url)}`];
  for (const [name, value] of headers) lines.push(`-H ${inShell(`${name}: ${value}`)}`);
  const way = sending && /^multipart/i.test(sending.type) ? "-F" : "--data-urlencode";
  for (const [name, value] of sending?.form ?? []) lines.push(`${way} ${inShell(`${name}=${value}`)}`);
  if (sending && !sending.form) lines.push(`-d ${inShell(sending.text)}`);
  return lines.join(" \\\n  ");
}

function javaScript({ method, url, headers, sending }: Request): string {
  const isParts = sending?.form !== undefined && /^multipart/i.test(sending.type);
  const options: string[] = [];
  if (method !== "GET") options.push(`method: ${JSON.stringify(method)},`);
  if (headers.length > 0) {
    const lines = headers.map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},`);
    options.push("headers: {", ...lines, "},");
  }
  if (isParts) options.push("body: form,");
  else if (sending) options.push(...scriptBody(sending));
  const lines = options.flatMap((it) => it.split("\n")).map((it) => `  ${it}`);
  const before = isParts
    ? ["const form = new FormData();", ...sending.form!.map((it) => `form.append(${it.map(quoted).join(", ")});`), ""]
    : [];
  const inside = lines.length === 0 ? "" : `, {\n${lines.join("\n")}\n}`;
  const call = `const response = await fetch(${JSON.stringify(url)}${inside});`;
  return [...before, call, "const data = await response.json();"].join("\n");
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

function scriptBody({ type, text, form, value }: Sending): string[] {
  if (form) {
    const fields = form.map(([name, it]) => `  ${quoted(name)}: ${quoted(it)},`);
    return ["body: new URLSearchParams({", ...fields, "}),"];
  }
  if (/json/i.test(type) && typeof value === "object") return [`body: JSON.stringify(${text || "{}"}),`];
  return [`body: ${quoted(text)},`];
}

function python({ method, url, headers, sending }: Request): string {
  const given = [`    ${inPython(url, "    ")},`];
  if (headers.length > 0) {
    given.push("    headers={");
    for (const [name, value] of headers) given.push(`        ${inPython(name, "")}: ${inPython(value, "")},`);
    given.push("    },");
  }
  if (sending?.form) given.push(`    data=${inPython(Object.fromEntries(sending.form), "    ")},`);
  else if (sending && /json/i.test(sending.type)) given.push(`    json=${inPython(sending.value ?? {}, "    ")},`);
  else if (sending) given.push(`    data=${inPython(sending.text, "    ")},`);
  const verb = method.toLowerCase();
  const known = ["get", "post", "put", "patch", "delete", "head", "options"].includes(verb);
  const call = known ? `requests.${verb}(` : `requests.request(\n    ${JSON.stringify(method)},`;
  return `import requests\n\nresponse = ${call}\n${given.join("\n")}\n)\ndata = response.json()`;
}

/** How deep values are written. */
const MOST_DEEP = 12;

/** A value as Python writes it. */
function inPython(value: unknown, indent: string, depth = 0): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = `${indent}    `;
  if (depth > MOST_DEEP) return "...";
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    return `[\n${value
      .slice(0, 100)
      .map((it) => `${inner}${inPython(it, inner, depth + 1)},`)
      .join("\n")}\n${indent}]`;
  }
  const entries = isValues(value) ? Object.entries(value).slice(0, 200) : [];
  if (entries.length === 0) return "{}";
  return `{\n${entries.map(([name, it]) => `${inner}${JSON.stringify(name)}: ${inPython(it, inner, depth + 1)},`).join("\n")}\n${indent}}`;
}
