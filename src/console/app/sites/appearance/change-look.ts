// Edits the appearance of a site by paths, and computes the changes to send. All functions are pure.

import type { CustomizationChangesInput } from "../../../../generated/resources";
import type { SiteLook } from "./settings";

type LookMembers = Readonly<Record<string, unknown>>;

/** Returns the value at a path, or undefined. */
export function getLookValue(look: SiteLook, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (value as LookMembers | undefined)?.[name], look);
}

/** Returns the appearance with another value at a path. Undefined removes the value, and groups that become empty. */
export function setLookValue(look: SiteLook, path: readonly string[], value: unknown): SiteLook {
  return putMember(look as unknown as LookMembers, path, value) as unknown as SiteLook;
}

function putMember(members: LookMembers, [name = "", ...rest]: readonly string[], value: unknown): LookMembers {
  const inner = rest.length > 0 ? putMember((members[name] ?? {}) as LookMembers, rest, value) : value;
  const isEmpty = value === undefined && (rest.length === 0 || Object.keys(inner as LookMembers).length === 0);
  if (!isEmpty) return { ...members, [name]: inner };
  const { [name]: _, ...others } = members;
  return others;
}

/** The optional settings by group. An appearance omits them, a change sets them to null. */
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

/** Returns all settings of an appearance, as the API takes them for a site. Omitted settings get their defaults. */
export function toSiteCustomization(look: SiteLook): CustomizationChangesInput {
  return removeResponseFields(look as unknown as LookMembers) as CustomizationChangesInput;
}

/** Returns the changed settings, as the API takes them for a site space. All others are inherited from the site. */
export function diffLooks(before: SiteLook, after: SiteLook): CustomizationChangesInput {
  const [old, now] = [before, after].map((look) => removeResponseFields(look as unknown as LookMembers)) as [
    LookMembers,
    LookMembers,
  ];
  const changes: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(old), ...Object.keys(now)])) {
    if (JSON.stringify(old[name]) === JSON.stringify(now[name])) continue;
    // Groups are changed field by field; the title and the favicon as a whole.
    const isGroup = name !== "favicon" && typeof now[name] === "object" && now[name] !== null;
    if (!isGroup) changes[name] = now[name] ?? null;
    else {
      const [oldGroup, newGroup] = [(old[name] ?? {}) as LookMembers, now[name] as LookMembers];
      const members = new Set([...Object.keys(oldGroup), ...Object.keys(newGroup), ...(OPTIONAL[name] ?? [])]);
      const changedMembers = [...members].filter(
        (member) => JSON.stringify(oldGroup[member]) !== JSON.stringify(newGroup[member]),
      );
      changes[name] = Object.fromEntries(changedMembers.map((member) => [member, newGroup[member] ?? null]));
    }
  }
  return changes as CustomizationChangesInput;
}

/** Removes the fields that only responses have: the resolved URLs of links, and the details of custom fonts. */
function removeResponseFields(look: LookMembers): LookMembers {
  return JSON.parse(
    JSON.stringify(look, (name, value) => {
      if ((name === "font" || name === "monospaceFont") && typeof value === "object" && value !== null)
        return "id" in value && value.id !== undefined ? { id: value.id } : value;
      if (typeof value !== "object" || value === null || Array.isArray(value) || !("to" in value)) return value;
      const { url: _, to, ...link } = value as { url?: string; to: { kind: string; url?: string } | null };
      return { ...link, to: to?.kind === "url" && to.url?.trim() === "" ? null : to };
    }),
    (name, value) => (name === "condition" && value === "" ? undefined : value),
  ) as LookMembers;
}
