// Who may call an operation, in plain words; and what is asked of a reader who tries it.

import { proofWords, type Root, schemeOf, waysOf } from "../../openapi/specifications/pages/authorization";
import { member, textIn, type Values } from "../../openapi/specifications/pages/pointers";
import { code } from "../../openapi/specifications/pages/words";
import { html, type Markup } from "../../utils/html";
import { type ApiContext, renderDescription } from "./api-context";

/** The most proofs of one way. */
const MOST_SHOWN = 20;

/** The ways to be authorized; undefined where nothing is said. */
export function renderAuthorization(
  operation: unknown,
  root: Root,
  isCalledHere: boolean,
  apiContext: ApiContext,
): Markup | undefined {
  const { messages } = apiContext;
  const ways = waysOf(operation, root, isCalledHere);
  if (!ways || ways.length === 0) return ways && html`<p>${messages.noneNeeded}</p>`;
  if (ways.every((alternative) => Object.keys(alternative).length === 0)) return html`<p>${messages.noneNeeded}</p>`;
  const shown = ways.map((alternative) => {
    const proofs = Object.entries(alternative).slice(0, MOST_SHOWN);
    if (proofs.length === 0) return html`<li>${messages.noneNeeded}</li>`;
    if (proofs.length === 1) return html`<li>${renderCredential(proofs[0]!, root, apiContext)}</li>`;
    return html`<li>${messages.allOfThese}<ul>${proofs.map((it) => html`<li>${renderCredential(it, root, apiContext)}</li>`)}</ul></li>`;
  });
  return html`${ways.length > 1 && html`<p>${messages.oneOfThese}</p>`}<ul class="ways">${shown}</ul>`;
}

function renderCredential([name, scopes]: [string, unknown], root: Root, apiContext: ApiContext): Markup {
  const scheme = schemeOf(apiContext.resolve, root, name);
  const { kind, limits } = proofWords(scheme, scopes);
  const isOld =
    member(scheme, "deprecated") === true &&
    html` <span class="note-deprecated">${apiContext.messages.deprecated}</span>`;
  return html`${renderDescription(`${code(name)}${kind === "" ? "" : `: ${kind}`}`, "item", apiContext)}${isOld}${renderDescription(textIn(scheme, "description"), "item", apiContext)}${renderDescription(limits, "item", apiContext)}`;
}

/** A proof that a browser can send. */
export interface ApiCredential {
  readonly name: string;
  readonly type: "bearer" | "basic" | "key";
  /** Where a key goes. */
  readonly in?: "header" | "query";
  /** What the header or parameter of a key is called. */
  readonly key?: string;
  /** What stands before another kind of proof, in the header `Authorization`. */
  readonly prefix?: string;
}

/** The proofs that a reader can give, of all ways together, each once. */
export function listCredentials(
  operation: unknown,
  root: Root,
  { resolve }: Pick<ApiContext, "resolve">,
): ApiCredential[] {
  const found = new Map<string, ApiCredential>();
  for (const alternative of waysOf(operation, root, true) ?? [])
    for (const name of Object.keys(alternative).slice(0, MOST_SHOWN)) {
      const scheme = schemeOf(resolve, root, name);
      const it = scheme && toCredential(name, scheme);
      if (it) found.set(name, it);
    }
  return [...found.values()].slice(0, MOST_SHOWN);
}

function toCredential(name: string, scheme: Values): ApiCredential | undefined {
  switch (textIn(scheme, "type")) {
    case "basic":
      return { name, type: "basic" };
    case "oauth2":
    case "openIdConnect":
      return { name, type: "bearer", prefix: "Bearer" };
    case "http": {
      const alternative = textIn(scheme, "scheme") ?? "bearer";
      if (/^basic$/i.test(alternative)) return { name, type: "basic" };
      return HEADER_TOKEN.test(alternative)
        ? { name, type: "bearer", prefix: /^bearer$/i.test(alternative) ? "Bearer" : alternative }
        : undefined;
    }
    case "apiKey": {
      const [place, key] = [textIn(scheme, "in"), textIn(scheme, "name") ?? ""];
      if (place === "query" && key !== "") return { name, type: "key", in: "query", key };
      // A browser sends no cookie that a page writes for another host.
      return place === "header" && HEADER_TOKEN.test(key) ? { name, type: "key", in: "header", key } : undefined;
    }
    default:
      return undefined;
  }
}

/** What a header or a scheme may be called. */
export const HEADER_TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
