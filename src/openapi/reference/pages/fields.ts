// Renders the fields of a type: the type of each, its presence, its constraints, and the fields inside it.

import { html, type Markup, renderInlineMarkup } from "../../../utils/html";
import { getReferenceName, type SchemaObject } from "../model";
import { type ApiReference, resolveSchema } from "./reference";

/** The number of types that are shown inside each other. A deeper one has its own page. */
const MAX_NESTED_TYPES = 2;

/** The pattern of ids. It tells readers nothing, so the reference says "id" instead. */
const ID_PATTERN = "^[A-Za-z0-9_-]{1,64}$";

interface FieldsContext {
  readonly reference: ApiReference;
  /** Requests say which fields are required. Responses say which ones may be missing. */
  readonly direction: "request" | "response";
  /** The number of types around. Default: 0. */
  readonly level?: number;
  /** The names of the types around, so that a type that contains itself is not repeated. Default: none. */
  readonly outerTypes?: readonly string[];
}

/** Renders the fields of a type, or its variants, or its constraints. */
export function renderFields(
  { reference, direction, level = 0, outerTypes = [] }: FieldsContext,
  schema: SchemaObject,
): Markup {
  const typeName = getReferenceName(schema);
  const types = typeName === undefined ? outerTypes : [...outerTypes, typeName];
  const innerContext: FieldsContext = { reference, direction, level: level + 1, outerTypes: types };
  // A type may be shown here if it is not too deep, and not shown around already.
  const canNest = (name: string | undefined) =>
    level < MAX_NESTED_TYPES && (name === undefined || !types.includes(name));
  const resolved = resolveSchema(reference, schema);
  if (resolved.properties) {
    const required = new Set(resolved.required);
    const fields = Object.entries(resolved.properties);
    if (fields.length === 0) return html`<p class="quiet">An object without fields.</p>`;
    const items = fields.map(([name, field]) => {
      let presence = html``;
      if (direction === "request" && required.has(name)) presence = html` <span class="required">required</span>`;
      if (direction === "response" && !required.has(name))
        presence = html` <span class="optional">may be left out</span>`;

      const inner = findInnermostSchema(field);
      const innerName = getReferenceName(inner);
      const { properties, anyOf, oneOf } = resolveSchema(reference, inner);
      const hasFields = properties !== undefined || (anyOf ?? oneOf ?? []).some(({ $ref }) => $ref);
      const details =
        hasFields &&
        canNest(innerName) &&
        html`<details><summary>Fields of ${innerName ?? "it"}</summary>${renderFields(innerContext, inner)}</details>`;

      const description = field.description && html`<p>${renderInlineMarkup(field.description)}</p>`;
      const label = renderTypeLabel(reference, field);
      return html`<div><dt><code>${name}</code> <span class="type">${label}</span>${presence}</dt>
<dd>${description}${renderConstraints(field)}${details}</dd></div>`;
    });
    return html`<dl class="fields">${items}</dl>`;
  }

  const variants = [...(resolved.anyOf ?? []), ...(resolved.oneOf ?? [])].filter(({ type }) => type !== "null");
  if (variants.length > 1) {
    const items = variants.map((variant) => {
      const name = getReferenceName(variant);
      const hasFields = resolveSchema(reference, variant).properties !== undefined;
      if (name === undefined || !hasFields || !canNest(name))
        return html`<li>${renderTypeLabel(reference, variant)}</li>`;
      return html`<li><details><summary>${name}</summary>${renderFields(innerContext, variant)}</details></li>`;
    });
    return html`<p class="quiet">One of:</p><ul class="variants">${items}</ul>`;
  }
  if (resolved.items) return renderFields({ ...innerContext, level }, resolved.items);
  return html`<p>${renderTypeLabel(reference, resolved)}</p>${renderConstraints(resolved)}`;
}

/** Returns the schema of the items of a list or of the values of a record, or of the only option besides null. */
function findInnermostSchema(schema: SchemaObject): SchemaObject {
  if (schema.items) return findInnermostSchema(schema.items);
  if (typeof schema.additionalProperties === "object") return findInnermostSchema(schema.additionalProperties);
  const options = (schema.anyOf ?? schema.oneOf ?? []).filter(({ type }) => type !== "null");
  return options.length === 1 ? findInnermostSchema(options[0]!) : schema;
}

/** Renders a type in a few words, with a link to its page if it has one. */
export function renderTypeLabel(reference: ApiReference, schema: SchemaObject): Markup {
  const name = getReferenceName(schema);
  if (name !== undefined) return html`<a href="${reference.root}/types/${encodeURIComponent(name)}">${name}</a>`;
  const options = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (options.length > 0)
    return html`${options.map((option, i) => html`${i === 0 ? "" : " or "}${renderTypeLabel(reference, option)}`)}`;
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.items) return html`list of ${renderTypeLabel(reference, schema.items)}`;
  if (typeof schema.additionalProperties === "object")
    return html`object of ${renderTypeLabel(reference, schema.additionalProperties)} by name`;
  if (schema.pattern === ID_PATTERN) return html`id`;
  if (schema.format === "date-time") return html`time`;
  if (schema.format === "uri") return html`URL`;
  return html`${[schema.type ?? "any JSON"].flat().join(" or ")}`;
}

/** Renders the limits of a value beyond its type; undefined if there are none. */
export function renderConstraints(schema: SchemaObject): Markup | undefined {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, pattern, enum: values } = schema;
  const ranges: string[] = [];
  for (const [min, max, unit] of [
    [minLength, maxLength, " characters"],
    [minimum, maximum, ""],
    [minItems, maxItems, " items"],
  ]) {
    if (min !== undefined && max !== undefined) ranges.push(`${min} to ${max}${unit}`);
    else if (max !== undefined) ranges.push(`at most ${max}${unit}`);
    else if (min !== undefined) ranges.push(`at least ${min}${unit}`);
  }
  const rangeText = ranges.join(", ");

  const lines: Markup[] = [];
  if (values)
    lines.push(html`One of ${values.map((it, i) => html`${i === 0 ? "" : ", "}<code>${String(it)}</code>`)}. `);
  if (schema.default !== undefined) lines.push(html`Default: <code>${JSON.stringify(schema.default)}</code>. `);
  if (rangeText !== "") lines.push(html`${rangeText[0]!.toUpperCase() + rangeText.slice(1)}. `);
  if (typeof pattern === "string" && pattern !== ID_PATTERN) lines.push(html`Pattern: <code>${pattern}</code> `);
  return lines.length === 0 ? undefined : html`<p class="quiet">${lines}</p>`;
}

/** Renders an example; undefined if there is none. */
export function renderExample(value: unknown): Markup | undefined {
  if (value === undefined) return undefined;
  const json = html`<pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`;
  return html`<details open class="example"><summary>Example</summary>${json}</details>`;
}
