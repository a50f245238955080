// The members of a schema as a list that opens inwards. A block has the members of a schema once: where it is met again, also
// inside itself, there is a link to them.

import { isValues } from "../../openapi/specifications/pages/pointers";
import { discriminator, factsOf, formsOf, patternsOf } from "../../openapi/specifications/pages/schemas";
import {
  nameOf,
  type Property,
  propertiesOf,
  said,
  type Whole,
  wholeOf,
} from "../../openapi/specifications/pages/whole";
import { html, type Markup } from "../../utils/html";
import { type Drawing, described, remarks } from "./drawing";

/** How deep members stand inside each other, and the most of one schema. */
const MOST_DEEP = 8;
const MOST_SHOWN = 200;
/** About the length of the markup of a member, beside its description. */
const MEMBER_LENGTH = 200;

/** The members of a schema; undefined when it has none. */
export function members(schema: unknown, document: string | null, drawing: Drawing): Markup | undefined {
  const { inside } = factsOf(drawing.resolve, { schema, document });
  return inside && listOf(inside, 0, drawing);
}

function listOf(whole: Whole, depth: number, drawing: Drawing): Markup {
  const { listed, words, scene } = drawing;
  const known = listed.get(whole.itself);
  if (known !== undefined) return html`<p class="quiet"><a href="#${known}">${words.listedAbove}</a></p>`;
  if (depth > MOST_DEEP || drawing.room <= 0) return html`<p class="quiet">${words.more}</p>`;
  const id = `members-${scene.next()}`;
  listed.set(whole.itself, id);
  return html`<ul class="members" id="${id}">${[...itemsOf(whole, depth, drawing)]}</ul>`;
}

function* itemsOf(whole: Whole, depth: number, drawing: Drawing): Generator<Markup> {
  const { words, resolve } = drawing;
  const properties = propertiesOf(whole);
  let shown = 0;
  for (const property of properties) {
    if (shown++ >= MOST_SHOWN || drawing.room <= 0 || !drawing.scene.budget.take(MEMBER_LENGTH)) {
      yield html`<li class="quiet">${words.more}</li>`;
      return;
    }
    yield item(html`<code>${property.name}</code>`, property, depth, drawing);
  }
  for (const [pattern, schema] of patternsOf(whole).slice(0, MOST_SHOWN))
    yield item(html`<code>/${pattern}/</code>`, { name: pattern, ...schema, isRequired: false }, depth, drawing);
  const others = said(whole, "additionalProperties");
  if (others && isValues(others.value) && Object.keys(others.value).length > 0 && properties.length > 0) {
    const property = { name: "", schema: others.value, document: others.document, isRequired: false };
    yield item(html`<span>${words.anyOtherName}</span>`, property, depth, drawing);
  }
  const which = discriminator(whole);
  if (which !== "") yield html`<li>${described(which, "item", drawing)}</li>`;
  for (const [i, { value, document }] of formsOf(resolve, whole).slice(0, MOST_SHOWN).entries()) {
    const form = wholeOf(resolve, value, document)!;
    const name = nameOf(value) ?? `${words.form} ${i + 1}`;
    if (form.itself !== whole.itself) yield html`<li>${folded(name, form, depth, drawing)}</li>`;
  }
}

function item(label: Markup, property: Property, depth: number, drawing: Drawing): Markup {
  drawing.room--;
  const { kind, notes, description, limits, inside } = factsOf(drawing.resolve, property);
  const told = property.isRequired ? ["required", ...notes] : notes;
  return html`<li><div class="name">${label}${remarks(kind, told, drawing)}</div>${described(description, "item", drawing)}${described(limits, "item", drawing)}${inside && folded(drawing.words.members, inside, depth, drawing)}</li>`;
}

function folded(label: string, inside: Whole, depth: number, drawing: Drawing): Markup {
  if (drawing.listed.has(inside.itself)) return listOf(inside, depth + 1, drawing);
  return html`<details><summary>${label}</summary>${listOf(inside, depth + 1, drawing)}</details>`;
}
