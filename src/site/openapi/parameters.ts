// Parameters and headers, each with its type, its description, its constraints, and its members.

import { getParameterFacts } from "../../openapi/specifications/pages/parameters";
import { getTextMember, type Located } from "../../openapi/specifications/pages/resolve-references";
import { html, type Markup } from "../../utils/html";
import { type ApiContext, renderDescription, renderTypeNotes } from "./api-context";
import type { ApiMessages } from "./messages";
import { renderMembers } from "./schema-members";

const PLACES: readonly (readonly [place: string, message: keyof ApiMessages])[] = [
  ["path", "pathParameters"],
  ["query", "queryParameters"],
  ["querystring", "queryParameters"],
  ["header", "headers"],
  ["cookie", "cookies"],
  ["formData", "formFields"],
];

/** The most parameters of one place. */
const MAX_SHOWN = 200;

/** Renders the parameters of an operation, grouped by their place in the request. */
export function renderParameters(
  parameters: readonly Located[],
  apiContext: ApiContext,
  renderTitle: (text: string) => Markup,
): Markup {
  const parts = PLACES.map(([place, message]) => {
    const named = parameters
      .filter(({ value }) => getTextMember(value, "in") === place)
      .map((parameter) => [getTextMember(parameter.value, "name") ?? "", parameter] as const);
    if (named.length === 0) return undefined;
    return html`${renderTitle(apiContext.messages[message])}${renderParameterList(named, apiContext)}`;
  });
  return html`${parts}`;
}

/** Renders a list of parameters or headers, each with its name. */
export function renderParameterList(named: readonly (readonly [string, Located])[], apiContext: ApiContext): Markup {
  const { messages, resolve } = apiContext;
  const items = named.slice(0, MAX_SHOWN).map(([name, parameter]) => {
    const { schema, kind, notes, description, limits, isObject } = getParameterFacts(resolve, name, parameter);
    const members = isObject ? renderMembers(schema, parameter.document, apiContext) : undefined;
    const heading = html`<div class="name"><code>${name}</code>${renderTypeNotes(kind, notes, apiContext)}</div>`;
    const texts = [renderDescription(description, "item", apiContext), renderDescription(limits, "item", apiContext)];
    const details = members && html`<details><summary>${messages.members}</summary>${members}</details>`;
    return html`<li>${heading}${texts}${details}</li>`;
  });
  const more = named.length > MAX_SHOWN && html`<li class="quiet">${messages.more}</li>`;
  return html`<ul class="members">${items}${more}</ul>`;
}
