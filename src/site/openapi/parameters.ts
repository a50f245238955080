// Parameters and headers, each with its type, what is demanded of it, and its members.

import { parameterFacts } from "../../openapi/specifications/pages/parameters";
import { membersIn, type Placed, textIn } from "../../openapi/specifications/pages/pointers";
import { html, type Markup } from "../../utils/html";
import { type Drawing, described, remarks } from "./drawing";
import { members } from "./members";
import type { ApiWords } from "./words";

const PLACES: readonly (readonly [place: string, word: keyof ApiWords])[] = [
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
export function parameters(given: readonly Placed[], drawing: Drawing, title: (text: string) => Markup): Markup {
  const parts = PLACES.map(([place, word]) => {
    const here = given.filter(({ value }) => textIn(value, "in") === place);
    const named = here.map((it) => [textIn(it.value, "name") ?? "", it] as const);
    return here.length > 0 && html`${title(drawing.words[word])}${list(named, drawing)}`;
  });
  return html`${parts}`;
}

/** The headers of an answer. */
export function headers(answer: Placed, drawing: Drawing): Markup | undefined {
  const named = membersIn(answer.value, "headers").flatMap(([name, header]) => {
    const found = drawing.resolve(header, answer.document);
    return found ? [[name, found] as const] : [];
  });
  return named.length === 0 ? undefined : html`<p class="part">${drawing.words.headers}</p>${list(named, drawing)}`;
}

function list(named: readonly (readonly [string, Placed])[], drawing: Drawing): Markup {
  const more = named.length > MOST_SHOWN && html`<li class="quiet">${drawing.words.more}</li>`;
  return html`<ul class="members">${named.slice(0, MOST_SHOWN).map(([name, it]) => item(name, it, drawing))}${more}</ul>`;
}

function item(name: string, parameter: Placed, drawing: Drawing): Markup {
  const { schema, kind, notes, description, limits, isObject } = parameterFacts(drawing.resolve, name, parameter);
  const inside = isObject ? members(schema, parameter.document, drawing) : undefined;
  return html`<li><div class="name"><code>${name}</code>${remarks(kind, notes, drawing)}</div>${described(description, "item", drawing)}${described(limits, "item", drawing)}${inside && html`<details><summary>${drawing.words.members}</summary>${inside}</details>`}</li>`;
}
