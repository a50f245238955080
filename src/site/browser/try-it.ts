import { omitUndefined } from "../../utils/objects";

// Runs in the reader's browser: calls an operation with what was filled in. Nothing is stored, and nothing goes anywhere but to
// the chosen server. Answers are shown as text.

interface TryItConfig {
  readonly method: string;
  readonly path: string;
  readonly says: Readonly<Record<"status" | "time" | "headers" | "noAnswer" | "sending", string>>;
}

interface TryItField {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly between?: string;
  readonly isList: boolean;
}

interface TryItCredential {
  readonly type: "bearer" | "basic" | "key";
  readonly in?: "header" | "query";
  readonly key?: string;
  readonly prefix?: string;
}

interface TryItRequest {
  readonly url: string;
  readonly headers: Headers;
  readonly body: BodyInit | undefined;
}

type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** The most characters of an answer that are shown. */
const MOST_SHOWN = 200_000;

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-try]")) {
  const config: TryItConfig = JSON.parse(form.dataset.try!);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void sendTryItRequest(form, config);
  });
  form.hidden = false;
}

async function sendTryItRequest(form: HTMLFormElement, config: TryItConfig): Promise<void> {
  const result = form.querySelector<HTMLElement>(".result")!;
  const button = form.querySelector<HTMLButtonElement>("button[type=submit]")!;
  const { says, method } = config;
  result.textContent = says.sending;
  button.disabled = true;
  const begun = performance.now();
  try {
    const { url, headers, body } = buildTryItRequest(form, config);
    const answer = await fetch(url, {
      method,
      headers,
      ...omitUndefined({ body }),
      credentials: "omit",
      referrerPolicy: "no-referrer",
      cache: "no-store",
    });
    const text = await answer.text();
    const took = Math.round(performance.now() - begun);
    showResponse(result, says, answer, text, took);
  } catch {
    result.textContent = says.noAnswer;
  } finally {
    button.disabled = false;
  }
}

function buildTryItRequest(form: HTMLFormElement, { path }: TryItConfig): TryItRequest {
  const server = form.querySelector<HTMLSelectElement>("[data-server]")!.value;
  const headers = new Headers();
  const query: string[] = [];
  let filled = path;
  for (const input of form.querySelectorAll<Input>("[data-field]")) {
    const field: TryItField = JSON.parse(input.dataset.field!);
    const { value } = input;
    if (field.in === "path") filled = filled.replaceAll(`{${field.name}}`, encodeURIComponent(value));
    else if (value === "") continue;
    else if (field.in === "header") headers.set(field.name, value);
    else for (const one of encodeQueryValues(field, value)) query.push(`${encodeURIComponent(field.name)}=${one}`);
  }
  for (const proof of form.querySelectorAll<HTMLElement>("[data-proof]")) addCredential(proof, headers, query);
  const body = buildTryItBody(form, headers);
  const [bare = "", own] = filled.split("?");
  const search = [...(own === undefined ? [] : [own]), ...query].join("&");
  return { url: `${server}${bare}${search === "" ? "" : `?${search}`}`, headers, body };
}

/** A value as it stands in a query; several are separated by commas when they are typed. */
function encodeQueryValues({ isList, between }: TryItField, value: string): string[] {
  if (!isList) return [encodeURIComponent(value)];
  const values = value.split(",").map((it) => encodeURIComponent(it.trim()));
  return between === undefined ? values : [values.join(encodeURIComponent(between))];
}

function addCredential(set: HTMLElement, headers: Headers, query: string[]): void {
  const proof: TryItCredential = JSON.parse(set.dataset.proof!);
  const secret = set.querySelector<HTMLInputElement>("[data-secret]")!.value;
  const password = set.querySelector<HTMLInputElement>("[data-password]")?.value ?? "";
  if (secret === "" && password === "") return;
  if (proof.type === "basic") {
    const bytes = new TextEncoder().encode(`${secret}:${password}`);
    headers.set("authorization", `Basic ${btoa(String.fromCharCode(...bytes))}`);
  } else if (proof.type === "bearer") headers.set("authorization", `${proof.prefix ?? "Bearer"} ${secret}`);
  else if (proof.in === "query") query.push(`${encodeURIComponent(proof.key!)}=${encodeURIComponent(secret)}`);
  else headers.set(proof.key!, secret);
}

function buildTryItBody(form: HTMLFormElement, headers: Headers): BodyInit | undefined {
  const text = form.querySelector<HTMLTextAreaElement>("[data-body]");
  if (text) {
    if (text.value.trim() === "") return undefined;
    headers.set("content-type", text.dataset.body!);
    return text.value;
  }
  const set = form.querySelector<HTMLElement>("[data-type]");
  if (!set) return undefined;
  const fields = [...set.querySelectorAll<HTMLInputElement>("[data-form]")].filter(({ value }) => value !== "");
  const filled = /^multipart/i.test(set.dataset.type!) ? new FormData() : new URLSearchParams();
  for (const { dataset, value } of fields) filled.append(dataset.form!, value);
  return filled;
}

function showResponse(
  result: HTMLElement,
  says: TryItConfig["says"],
  answer: Response,
  text: string,
  took: number,
): void {
  const line = document.createElement("p");
  const status = document.createElement("span");
  status.className = `status s${String(answer.status)[0]}`;
  status.textContent = `${answer.status} ${answer.statusText}`.trim();
  line.append(`${says.status}: `, status, ` · ${says.time}: ${took} ms`);
  const headers = document.createElement("details");
  const summary = document.createElement("summary");
  summary.textContent = says.headers;
  headers.append(summary, createCodeBlock([...answer.headers].map(([name, value]) => `${name}: ${value}`).join("\n")));
  result.replaceChildren(line, headers, ...(text === "" ? [] : [createCodeBlock(formatJson(text))]));
}

function createCodeBlock(text: string): HTMLElement {
  const pre = document.createElement("pre");
  pre.tabIndex = 0;
  pre.textContent = text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}\n…` : text;
  return pre;
}

/** JSON with indentation, anything else as it came. */
function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
