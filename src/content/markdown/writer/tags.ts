// Tags, alone and in pairs.

import { quoteArgument } from "./escape";

/** What a tag says; a member that is undefined says nothing. */
export type Attributes = Readonly<Record<string, string | undefined>>;

/** A tag with those of its attributes that say something. */
export function tag(name: string, attributes: Attributes): string {
  const said = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : `${key}=${quoteArgument(value)}`,
  );
  return `{% ${[name, ...said].join(" ")} %}`;
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
