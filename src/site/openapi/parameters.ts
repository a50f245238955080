// Parameters and headers, each with its type, what is demanded of it, and its members.

import { parameterFacts } from "../../openapi/specifications/pages/parameters";
import { membersIn, type Placed, textIn } from "../../openapi/specifications/pages/pointers";
import { html, type Markup } from "../../utils/html";
import { type ApiContext, renderDescription, renderTypeNotes } from "./api-context";
import type { ApiMessages } from "./messages";
import { renderMembers } from "./schema-members";

const PLACES: readonly (readonly [place: string, word: keyof ApiMessages])[] = [
  ["path", "pathParameters"],
  ["query", "queryParameters"],
  ["querystring", "queryParameters"],
  ["header", "headers"],
  ["cookie", "cookies"],
  ["formData", "formFields"],
];

/** The most parameters of one place. */
const MOST_SHOWN = 200;

/** The parameters of an operation, by the place where they go. */
export function renderParameters(
  given: readonly Placed[],
  apiContext: ApiContext,
  title: (text: string) => Markup,
): Markup {
  const parts = PLACES.map(([place, word]) => {
    const here = given.filter(({ value }) => textIn(value, "in") === place);
    const named = here.map((it) => [textIn(it.value, "name") ?? "", it] as const);
    return here.length > 0 && html`${title(apiContext.messages[word])}${renderParameterList(named, apiContext)}`;
  });
  return html`${parts}`;
}

/** The headers of an answer. */
export function renderHeaders(answer: Placed, apiContext: ApiContext): Markup | undefined {
  const named = membersIn(answer.value, "headers").flatMap(([name, header]) => {
    const found = apiContext.resolve(header, answer.document);
    return found ? [[name, found] as const] : [];
  });
  return named.length === 0
    ? undefined
    : html`<p class="part">${apiContext.messages.headers}</p>${renderParameterList(named, apiContext)}`;
}

function renderParameterList(named: readonly (readonly [string, Placed])[], apiContext: ApiContext): Markup {
  const more = named.length > MOST_SHOWN && html`<li class="quiet">${apiContext.messages.more}</li>`;
  return html`<ul class="members">${named.slice(0, MOST_SHOWN).map(([name, it]) => renderParameter(name, it, apiContext))}${more}</ul>`;
}

function renderParameter(name: string, parameter: Placed, apiContext: ApiContext): Markup {
  const { schema, kind, notes, description, limits, isObject } = parameterFacts(apiContext.resolve, name, parameter);
  const inside = isObject ? renderMembers(schema, parameter.document, apiContext) : undefined;
  return html`<li><div class="name"><code>${name}</code>${renderTypeNotes(kind, notes, apiContext)}</div>${renderDescription(description, "item", apiContext)}${renderDescription(limits, "item", apiContext)}${inside && html`<details><summary>${apiContext.messages.members}</summary>${inside}</details>`}</li>`;
}
