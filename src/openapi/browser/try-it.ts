// The try-it form of operations: sends the request that the reader has filled in, and shows the response as text. Nothing is
// stored, and nothing is sent anywhere but to the chosen server.

import { omitUndefined } from "../../utils/objects";

interface TryItConfig {
  readonly method: string;
  readonly path: string;
  /** Sends cookies, because the API is on the server of the page. */
  readonly isOwnServer?: boolean;
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

/** The most characters of a response that are shown. */
const MAX_SHOWN_LENGTH = 200_000;

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
  const { says, method, isOwnServer } = config;
  result.textContent = says.sending;
  button.disabled = true;
  const start = performance.now();
  try {
    const { url, headers, body } = buildTryItRequest(form, config);
    const response = await fetch(url, {
      method,
      headers,
      ...omitUndefined({ body }),
      credentials: isOwnServer ? "same-origin" : "omit",
      referrerPolicy: "no-referrer",
      cache: "no-store",
    });
    const text = await response.text();
    showResponse(result, says, response, text, Math.round(performance.now() - start));
  } catch {
    result.textContent = says.noAnswer;
  } finally {
    button.disabled = false;
  }
}

function buildTryItRequest(form: HTMLFormElement, config: TryItConfig): TryItRequest {
  const server = form.querySelector<HTMLSelectElement>("[data-server]")!.value;
  const headers = new Headers();
  const query: string[] = [];
  const addQuery = (name: string, encoded: string) => query.push(`${encodeURIComponent(name)}=${encoded}`);
  let { path } = config;
  for (const input of form.querySelectorAll<HTMLInputElement | HTMLSelectElement>("[data-field]")) {
    const { name, in: place, between, isList }: TryItField = JSON.parse(input.dataset.field!);
    const { value } = input;
    if (place === "path") path = path.replaceAll(`{${name}}`, encodeURIComponent(value));
    else if (value === "") continue;
    else if (place === "header") headers.set(name, value);
    else if (!isList) addQuery(name, encodeURIComponent(value));
    else {
      // The reader separates the items of a list by commas.
      const items = value.split(",").map((item) => encodeURIComponent(item.trim()));
      if (between === undefined) for (const item of items) addQuery(name, item);
      else addQuery(name, items.join(encodeURIComponent(between)));
    }
  }

  for (const fieldset of form.querySelectorAll<HTMLElement>("[data-proof]")) {
    const { type, in: place, key, prefix = "Bearer" }: TryItCredential = JSON.parse(fieldset.dataset.proof!);
    const secret = fieldset.querySelector<HTMLInputElement>("[data-secret]")!.value;
    const password = fieldset.querySelector<HTMLInputElement>("[data-password]")?.value ?? "";
    if (secret === "" && password === "") continue;
    if (type === "basic") {
      const bytes = new TextEncoder().encode(`${secret}:${password}`);
      headers.set("authorization", `Basic ${btoa(String.fromCharCode(...bytes))}`);
    } else if (type === "bearer") headers.set("authorization", `${prefix} ${secret}`);
    else if (place === "query") addQuery(key!, encodeURIComponent(secret));
    else headers.set(key!, secret);
  }

  const body = buildTryItBody(form, headers);
  const [pathname = "", ownQuery] = path.split("?");
  const search = [...(ownQuery === undefined ? [] : [ownQuery]), ...query].join("&");
  return { url: `${server}${pathname}${search === "" ? "" : `?${search}`}`, headers, body };
}

function buildTryItBody(form: HTMLFormElement, headers: Headers): BodyInit | undefined {
  const textarea = form.querySelector<HTMLTextAreaElement>("[data-body]");
  if (textarea) {
    if (textarea.value.trim() === "") return undefined;
    headers.set("content-type", textarea.dataset.body!);
    return textarea.value;
  }
  const fieldset = form.querySelector<HTMLElement>("[data-type]");
  if (!fieldset) return undefined;
  const body = /^multipart/i.test(fieldset.dataset.type!) ? new FormData() : new URLSearchParams();
  for (const { dataset, value } of fieldset.querySelectorAll<HTMLInputElement>("[data-form]"))
    if (value !== "") body.append(dataset.form!, value);
  return body;
}

function showResponse(
  result: HTMLElement,
  says: TryItConfig["says"],
  response: Response,
  text: string,
  milliseconds: number,
): void {
  const line = document.createElement("p");
  const status = document.createElement("span");
  status.className = `status s${String(response.status)[0]}`;
  status.textContent = `${response.status} ${response.statusText}`.trim();
  line.append(`${says.status}: `, status, ` · ${says.time}: ${milliseconds} ms`);

  const headers = document.createElement("details");
  const summary = document.createElement("summary");
  summary.textContent = says.headers;
  const headerLines = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  headers.append(summary, createCodeBlock(headerLines.join("\n")));

  let formatted = text;
  try {
    formatted = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // The response is not JSON, and shown as it is.
  }
  result.replaceChildren(line, headers, ...(text === "" ? [] : [createCodeBlock(formatted)]));
}

function createCodeBlock(text: string): HTMLElement {
  const pre = document.createElement("pre");
  pre.tabIndex = 0;
  pre.textContent = text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}\n…` : text;
  return pre;
}
