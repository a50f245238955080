// Who may call an operation, in plain words; and what is asked of a reader who tries it.

import { proofWords, type Root, schemeOf, waysOf } from "../../openapi/specifications/pages/authorization";
import { member, textIn, type Values } from "../../openapi/specifications/pages/pointers";
import { code } from "../../openapi/specifications/pages/words";
import { html, type Markup } from "../../utils/html";
import { type Drawing, described } from "./drawing";

/** The most proofs of one way. */
const MOST_SHOWN = 20;

/** The ways to be authorized; undefined where nothing is said. */
export function authorization(
  operation: unknown,
  root: Root,
  isCalledHere: boolean,
  drawing: Drawing,
): Markup | undefined {
  const { words } = drawing;
  const ways = waysOf(operation, root, isCalledHere);
  if (!ways || ways.length === 0) return ways && html`<p>${words.noneNeeded}</p>`;
  if (ways.every((way) => Object.keys(way).length === 0)) return html`<p>${words.noneNeeded}</p>`;
  const shown = ways.map((way) => {
    const proofs = Object.entries(way).slice(0, MOST_SHOWN);
    if (proofs.length === 0) return html`<li>${words.noneNeeded}</li>`;
    if (proofs.length === 1) return html`<li>${proof(proofs[0]!, root, drawing)}</li>`;
    return html`<li>${words.allOfThese}<ul>${proofs.map((it) => html`<li>${proof(it, root, drawing)}</li>`)}</ul></li>`;
  });
  return html`${ways.length > 1 && html`<p>${words.oneOfThese}</p>`}<ul class="ways">${shown}</ul>`;
}

function proof([name, scopes]: [string, unknown], root: Root, drawing: Drawing): Markup {
  const scheme = schemeOf(drawing.resolve, root, name);
  const { kind, limits } = proofWords(scheme, scopes);
  const isOld =
    member(scheme, "deprecated") === true && html` <span class="note-deprecated">${drawing.words.deprecated}</span>`;
  return html`${described(`${code(name)}${kind === "" ? "" : `: ${kind}`}`, "item", drawing)}${isOld}${described(textIn(scheme, "description"), "item", drawing)}${described(limits, "item", drawing)}`;
}

/** A proof that a browser can send. */
export interface Proof {
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
export function proofsOf(operation: unknown, root: Root, { resolve }: Pick<Drawing, "resolve">): Proof[] {
  const found = new Map<string, Proof>();
  for (const way of waysOf(operation, root, true) ?? [])
    for (const name of Object.keys(way).slice(0, MOST_SHOWN)) {
      const scheme = schemeOf(resolve, root, name);
      const it = scheme && proofOf(name, scheme);
      if (it) found.set(name, it);
    }
  return [...found.values()].slice(0, MOST_SHOWN);
}

function proofOf(name: string, scheme: Values): Proof | undefined {
  switch (textIn(scheme, "type")) {
    case "basic":
      return { name, type: "basic" };
    case "oauth2":
    case "openIdConnect":
      return { name, type: "bearer", prefix: "Bearer" };
    case "http": {
      const way = textIn(scheme, "scheme") ?? "bearer";
      if (/^basic$/i.test(way)) return { name, type: "basic" };
      return TOKEN.test(way) ? { name, type: "bearer", prefix: /^bearer$/i.test(way) ? "Bearer" : way } : undefined;
    }
    case "apiKey": {
      const [place, key] = [textIn(scheme, "in"), textIn(scheme, "name") ?? ""];
      if (place === "query" && key !== "") return { name, type: "key", in: "query", key };
      // A browser sends no cookie that a page writes for another host.
      return place === "header" && TOKEN.test(key) ? { name, type: "key", in: "header", key } : undefined;
    }
    default:
      return undefined;
  }
}

/** What a header or a scheme may be called. */
export const TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
