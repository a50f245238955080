// What machines ask a site for, by its path below the site. The answers are kept like pages.

import type { KeptResponse } from "../shelf";
import type { Visit } from "../visit";
import { llmsFullText, llmsText } from "./llms";
import { robotsText } from "./robots";
import { sitemap } from "./sitemap";

type Route = (visit: Visit) => Promise<KeptResponse>;

const named: Readonly<Record<string, Route>> = {
  "robots.txt": robotsText,
  "sitemap.xml": (visit) => sitemap(visit),
  "llms.txt": llmsText,
  "llms-full.txt": llmsFullText,
};

/** What answers a path; undefined: nothing for machines is there. */
export function machineRoute(path: string): Route | undefined {
  const part = /^sitemap-([1-9]\d{0,5})\.xml$/.exec(path)?.[1];
  if (part !== undefined) return (visit) => sitemap(visit, Number(part));
  return Object.hasOwn(named, path) ? named[path] : undefined;
}
