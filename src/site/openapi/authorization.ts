// The authorization of an operation: how to authorize, in plain words, and the credentials that the try-it form asks for.

import {
  describeSecurityScheme,
  findSecurityScheme,
  listSecurityRequirements,
  type SpecificationRoot,
} from "../../openapi/specifications/pages/authorization";
import { formatCode } from "../../openapi/specifications/pages/format-markdown";
import { getOwnMember, getTextMember } from "../../openapi/specifications/pages/resolve-references";
import { html, type Markup } from "../../utils/html";
import { type ApiContext, renderDescription } from "./api-context";

/** The most credentials of one alternative. */
const MAX_CREDENTIALS = 20;

/** A valid name of a header, or of a scheme of `Authorization`. */
export const HEADER_TOKEN = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;

/** Renders the alternatives to authorize. Returns undefined if the specification does not say any. */
export function renderAuthorization(
  operation: unknown,
  root: SpecificationRoot,
  isCalledHere: boolean,
  apiContext: ApiContext,
): Markup | undefined {
  const { messages, resolve } = apiContext;
  const alternatives = listSecurityRequirements(operation, root, isCalledHere);
  if (!alternatives) return undefined;
  if (alternatives.every((alternative) => Object.keys(alternative).length === 0))
    return html`<p>${messages.noneNeeded}</p>`;
  const items = alternatives.map((alternative) => {
    const credentials = Object.entries(alternative)
      .slice(0, MAX_CREDENTIALS)
      .map(([name, scopes]) => {
        const scheme = findSecurityScheme(resolve, root, name);
        const { kind, limits } = describeSecurityScheme(scheme, scopes);
        return html`${[
          renderDescription(`${formatCode(name)}${kind === "" ? "" : `: ${kind}`}`, "item", apiContext),
          getOwnMember(scheme, "deprecated") === true &&
            html` <span class="note-deprecated">${messages.deprecated}</span>`,
          renderDescription(getTextMember(scheme, "description"), "item", apiContext),
          renderDescription(limits, "item", apiContext),
        ]}`;
      });
    if (credentials.length === 0) return html`<li>${messages.noneNeeded}</li>`;
    if (credentials.length === 1) return html`<li>${credentials}</li>`;
    return html`<li>${messages.allOfThese}<ul>${credentials.map((it) => html`<li>${it}</li>`)}</ul></li>`;
  });
  return html`${alternatives.length > 1 && html`<p>${messages.oneOfThese}</p>`}<ul class="ways">${items}</ul>`;
}

/** A credential that a browser can send. */
export interface ApiCredential {
  readonly name: string;
  readonly type: "bearer" | "basic" | "key";
  /** The place of a key. */
  readonly in?: "header" | "query";
  /** The name of the header or parameter of a key. */
  readonly key?: string;
  /** The scheme in the header `Authorization`. */
  readonly prefix?: string;
}

/** Returns the credentials that a reader can enter, of all alternatives, each once. */
export function listCredentials(
  operation: unknown,
  root: SpecificationRoot,
  { resolve }: Pick<ApiContext, "resolve">,
): ApiCredential[] {
  const credentials = new Map<string, ApiCredential>();
  for (const alternative of listSecurityRequirements(operation, root, true) ?? [])
    for (const name of Object.keys(alternative).slice(0, MAX_CREDENTIALS)) {
      const scheme = findSecurityScheme(resolve, root, name);
      const type = getTextMember(scheme, "type");
      const prefix = type === "http" ? (getTextMember(scheme, "scheme") ?? "bearer") : "Bearer";
      const [place, key] = [getTextMember(scheme, "in"), getTextMember(scheme, "name") ?? ""];
      if (type === "basic" || (type === "http" && /^basic$/i.test(prefix)))
        credentials.set(name, { name, type: "basic" });
      else if (type === "oauth2" || type === "openIdConnect" || (type === "http" && HEADER_TOKEN.test(prefix)))
        credentials.set(name, { name, type: "bearer", prefix: /^bearer$/i.test(prefix) ? "Bearer" : prefix });
      // A browser does not send a cookie that a page sets for another host.
      else if (type === "apiKey" && place === "query" && key !== "")
        credentials.set(name, { name, type: "key", in: "query", key });
      else if (type === "apiKey" && place === "header" && HEADER_TOKEN.test(key))
        credentials.set(name, { name, type: "key", in: "header", key });
    }
  return [...credentials.values()].slice(0, MAX_CREDENTIALS);
}
