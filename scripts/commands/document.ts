// The document about the command line: what people wrote, and below it the reference that is made from the table of commands.

import { commands } from "../../cli/commands";
import { connectionOptions } from "../../cli/connection/connect";
import { jsonOption } from "../../cli/framework/command";
import { renderReference } from "../../cli/framework/render-reference";

const MARK = "<!-- Below: made from the table of commands by `npm run generate:commands`. -->";

/** The document with its reference made anew. */
export function withReference(document: string): string {
  const end = document.indexOf(MARK);
  if (end === -1) throw new Error(`docs/reference/command-line.md has no line ${MARK}`);
  return `${document.slice(0, end)}${MARK}\n\n${renderReference(commands, [...connectionOptions, jsonOption]).trimEnd()}\n`;
}
