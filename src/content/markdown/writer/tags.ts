// Tags, alone and in pairs.

import { quoteValue } from "./escape";

/** What a tag says; a member that is undefined says nothing. */
export type Attributes = Readonly<Record<string, string | undefined>>;

/** A tag with those of its attributes that say something. */
export function tag(name: string, attributes: Attributes): string {
  const said = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : `${key}=${quoteValue(value)}`,
  );
  const [first, ...others] = [name, ...said].join(" ").split("\n");
  // A tag that could end on its first line does. Then that line has the name alone.
  const isCut = others.length > 0 && first!.includes("%}");
  return `{% ${[name, ...said].join(isCut ? "\n" : " ")} %}`;
}

/** A pair of tags, each on a line of its own. */
export function pair(name: string, attributes: Attributes, inside: string): string {
  return `${tag(name, attributes)}\n${line(inside)}{% end${name} %}`;
}

/** A text with a line ending, unless it is empty. */
export function line(text: string): string {
  return text === "" ? "" : `${text}\n`;
}

/** The attribute of what takes the whole width. */
export function wide(data: { fullWidth?: boolean } | undefined): Attributes {
  return data?.fullWidth ? { fullWidth: "true" } : {};
}

/** A text on one line. */
export function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, " ").trim();
}
