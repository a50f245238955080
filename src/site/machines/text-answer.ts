// Answers for machines beside the pages: they are for whoever sees the page, and search engines keep the page itself.

import { type Holders, textAnswer } from "../answer";
import type { KeptResponse } from "../shelf";
import type { Visit } from "../visit";

export const MARKDOWN = "text/markdown; charset=utf-8";
export const PLAIN = "text/plain; charset=utf-8";
export const XML = "application/xml; charset=utf-8";
export const RSS = "application/rss+xml; charset=utf-8";

/** A text for this visitor. */
export function machineAnswer(
  visit: Pick<Visit, "isPublic">,
  text: string,
  type: string,
  headers: Readonly<Record<string, string>> = {},
): KeptResponse {
  const holders: Holders = visit.isPublic ? "everybody" : "visitor";
  return textAnswer(text, { type, holders, headers });
}

/** What is not there. */
export function machineNothing(sentence: string): KeptResponse {
  return textAnswer(`${sentence}\n`, { status: 404, type: PLAIN, holders: "nobody" });
}
