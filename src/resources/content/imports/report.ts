// The stored report of an import: the skipped items, without secrets from URLs.

import type { OmittedPart, SkippedItem } from "../../../content/book/book";
import { tryParseUrl } from "../../../utils/url";
import type { OmissionReport } from "./omission-report";

/** The most items of a report. A crawl groups everything beyond a thousand by reason. */
const MAX_SKIPPED = 1200;
/** The longest name or reason, in characters. */
const MAX_LENGTH = 500;

/** Serializes the report of what was not imported. Returns undefined if that is nothing. */
export function serializeOmissionReport(
  skipped: readonly SkippedItem[],
  omitted: readonly OmittedPart[],
): string | undefined {
  if (skipped.length + omitted.length === 0) return undefined;
  const listed = skipped.slice(0, MAX_SKIPPED).map(({ resource, reason }) => ({
    resource: truncateReportText(redactUrl(resource)),
    reason: truncateReportText(reason.replace(/https?:\/\/[^\s"<>]+/gi, redactUrl)),
  }));
  const more = skipped.length - listed.length;
  if (more > 0) listed.push({ resource: "…", reason: `${more} more are not listed.` });
  const leftOut = omitted.map((item) => ({ ...item, part: truncateReportText(item.part) }));
  const report: OmissionReport = { skipped: listed, leftOut };
  return JSON.stringify(report);
}

/** Removes the name, password and query from a URL, because each may be a secret. Other texts stay as they are. */
export function redactUrl(address: string): string {
  if (!/^https?:/i.test(address)) return address;
  const url = tryParseUrl(address);
  if (!url) return address.replace(/^(https?:\/*)[^/?#]*@/i, "$1").replace(/\?.*/s, "?…");
  return `${url.origin}${url.pathname}${url.search === "" ? "" : "?…"}`;
}

function truncateReportText(text: string): string {
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
