// The fields of a type, readable: what each is, whether it must be there, what it may hold, and what is inside it.

import { html, Markup, renderInlineCode, renderJsonBlock } from "../../../utils/html";
import type { Described } from "../names";
import { type Reference, resolved, typeName, typePath } from "./places";

/** How many types are shown inside each other. What is deeper has a page of its own. */
const MOST_LEVELS = 2;

/** The pattern of ids. It says nothing to people, so that it is called an id. */
const ID = "^[A-Za-z0-9_-]{1,64}$";

/** Whether the fields are those of something that is sent, or of an answer. */
export type Direction = "sent" | "answered";

/** What is shown, in which direction, how deep, and inside of which types. */
interface Shown {
  readonly reference: Reference;
  readonly direction: Direction;
  readonly level: number;
  readonly seen: readonly string[];
}

/** The fields of a type, or its variants, or what it may hold. */
export function fieldsOf(reference: Reference, schema: Described, direction: Direction): Markup {
  return shownFields({ reference, direction, level: 0, seen: [] }, schema);
}

function shownFields(shown: Shown, schema: Described): Markup {
  const { reference } = shown;
  const name = typeName(schema);
  const it = resolved(reference, schema);
  const within = name === undefined ? shown : { ...shown, seen: [...shown.seen, name] };
  if (it.properties) {
    const required = new Set(it.required);
    const fields = Object.entries(it.properties);
    if (fields.length === 0) return html`<p class="quiet">An object without fields.</p>`;
    return html`<dl class="fields">${fields.map(([field, inner]) => fieldOf(within, field, inner, required.has(field)))}</dl>`;
  }
  const variants = [...(it.anyOf ?? []), ...(it.oneOf ?? [])].filter(({ type }) => type !== "null");
  if (variants.length > 1)
    return html`<p class="quiet">One of:</p><ul class="variants">${variants.map((variant) => variantOf(within, variant))}</ul>`;
  if (it.items) return shownFields(within, it.items);
  return html`<p>${label(reference, it)}</p>${constraints(it)}`;
}

/** Whether there is room for what is inside a type that is not shown already. */
function canShow({ level, seen }: Shown, name: string | undefined): boolean {
  return level < MOST_LEVELS && (name === undefined || !seen.includes(name));
}

const deeper = (shown: Shown): Shown => ({ ...shown, level: shown.level + 1 });

function variantOf(shown: Shown, variant: Described): Markup {
  const name = typeName(variant);
  const hasFields = resolved(shown.reference, variant).properties !== undefined;
  if (name === undefined || !hasFields || !canShow(shown, name))
    return html`<li>${label(shown.reference, variant)}</li>`;
  return html`<li><details><summary>${name}</summary>${shownFields(deeper(shown), variant)}</details></li>`;
}

function fieldOf(shown: Shown, field: string, schema: Described, isRequired: boolean): Markup {
  return html`<div><dt><code>${field}</code> <span class="type">${label(shown.reference, schema)}</span>${presence(shown.direction, isRequired)}</dt>
<dd>${schema.description && html`<p>${renderInlineCode(schema.description)}</p>`}${constraints(schema)}${insideOf(shown, schema)}</dd></div>`;
}

/** Of what is sent people ask what is required; of an answer, what may be missing. */
function presence(direction: Direction, isRequired: boolean): Markup {
  if (direction === "sent") return isRequired ? html` <span class="required">required</span>` : html``;
  return isRequired ? html`` : html` <span class="optional">may be left out</span>`;
}

/** What is inside a field, folded. */
function insideOf(shown: Shown, schema: Described): Markup | undefined {
  const inner = innermost(schema);
  const name = typeName(inner);
  const it = resolved(shown.reference, inner);
  const hasInside = it.properties !== undefined || (it.anyOf ?? it.oneOf ?? []).some((option) => option.$ref);
  if (!hasInside || !canShow(shown, name)) return undefined;
  return html`<details><summary>Fields of ${name ?? "it"}</summary>${shownFields(deeper(shown), inner)}</details>`;
}

/** The schema of the items of a list, or of the one option beside null. */
function innermost(schema: Described): Described {
  if (schema.items) return innermost(schema.items);
  if (typeof schema.additionalProperties === "object") return innermost(schema.additionalProperties);
  const options = (schema.anyOf ?? schema.oneOf ?? []).filter(({ type }) => type !== "null");
  return options.length === 1 ? innermost(options[0]!) : schema;
}

/** A type in a few words, with a link to its page. */
export function label(reference: Reference, schema: Described): Markup {
  const name = typeName(schema);
  if (name !== undefined) return html`<a href="${typePath(reference, name)}">${name}</a>`;
  const options = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (options.length > 0)
    return html`${options.map((option, i) => html`${i === 0 ? "" : " or "}${label(reference, option)}`)}`;
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.items) return html`list of ${label(reference, schema.items)}`;
  if (typeof schema.additionalProperties === "object")
    return html`object of ${label(reference, schema.additionalProperties)} by name`;
  if (schema.pattern === ID) return html`id`;
  if (schema.format === "date-time") return html`time`;
  if (schema.format === "uri") return html`URL`;
  return html`${[schema.type ?? "any JSON"].flat().join(" or ")}`;
}

/** What a value may be, beyond its type. */
export function constraints(schema: Described): Markup | undefined {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, pattern } = schema;
  const between = (low: unknown, high: unknown, what: string) => {
    if (low !== undefined && high !== undefined) return `${low} to ${high}${what}`;
    if (high !== undefined) return `at most ${high}${what}`;
    return low === undefined ? undefined : `at least ${low}${what}`;
  };
  const said = [
    between(minLength, maxLength, " characters"),
    between(minimum, maximum, ""),
    between(minItems, maxItems, " items"),
  ].filter((it) => it !== undefined);
  const values = schema.enum?.map((it, i) => html`${i === 0 ? "" : ", "}<code>${String(it)}</code>`);
  const lines = [
    values && html`One of ${values}. `,
    schema.default !== undefined && html`Default: <code>${JSON.stringify(schema.default)}</code>. `,
    said.length > 0 && html`${sentenceCase(said.join(", "))}. `,
    typeof pattern === "string" && pattern !== ID && html`Pattern: <code>${pattern}</code> `,
  ].filter((it): it is Markup => it instanceof Markup);
  return lines.length === 0 ? undefined : html`<p class="quiet">${lines}</p>`;
}

const sentenceCase = (text: string) => text[0]!.toUpperCase() + text.slice(1);

/** A value as an example. */
export function exampleOf(value: unknown): Markup | undefined {
  return value === undefined
    ? undefined
    : html`<details open class="example"><summary>Example</summary>${renderJsonBlock(value)}</details>`;
}
