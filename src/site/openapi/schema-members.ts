// The members of a schema as nested lists. A block lists the members of each schema once. Where the schema occurs again, even
// inside itself, a link leads to that list.

import {
  findKeyword,
  getSchemaTitle,
  listProperties,
  type MergedSchema,
  mergeSchema,
  type SchemaProperty,
} from "../../openapi/specifications/pages/merge-schema";
import {
  describeDiscriminator,
  getSchemaFacts,
  listPatternProperties,
  listVariants,
} from "../../openapi/specifications/pages/schemas";
import { html, type Markup } from "../../utils/html";
import { isJsonObject } from "../../utils/objects";
import { type ApiContext, renderDescription, renderTypeNotes } from "./api-context";

/** The deepest level of nested members. */
const MAX_DEPTH = 8;
/** The most members of one schema. */
const MAX_SHOWN = 200;
/** About the length of the markup of a member without its description. */
const MEMBER_LENGTH = 200;

/** Renders the members of a schema. Returns undefined if it has none. */
export function renderMembers(schema: unknown, document: string | null, apiContext: ApiContext): Markup | undefined {
  const { inside } = getSchemaFacts(apiContext.resolve, { schema, document });
  return inside && renderMemberList(inside, 0, apiContext);
}

function renderMemberList(whole: MergedSchema, depth: number, apiContext: ApiContext): Markup {
  const { listedSchemas, messages, blockContext } = apiContext;
  const listId = listedSchemas.get(whole.itself);
  if (listId !== undefined) return html`<p class="quiet"><a href="#${listId}">${messages.listedAbove}</a></p>`;
  if (depth > MAX_DEPTH || apiContext.remainingMembers <= 0) return html`<p class="quiet">${messages.more}</p>`;
  const id = `members-${blockContext.createElementNumber()}`;
  listedSchemas.set(whole.itself, id);
  return html`<ul class="members" id="${id}">${[...renderMemberItems(whole, depth, apiContext)]}</ul>`;
}

function* renderMemberItems(whole: MergedSchema, depth: number, apiContext: ApiContext): Generator<Markup> {
  const { messages, resolve, blockContext } = apiContext;
  const properties = listProperties(whole);
  for (const [i, property] of properties.entries()) {
    const hasRoom = i < MAX_SHOWN && apiContext.remainingMembers > 0 && blockContext.budget.take(MEMBER_LENGTH);
    if (!hasRoom) {
      yield html`<li class="quiet">${messages.more}</li>`;
      return;
    }
    yield renderMember(html`<code>${property.name}</code>`, property, depth, apiContext);
  }
  for (const [pattern, schema] of listPatternProperties(whole).slice(0, MAX_SHOWN)) {
    const property = { name: pattern, ...schema, isRequired: false };
    yield renderMember(html`<code>/${pattern}/</code>`, property, depth, apiContext);
  }
  const others = findKeyword(whole, "additionalProperties");
  if (others && isJsonObject(others.value) && Object.keys(others.value).length > 0 && properties.length > 0) {
    const property = { name: "", schema: others.value, document: others.document, isRequired: false };
    yield renderMember(html`<span>${messages.anyOtherName}</span>`, property, depth, apiContext);
  }
  const discriminatorText = describeDiscriminator(whole);
  if (discriminatorText !== "") yield html`<li>${renderDescription(discriminatorText, "item", apiContext)}</li>`;
  for (const [i, { value, document }] of listVariants(resolve, whole).slice(0, MAX_SHOWN).entries()) {
    const form = mergeSchema(resolve, value, document)!;
    const name = getSchemaTitle(value) ?? `${messages.form} ${i + 1}`;
    if (form.itself !== whole.itself) yield html`<li>${renderFoldedMembers(name, form, depth, apiContext)}</li>`;
  }
}

function renderMember(label: Markup, property: SchemaProperty, depth: number, apiContext: ApiContext): Markup {
  apiContext.remainingMembers--;
  const { kind, notes, description, limits, inside } = getSchemaFacts(apiContext.resolve, property);
  const allNotes = property.isRequired ? ["required", ...notes] : notes;
  const parts = [
    html`<div class="name">${label}${renderTypeNotes(kind, allNotes, apiContext)}</div>`,
    renderDescription(description, "item", apiContext),
    renderDescription(limits, "item", apiContext),
    inside && renderFoldedMembers(apiContext.messages.members, inside, depth, apiContext),
  ];
  return html`<li>${parts}</li>`;
}

function renderFoldedMembers(label: string, whole: MergedSchema, depth: number, apiContext: ApiContext): Markup {
  const isListed = apiContext.listedSchemas.has(whole.itself);
  const list = renderMemberList(whole, depth + 1, apiContext);
  return isListed ? list : html`<details><summary>${label}</summary>${list}</details>`;
}
