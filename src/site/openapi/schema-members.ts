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
import { type ApiContext, renderDescription, renderTypeNotes } from "./api-context";

/** How deep members stand inside each other, and the most of one schema. */
const MOST_DEEP = 8;
const MOST_SHOWN = 200;
/** About the length of the markup of a member, beside its description. */
const MEMBER_LENGTH = 200;

/** The members of a schema; undefined when it has none. */
export function renderMembers(schema: unknown, document: string | null, apiContext: ApiContext): Markup | undefined {
  const { inside } = factsOf(apiContext.resolve, { schema, document });
  return inside && renderMemberList(inside, 0, apiContext);
}

function renderMemberList(whole: Whole, depth: number, apiContext: ApiContext): Markup {
  const { listedSchemas, messages, blockContext } = apiContext;
  const known = listedSchemas.get(whole.itself);
  if (known !== undefined) return html`<p class="quiet"><a href="#${known}">${messages.listedAbove}</a></p>`;
  if (depth > MOST_DEEP || apiContext.remainingMembers <= 0) return html`<p class="quiet">${messages.more}</p>`;
  const id = `members-${blockContext.createElementNumber()}`;
  listedSchemas.set(whole.itself, id);
  return html`<ul class="members" id="${id}">${[...renderMemberItems(whole, depth, apiContext)]}</ul>`;
}

function* renderMemberItems(whole: Whole, depth: number, apiContext: ApiContext): Generator<Markup> {
  const { messages, resolve } = apiContext;
  const properties = propertiesOf(whole);
  let shown = 0;
  for (const property of properties) {
    if (
      shown++ >= MOST_SHOWN ||
      apiContext.remainingMembers <= 0 ||
      !apiContext.blockContext.budget.take(MEMBER_LENGTH)
    ) {
      yield html`<li class="quiet">${messages.more}</li>`;
      return;
    }
    yield renderMember(html`<code>${property.name}</code>`, property, depth, apiContext);
  }
  for (const [pattern, schema] of patternsOf(whole).slice(0, MOST_SHOWN))
    yield renderMember(
      html`<code>/${pattern}/</code>`,
      { name: pattern, ...schema, isRequired: false },
      depth,
      apiContext,
    );
  const others = said(whole, "additionalProperties");
  if (others && isValues(others.value) && Object.keys(others.value).length > 0 && properties.length > 0) {
    const property = { name: "", schema: others.value, document: others.document, isRequired: false };
    yield renderMember(html`<span>${messages.anyOtherName}</span>`, property, depth, apiContext);
  }
  const which = discriminator(whole);
  if (which !== "") yield html`<li>${renderDescription(which, "item", apiContext)}</li>`;
  for (const [i, { value, document }] of formsOf(resolve, whole).slice(0, MOST_SHOWN).entries()) {
    const form = wholeOf(resolve, value, document)!;
    const name = nameOf(value) ?? `${messages.form} ${i + 1}`;
    if (form.itself !== whole.itself) yield html`<li>${renderFoldedMembers(name, form, depth, apiContext)}</li>`;
  }
}

function renderMember(label: Markup, property: Property, depth: number, apiContext: ApiContext): Markup {
  apiContext.remainingMembers--;
  const { kind, notes, description, limits, inside } = factsOf(apiContext.resolve, property);
  const told = property.isRequired ? ["required", ...notes] : notes;
  return html`<li><div class="name">${label}${renderTypeNotes(kind, told, apiContext)}</div>${renderDescription(description, "item", apiContext)}${renderDescription(limits, "item", apiContext)}${inside && renderFoldedMembers(apiContext.messages.members, inside, depth, apiContext)}</li>`;
}

function renderFoldedMembers(label: string, inside: Whole, depth: number, apiContext: ApiContext): Markup {
  if (apiContext.listedSchemas.has(inside.itself)) return renderMemberList(inside, depth + 1, apiContext);
  return html`<details><summary>${label}</summary>${renderMemberList(inside, depth + 1, apiContext)}</details>`;
}
