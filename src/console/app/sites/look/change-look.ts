// A look that is being edited: values by their place, and what is sent of them. Everything here is a pure function.

import type { CustomizationChangesInput } from "../../../../generated/resources";
import type { Look } from "./settings";

type Members = Readonly<Record<string, unknown>>;

/** What stands somewhere in a look; undefined: nothing. */
export function valueAt(look: Look, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (value as Members | undefined)?.[name], look);
}

/** The look with another value somewhere. Undefined takes it away, with what held nothing else. */
export function withValue(look: Look, path: readonly string[], value: unknown): Look {
  return put(look as unknown as Members, path, value) as unknown as Look;
}

function put(members: Members, [name = "", ...rest]: readonly string[], value: unknown): Members {
  if (rest.length > 0) {
    const inner = put((members[name] ?? {}) as Members, rest, value);
    return value === undefined && Object.keys(inner).length === 0
      ? without(members, name)
      : { ...members, [name]: inner };
  }
  return value === undefined ? without(members, name) : { ...members, [name]: value };
}

function without(members: Members, name: string): Members {
  const { [name]: _, ...rest } = members;
  return rest;
}

/** Settings that may be absent: a look says so by leaving them out, a change by null. */
const OPTIONAL: Readonly<Record<string, readonly string[]>> = {
  styling: ["tint"],
  internationalization: ["language"],
  header: ["logo", "backgroundColor", "linkColor"],
  footer: ["logo", "copyright"],
  announcement: ["link"],
  ai: ["integrationId"],
  privacyPolicy: ["url"],
  socialPreview: ["url", "description"],
};

/** All settings of a look, for a site: what is not said has its default. */
export function wholeLook(look: Look): CustomizationChangesInput {
  return sendable(look as unknown as Members) as CustomizationChangesInput;
}

/** What differs from the look before, for a site-space: everything else stays as the site has it. */
export function changedLook(before: Look, after: Look): CustomizationChangesInput {
  const [old, now] = [before, after].map((look) => sendable(look as unknown as Members)) as [Members, Members];
  const changes: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (same(old[name], now[name])) continue;
    if (!isGroup(name, now[name])) changes[name] = now[name] ?? null;
    else changes[name] = changedMembers(name, (old[name] ?? {}) as Members, now[name] as Members);
  }
  return changes as CustomizationChangesInput;
}

function changedMembers(group: string, old: Members, now: Members): Members {
  const changed: Record<string, unknown> = {};
  for (const member of new Set([...Object.keys(old), ...Object.keys(now), ...(OPTIONAL[group] ?? [])]))
    if (!same(old[member], now[member])) changed[member] = now[member] ?? null;
  return changed;
}

/** Groups are changed member by member; the title and the favicon as a whole. */
function isGroup(name: string, value: unknown): boolean {
  return name !== "favicon" && typeof value === "object" && value !== null;
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Members that only answers have: where links lead somebody, and what a font of the organization is. */
function sendable(look: Members): Members {
  return JSON.parse(
    JSON.stringify(look, (name, value) => {
      if ((name === "font" || name === "monospaceFont") && typeof value === "object" && value !== null)
        return "id" in value && value.id !== undefined ? { id: value.id } : value;
      if (typeof value !== "object" || value === null || Array.isArray(value) || !("to" in value)) return value;
      const { url: _, to, ...link } = value as { url?: string; to: { kind: string; url?: string } | null };
      return { ...link, to: to?.kind === "url" && to.url?.trim() === "" ? null : to };
    }),
    (name, value) => (name === "condition" && value === "" ? undefined : value),
  ) as Members;
}
