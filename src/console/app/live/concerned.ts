// Which answers an event may have changed: all but those that are about another thing of the same kind.

import type { StreamedEvent } from "../../../events/streamed-event";

/** Whether an answer to a question with these parameters may be another one after the event. */
export function isConcerned(event: StreamedEvent, params: Readonly<Record<string, string>>): boolean {
  if (event.type === "reset") return true;
  if (event.type === "end") return false;
  const names = Object.entries(params);
  // What is in no organization is not told of.
  if (names.length === 0) return false;
  const { content } = event;
  const things = [
    ...event.things,
    ...(event.type === "changed" ? event.made : []),
    ...(content ? [{ type: "space", id: content.space }] : []),
    ...(content?.changeRequest ? [{ type: "change-request", id: content.changeRequest }] : []),
  ];
  return names.every(([name, value]) => {
    // A page shows parts of others. A change request is also named by its number.
    if (name === "pageId" || /^\d+$/.test(value)) return true;
    const ids = things.filter(({ type }) => type === kindOf(name)).map(({ id }) => id);
    return ids.length === 0 || ids.includes(value);
  });
}

const named: Readonly<Record<string, string>> = { integrationName: "integration", specSlug: "open-api-spec" };

/** The kind of thing that a parameter names, as events name it. */
function kindOf(param: string): string {
  const kind = param.replace(/Id$/, "").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return named[param] ?? kind;
}
