// The settings of a book that was written for mdBook: `book.toml`.

import { parse } from "smol-toml";
import { redirectsFrom } from "./redirects";
import type { Settings } from "./settings";
import { member, membersOf, readSettings } from "./settings-file";
import type { Files } from "./tree";

/** What `book.toml` says. */
export async function mdBookSettings(files: Files, path: string): Promise<Settings> {
  const table = await readSettings(files, path, parse, "It is not TOML, and is ignored.");
  const html = member(member(table, "output"), "html");
  const redirects = new Map(membersOf(member(html, "redirect")));
  return {
    root: member(member(table, "book"), "src") ?? "src",
    redirects: redirectsFrom(files, redirects, "folder"),
    hidelines: textsOf(member(member(html, "code"), "hidelines")),
  };
}

/** The members that are texts; undefined when there are none. */
function textsOf(value: unknown): Record<string, string> | undefined {
  const texts = membersOf(value).filter((it): it is [string, string] => typeof it[1] === "string" && it[1] !== "");
  return texts.length === 0 ? undefined : Object.fromEntries(texts);
}
