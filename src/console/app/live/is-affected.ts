// Finds the queries whose results an event may have changed: all except those about another resource of the same type.

import type { StreamedEvent } from "../../../events/streamed-event";

/** The resource types of parameters that are not named after their type. */
const PARAM_TYPES: Readonly<Record<string, string>> = { integrationName: "integration", specSlug: "open-api-spec" };

/** Returns true if the event may have changed the result of a query with these parameters. */
export function isAffected(event: StreamedEvent, params: Readonly<Record<string, string>>): boolean {
  if (event.type === "reset") return true;
  if (event.type === "end") return false;
  const names = Object.entries(params);
  // Events report resources of organizations only.
  if (names.length === 0) return false;
  const { content } = event;
  const things = [
    ...event.things,
    ...(event.type === "changed" ? event.made : []),
    ...(content ? [{ type: "space", id: content.space }] : []),
    ...(content?.changeRequest ? [{ type: "change-request", id: content.changeRequest }] : []),
  ];
  return names.every(([name, value]) => {
    // A page shows parts of other pages. A change request also has a number.
    if (name === "pageId" || /^\d+$/.test(value)) return true;
    const kebabName = name.replace(/Id$/, "").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const paramType = PARAM_TYPES[name] ?? kebabName;
    const ids = things.filter(({ type }) => type === paramType).map(({ id }) => id);
    return ids.length === 0 || ids.includes(value);
  });
}
