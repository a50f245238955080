// Code samples of a request: those of the specification, then curl, JavaScript and Python.

import type { Markup } from "../../utils/html";
import { isJsonObject } from "../../utils/objects";
import { MAX_EXAMPLE } from "../model/bodies";
import { getListMember, getTextMember } from "../model/document";
import type { ApiCall, CallBody, CallField } from "./call";
import type { ApiRenderContext } from "./context";

/** A request with examples in place of all parameters. */
interface SampleRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: CallBody | undefined;
}

const MAX_HEADER_LENGTH = 2000;
const MAX_SAMPLES = 10;
/** The name of a syntax. A sample is never a diagram, which would be drawn. */
const SYNTAX = /^(?!mermaid$)[A-Za-z][\w+#.-]{0,30}$/i;

export function renderCodeSamples(operation: unknown, call: ApiCall, context: ApiRenderContext): Markup {
  const { method, path, serverUrls, fields, credentials, bodies } = call;
  const getExample = ({ example, values, name }: CallField) => example ?? values[0] ?? `{${name}}`;
  const toHeaderValue = (text: string) => text.replaceAll(/\s+/g, " ").slice(0, MAX_HEADER_LENGTH);
  let filledPath = path;
  for (const field of fields) {
    if (field.in !== "path") continue;
    const value = getExample(field);
    // A placeholder keeps its braces.
    const segment = /^\{.*\}$/.test(value) ? value : encodeURIComponent(value);
    filledPath = filledPath.replaceAll(`{${field.name}}`, segment);
  }
  const query = fields
    .filter((field) => field.in === "query" && field.isRequired)
    .map((field) => `${encodeURIComponent(field.name)}=${encodeURIComponent(getExample(field))}`);
  const headers = fields
    .filter((field) => field.in === "header" && field.isRequired)
    .map((field) => [field.name, toHeaderValue(getExample(field))] as const);

  const [credential] = credentials;
  if (credential?.type === "basic") headers.push(["Authorization", "Basic YOUR_NAME_AND_PASSWORD"]);
  else if (credential?.type === "bearer")
    headers.push(["Authorization", `${credential.prefix ?? "Bearer"} YOUR_TOKEN`]);
  else if (credential?.in === "header") headers.push([credential.key!, "YOUR_KEY"]);
  if (credential?.in === "query") query.push(`${encodeURIComponent(credential.key!)}=YOUR_KEY`);

  const [body] = bodies;
  if (body && !body.form) headers.push(["Content-Type", body.type]);
  const search = query.length > 0 ? `?${query.join("&")}` : "";
  const url = toHeaderValue(`${serverUrls[0] ?? ""}${filledPath}${search}`);
  const request: SampleRequest = { method, url, headers, body };

  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const curl = [`curl${method === "GET" ? "" : ` -X ${method}`} ${quote(url)}`];
  for (const [name, value] of headers) curl.push(`-H ${quote(`${name}: ${value}`)}`);
  const option = body && /^multipart/i.test(body.type) ? "-F" : "--data-urlencode";
  for (const [name, value] of body?.form ?? []) curl.push(`${option} ${quote(`${name}=${value}`)}`);
  if (body && !body.form) curl.push(`-d ${quote(body.text)}`);

  // The samples of the specification, from both spellings of the extension.
  const given = [...getListMember(operation, "x-codeSamples"), ...getListMember(operation, "x-code-samples")];
  const authored = given.slice(0, MAX_SAMPLES).flatMap((sample) => {
    const text = getTextMember(sample, "source");
    if (text === undefined || text.trim() === "") return [];
    const language = getTextMember(sample, "lang") ?? "text";
    const label = (getTextMember(sample, "label") ?? language).trim().slice(0, 60) || "text";
    const syntax = SYNTAX.test(language) ? language.toLowerCase() : "text";
    return [{ label, syntax, text: text.slice(0, MAX_EXAMPLE) }];
  });
  const labels = new Set(authored.map(({ label }) => label.toLowerCase()));
  const generated = [
    { label: "curl", syntax: "bash", text: curl.join(" \\\n  ") },
    { label: "JavaScript", syntax: "javascript", text: renderJavaScript(request) },
    { label: "Python", syntax: "python", text: renderPython(request) },
  ].filter(({ label }) => !labels.has(label.toLowerCase()));
  const samples = [...authored, ...generated];
  return context.renderAlternatives(
    samples.map(({ label, syntax, text }) => ({ label, content: context.renderCode(text, syntax) })),
  );
}

function renderJavaScript({ method, url, headers, body }: SampleRequest): string {
  const quote = (text: string) => JSON.stringify(text);
  const before: string[] = [];
  const options: string[] = [];
  if (method !== "GET") options.push(`method: ${quote(method)},`);
  if (headers.length > 0) {
    const lines = headers.map(([name, value]) => `  ${quote(name)}: ${quote(value)},`);
    options.push("headers: {", ...lines, "},");
  }
  if (body?.form && /^multipart/i.test(body.type)) {
    const lines = body.form.map(([name, value]) => `form.append(${quote(name)}, ${quote(value)});`);
    before.push("const form = new FormData();", ...lines, "");
    options.push("body: form,");
  } else if (body?.form) {
    const lines = body.form.map(([name, value]) => `  ${quote(name)}: ${quote(value)},`);
    options.push("body: new URLSearchParams({", ...lines, "}),");
  } else if (body && /json/i.test(body.type) && typeof body.value === "object")
    options.push(`body: JSON.stringify(${body.text || "{}"}),`);
  else if (body) options.push(`body: ${quote(body.text)},`);
  const lines = options.flatMap((option) => option.split("\n")).map((line) => `  ${line}`);
  const init = lines.length === 0 ? "" : `, {\n${lines.join("\n")}\n}`;
  const call = `const response = await fetch(${quote(url)}${init});`;
  return [...before, call, "const data = await response.json();"].join("\n");
}

function renderPython({ method, url, headers, body }: SampleRequest): string {
  const lines = [`    ${toPythonLiteral(url, "    ")},`];
  if (headers.length > 0) {
    lines.push("    headers={");
    for (const [name, value] of headers)
      lines.push(`        ${toPythonLiteral(name, "")}: ${toPythonLiteral(value, "")},`);
    lines.push("    },");
  }
  if (body?.form) lines.push(`    data=${toPythonLiteral(Object.fromEntries(body.form), "    ")},`);
  else if (body && /json/i.test(body.type)) lines.push(`    json=${toPythonLiteral(body.value ?? {}, "    ")},`);
  else if (body) lines.push(`    data=${toPythonLiteral(body.text, "    ")},`);
  const verb = method.toLowerCase();
  const hasFunction = ["get", "post", "put", "patch", "delete", "head", "options"].includes(verb);
  const call = hasFunction ? `requests.${verb}(` : `requests.request(\n    ${JSON.stringify(method)},`;
  return `import requests\n\nresponse = ${call}\n${lines.join("\n")}\n)\ndata = response.json()`;
}

/** The deepest level of values that is written. */
const MAX_DEPTH = 12;
const MAX_ITEMS = 100;
const MAX_ENTRIES = 200;

function toPythonLiteral(value: unknown, indent: string, depth = 0): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  if (depth > MAX_DEPTH) return "...";
  const inner = `${indent}    `;
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    const items = value.slice(0, MAX_ITEMS).map((item) => `${inner}${toPythonLiteral(item, inner, depth + 1)},`);
    return `[\n${items.join("\n")}\n${indent}]`;
  }
  const entries = isJsonObject(value) ? Object.entries(value).slice(0, MAX_ENTRIES) : [];
  if (entries.length === 0) return "{}";
  const lines = entries.map(
    ([name, entry]) => `${inner}${JSON.stringify(name)}: ${toPythonLiteral(entry, inner, depth + 1)},`,
  );
  return `{\n${lines.join("\n")}\n${indent}}`;
}
