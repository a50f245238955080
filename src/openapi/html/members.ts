// The members of a schema as nested lists, and parameters and headers. The members of each schema are listed once. Where the schema
// occurs again, even inside itself, a link leads to that list.

import { html, type Markup } from "../../utils/html";
import type { Located } from "../model/document";
import {
  describeDiscriminator,
  getParameterFacts,
  getSchemaFacts,
  listUnnamedMembers,
  listVariants,
} from "../model/members";
import { PARAMETER_PLACES, pickParameters } from "../model/operations";
import { getSchemaTitle, type MergedSchema, mergeSchema, type SchemaProperty } from "../model/schema";
import type { ApiRenderContext } from "./context";

/** The most members of one schema, and the most parameters of one place. */
const MAX_SHOWN = 200;
/** About the length of the markup of a member without its description. */
const MEMBER_LENGTH = 200;

/** Renders the members of a schema. Returns undefined if it has none. */
export function renderMembers(schema: Located<unknown>, context: ApiRenderContext): Markup | undefined {
  const { inside } = getSchemaFacts(schema);
  return inside && renderMemberList(inside, 0, context);
}

function renderMemberList(whole: MergedSchema, depth: number, context: ApiRenderContext): Markup {
  const { listedSchemas, messages } = context;
  const listId = listedSchemas.get(whole.itself);
  if (listId !== undefined) return html`<p class="quiet"><a href="#${listId}">${messages.listedAbove}</a></p>`;
  if (depth > context.maxDepth || context.remainingMembers <= 0) return html`<p class="quiet">${messages.more}</p>`;
  const id = `members-${context.createElementNumber()}`;
  listedSchemas.set(whole.itself, id);
  return html`<ul class="members" id="${id}">${[...renderMemberItems(whole, depth, context)]}</ul>`;
}

function* renderMemberItems(whole: MergedSchema, depth: number, context: ApiRenderContext): Generator<Markup> {
  const { messages } = context;
  const renderFolded = (label: string, folded: MergedSchema): Markup => {
    const isListed = context.listedSchemas.has(folded.itself);
    const list = renderMemberList(folded, depth + 1, context);
    return isListed ? list : html`<details><summary>${label}</summary>${list}</details>`;
  };
  const renderMember = (label: Markup, property: SchemaProperty): Markup => {
    context.remainingMembers--;
    const { kind, notes, description, limits, inside } = getSchemaFacts(property);
    const allNotes = property.isRequired ? ["required", ...notes] : notes;
    const parts = [
      html`<div class="name">${label}${renderTypeNotes(kind, allNotes, context)}</div>`,
      context.renderDescription(description, "item"),
      context.renderDescription(limits, "item"),
      inside && renderFolded(messages.members, inside),
    ];
    return html`<li>${parts}</li>`;
  };
  for (const [i, property] of whole.listProperties().entries()) {
    const hasRoom = i < MAX_SHOWN && context.remainingMembers > 0 && context.takeRoom(MEMBER_LENGTH);
    if (!hasRoom) {
      yield html`<li class="quiet">${messages.more}</li>`;
      return;
    }
    yield renderMember(html`<code>${property.name}</code>`, property);
  }
  for (const member of listUnnamedMembers(whole)) {
    const label =
      member.name === "" ? html`<span>${messages.anyOtherName}</span>` : html`<code>/${member.name}/</code>`;
    yield renderMember(label, member);
  }
  const discriminatorText = describeDiscriminator(whole);
  if (discriminatorText !== "") yield html`<li>${context.renderDescription(discriminatorText, "item")}</li>`;
  for (const [i, variant] of listVariants(whole).slice(0, MAX_SHOWN).entries()) {
    const form = mergeSchema(variant)!;
    const name = getSchemaTitle(variant.value) ?? `${messages.form} ${i + 1}`;
    if (form.itself !== whole.itself) yield html`<li>${renderFolded(name, form)}</li>`;
  }
}

/** Renders the type of a parameter or a member, and notes such as `required`. */
export function renderTypeNotes(kind: string, notes: readonly string[], context: ApiRenderContext): Markup {
  const { required, deprecated, readOnly, writeOnly } = context.messages;
  const labels: Readonly<Record<string, string>> = {
    required,
    deprecated,
    "read-only": readOnly,
    "write-only": writeOnly,
  };
  const labeledNotes = notes.map((note) => html` <span class="note-${note}">${labels[note]}</span>`);
  return html`${kind !== "" && html` <span class="kind">${context.renderKind(kind)}</span>`}${labeledNotes}`;
}

/** Renders the parameters of an operation, grouped by their place in the request. */
export function renderParameters(
  parameters: readonly Located[],
  context: ApiRenderContext,
  renderTitle: (text: string) => Markup,
): Markup {
  const parts = PARAMETER_PLACES.map(([place, , message]) => {
    const named = pickParameters(parameters, place);
    if (named.length === 0) return undefined;
    return html`${renderTitle(context.messages[message])}${renderParameterList(named, context)}`;
  });
  return html`${parts}`;
}

export function renderParameterList(named: readonly (readonly [string, Located])[], context: ApiRenderContext): Markup {
  const { messages } = context;
  const items = named.slice(0, MAX_SHOWN).map(([name, parameter]) => {
    const { schema, kind, notes, description, limits, isObject } = getParameterFacts(name, parameter);
    const members = isObject ? renderMembers(schema, context) : undefined;
    const heading = html`<div class="name"><code>${name}</code>${renderTypeNotes(kind, notes, context)}</div>`;
    const texts = [context.renderDescription(description, "item"), context.renderDescription(limits, "item")];
    const details = members && html`<details><summary>${messages.members}</summary>${members}</details>`;
    return html`<li>${heading}${texts}${details}</li>`;
  });
  const more = named.length > MAX_SHOWN && html`<li class="quiet">${messages.more}</li>`;
  return html`<ul class="members">${items}${more}</ul>`;
}
