// Writes schemas as nested lists of their members, and lists of parameters and headers. A page lists the members of a schema once:
// where the schema occurs again, also inside itself, the list says so.

import { getOwnMember, type Located } from "../model/document";
import { escapeInlineText, formatCode } from "../model/format-markdown";
import {
  describeDiscriminator,
  getParameterFacts,
  getSchemaFacts,
  listUnnamedMembers,
  listVariants,
} from "../model/members";
import { PARAMETER_PLACES, pickParameters } from "../model/operations";
import { getSchemaTitle, type MergedSchema, mergeSchema, type SchemaProperty } from "../model/schema";
import { indentLines, type PageWriter } from "./page-writer";

/** The depth to which members are nested. */
const MAX_DEPTH = 3;
/** The most members of one schema, and the most parameters of one place. */
const MAX_SHOWN = 200;

/** Writes the members of a schema as a list; empty if it has none. */
export function writeMembers(page: PageWriter, schema: Located<unknown>): string {
  const lines: string[] = [];
  const { inside } = getSchemaFacts(schema);
  if (!inside) return "";
  if (decideListing(page, inside, 0) === "as above") {
    const name = getSchemaTitle(schema.value) ?? getSchemaTitle(getOwnMember(schema.value, "items")) ?? "it";
    return `The members of ${escapeInlineText(name)} are listed above.`;
  }
  writeMemberLines(page, inside, 0, lines);
  return lines.join("\n");
}

function decideListing(page: PageWriter, { itself }: MergedSchema, depth: number): "shown" | "as above" | "cut" {
  const known = page.shown.get(itself);
  if (known && !(known.isCut && depth < known.depth)) return "as above";
  return depth > MAX_DEPTH || !page.hasRoom ? "cut" : "shown";
}

function writeMemberLines(page: PageWriter, whole: MergedSchema, depth: number, lines: string[]): void {
  const here = { depth, isCut: false };
  page.shown.set(whole.itself, here);
  const add = (text: string) => lines.push(page.take(indentLines(`* ${text}`, depth)));
  const addMember = (label: string, property: SchemaProperty) => {
    const { inside, ...facts } = getSchemaFacts(property);
    const state = inside && decideListing(page, inside, depth + 1);
    const more = state === "as above" ? ["members listed above"] : state === "cut" ? ["with more members"] : [];
    const notes = [...(property.isRequired ? ["required"] : []), ...facts.notes, ...more];
    lines.push(page.writeEntry({ ...facts, label, notes }, depth, state === "shown"));
    if (inside && state === "shown") writeMemberLines(page, inside, depth + 1, lines);
    if (state === "cut" || (inside && page.shown.get(inside.itself)?.isCut)) here.isCut = true;
  };
  const properties = whole.listProperties();
  let shown = 0;
  for (const property of properties) {
    if (shown >= MAX_SHOWN || !page.hasRoom) break;
    shown++;
    addMember(formatCode(property.name), property);
  }
  const left = whole.propertyCount - shown;
  if (left > 0 && shown < properties.length) {
    here.isCut = true;
    add(`… and ${left} more members, which are not shown here`);
    return;
  }
  for (const member of listUnnamedMembers(whole))
    addMember(member.name === "" ? "any other name" : `names that match ${formatCode(member.name)}`, member);

  // The forms that a value may have, each with its members.
  const forms = listVariants(whole);
  const which = describeDiscriminator(whole);
  if (which !== "") add(which);
  for (const [i, located] of forms.entries()) {
    if (!page.hasRoom) return;
    const form = mergeSchema(located)!;
    const name = getSchemaTitle(located.value);
    const unnamed = forms.length === 1 ? "If it is an object" : `In form ${i + 1} of ${forms.length}`;
    const words = name === undefined ? unnamed : `If it is **${page.linkType(name)}**`;
    const state = form.itself === whole.itself ? "as above" : decideListing(page, form, depth + 1);
    const behind = state === "shown" ? ":" : state === "cut" ? ": more members" : ": the members listed above";
    add(`${words}${behind}`);
    if (state === "shown") writeMemberLines(page, form, depth + 1, lines);
  }
}

/** Writes parameters as lists, one for each place. `level` is that of the headings. */
export function writeParameterLists(page: PageWriter, parameters: readonly Located[], level: "##" | "####"): string[] {
  return PARAMETER_PLACES.flatMap(([place, heading]) => {
    const here = pickParameters(parameters, place);
    return here.length === 0 ? [] : [`${level} ${heading}`, writeParameterList(page, here)];
  });
}

export function writeParameterList(page: PageWriter, named: readonly (readonly [string, Located])[]): string {
  const lines = named.slice(0, MAX_SHOWN).map(([name, parameter]) => {
    const { schema, isObject, ...facts } = getParameterFacts(name, parameter);
    const members = isObject ? writeMembers(page, schema) : "";
    const line = page.writeEntry({ ...facts, label: formatCode(name) }, 0, members !== "");
    return members === "" ? line : `${line}\n${indentLines(members, 1)}`;
  });
  const more = named.length - lines.length;
  return [...lines, ...(more > 0 ? [`* … and ${more} more, which are not shown here`] : [])].join("\n");
}
