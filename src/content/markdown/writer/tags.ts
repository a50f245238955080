// Writes tags, alone and with content.

import { quoteValue } from "../escape";

/** The attributes of a tag. An undefined member is left out. */
export type TagAttributes = Readonly<Record<string, string | undefined>>;

export function writeTag(name: string, attributes: TagAttributes): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : `${key}=${quoteValue(value)}`,
  );
  const [first, ...others] = [name, ...written].join(" ").split("\n");
  // A tag whose first line contains `%}` would end there: then the first line has only the name.
  const isCut = others.length > 0 && first!.includes("%}");
  return `{% ${[name, ...written].join(isCut ? "\n" : " ")} %}`;
}

/** Writes a tag with content. Each tag is on its own line. */
export function writeTagPair(name: string, attributes: TagAttributes, inside: string): string {
  return `${writeTag(name, attributes)}\n${inside && `${inside}\n`}{% end${name} %}`;
}
