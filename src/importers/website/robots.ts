// robots.txt: what a site asks of those who read it by machine. The longest rule that fits a path decides; of two as long,
// the one that allows.

/** What a site asks of us. */
export interface Robots {
  /** Whether a path, with its query, may be read. */
  readonly allows: (path: string) => boolean;
  /** Seconds between two requests. */
  readonly crawlDelay: number;
  readonly sitemaps: readonly string[];
}

/** How much of the file is read, as the standard requires. */
export const MAX_ROBOTS = 512 * 1024;
const MAX_RULES = 5000;
const OUR_NAME = "octavo";

interface Group {
  readonly agents: string[];
  readonly rules: Rule[];
  delay: number;
}

interface Rule {
  readonly allows: boolean;
  readonly pattern: string;
}

/** Reads the file; whatever in it is not understood is passed over. */
export function readRobots(text: string): Robots {
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  let isNaming = false;
  let rules = 0;
  for (const line of text
    .slice(0, MAX_ROBOTS)
    .replace(/^\ufeff/, "")
    .split(/[\r\n]+/)) {
    const [name, value] = fieldOf(line);
    if (name === "user-agent") {
      if (!isNaming) groups.push({ agents: [], rules: [], delay: 0 });
      groups.at(-1)!.agents.push(value.toLowerCase());
      isNaming = true;
      continue;
    }
    if (name === "sitemap") {
      if (sitemaps.length < 20) sitemaps.push(value);
      continue;
    }
    if (name === "") continue;
    isNaming = false;
    const group = groups.at(-1);
    if (!group) continue;
    if ((name === "allow" || name === "disallow") && value !== "" && ++rules <= MAX_RULES)
      group.rules.push({ allows: name === "allow", pattern: normal(value) });
    else if (name === "crawl-delay") group.delay = Math.max(group.delay, Number.parseFloat(value) || 0);
  }
  const mine = groupsFor(groups);
  const known = mine.flatMap((group) => group.rules).sort((a, b) => b.pattern.length - a.pattern.length);
  return {
    allows: (path) => path === "/robots.txt" || decide(known, normal(path)),
    crawlDelay: Math.max(0, ...mine.map(({ delay }) => delay)),
    sitemaps,
  };
}

function fieldOf(line: string): [name: string, value: string] {
  const hash = line.indexOf("#");
  const bare = hash < 0 ? line : line.slice(0, hash);
  const colon = bare.indexOf(":");
  return colon < 0 ? ["", ""] : [bare.slice(0, colon).trim().toLowerCase(), bare.slice(colon + 1).trim()];
}

/** The groups that name us, else those for everybody. */
function groupsFor(groups: readonly Group[]): readonly Group[] {
  const ours = groups.filter(({ agents }) => agents.some((agent) => agent.split("/")[0] === OUR_NAME));
  return ours.length > 0 ? ours : groups.filter(({ agents }) => agents.includes("*"));
}

function decide(rules: readonly Rule[], path: string): boolean {
  let length = -1;
  let allows = true;
  for (const rule of rules) {
    if (rule.pattern.length < length) break;
    if (!fits(rule.pattern, path)) continue;
    length = rule.pattern.length;
    if (rule.allows) return true;
    allows = false;
  }
  return allows;
}

/** Whether a path matches a pattern, in which `*` is anything and a final `$` is the end. */
function fits(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith("$");
  const [first = "", ...others] = (isWhole ? pattern.slice(0, -1) : pattern).split("*");
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const [i, part] of others.entries()) {
    if (isWhole && i === others.length - 1) return path.length - part.length >= at && path.endsWith(part);
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return !isWhole || at === path.length;
}

/** One spelling for what is escaped and what is not. */
function normal(path: string): string {
  try {
    return encodeURI(decodeURI(path));
  } catch {
    return path;
  }
}
