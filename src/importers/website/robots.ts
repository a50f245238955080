// robots.txt: what a site asks of robots (RFC 9309). The longest rule that matches a path decides; of two rules of the same
// length, the one that allows.

/** The requests of a site to us. */
export interface RobotsRules {
  /** Returns whether a path, with its query, may be read. */
  readonly allows: (path: string) => boolean;
  /** The pause between two requests. */
  readonly crawlDelaySeconds: number;
  readonly sitemaps: readonly string[];
}

/** The most bytes of the file that are read, as the standard requires. */
export const MAX_ROBOTS_BYTES = 512 * 1024;
const MAX_RULES = 5000;
const MAX_SITEMAPS = 20;
const USER_AGENT = "octavo";

interface RobotsGroup {
  readonly agents: string[];
  readonly rules: RobotsRule[];
  delaySeconds: number;
}

interface RobotsRule {
  readonly allows: boolean;
  readonly pattern: string;
}

/** Parses the file. Lines that are not understood are ignored. */
export function parseRobots(text: string): RobotsRules {
  const groups: RobotsGroup[] = [];
  const sitemaps: string[] = [];
  let isNamingAgents = false;
  let ruleCount = 0;
  for (const line of text
    .slice(0, MAX_ROBOTS_BYTES)
    .replace(/^\ufeff/, "")
    .split(/[\r\n]+/)) {
    const hash = line.indexOf("#");
    const field = hash < 0 ? line : line.slice(0, hash);
    const colon = field.indexOf(":");
    if (colon < 0) continue;
    const name = field.slice(0, colon).trim().toLowerCase();
    const value = field.slice(colon + 1).trim();
    if (name === "user-agent") {
      if (!isNamingAgents) groups.push({ agents: [], rules: [], delaySeconds: 0 });
      groups.at(-1)!.agents.push(value.toLowerCase());
      isNamingAgents = true;
    } else if (name === "sitemap") {
      if (sitemaps.length < MAX_SITEMAPS) sitemaps.push(value);
    } else if (name !== "") {
      isNamingAgents = false;
      const group = groups.at(-1);
      if (!group) continue;
      if ((name === "allow" || name === "disallow") && value !== "" && ++ruleCount <= MAX_RULES)
        group.rules.push({ allows: name === "allow", pattern: normalizePath(value) });
      else if (name === "crawl-delay") group.delaySeconds = Math.max(group.delaySeconds, Number.parseFloat(value) || 0);
    }
  }

  // The groups that name us count, or else those for all robots.
  let ownGroups = groups.filter(({ agents }) => agents.some((agent) => agent.split("/")[0] === USER_AGENT));
  if (ownGroups.length === 0) ownGroups = groups.filter(({ agents }) => agents.includes("*"));
  // The longest rules come first.
  const rules = ownGroups.flatMap((group) => group.rules).sort((a, b) => b.pattern.length - a.pattern.length);
  return {
    allows(path) {
      if (path === "/robots.txt") return true;
      const normalizedPath = normalizePath(path);
      let decisiveLength = -1;
      for (const { pattern, allows } of rules) {
        if (pattern.length < decisiveLength) break;
        if (!isMatchingPath(normalizedPath, pattern)) continue;
        if (allows) return true;
        decisiveLength = pattern.length;
      }
      return decisiveLength < 0;
    },
    crawlDelaySeconds: Math.max(0, ...ownGroups.map(({ delaySeconds }) => delaySeconds)),
    sitemaps,
  };
}

/** Returns whether a path matches a pattern, in which `*` is anything and a final `$` is the end. */
function isMatchingPath(path: string, pattern: string): boolean {
  const isAnchored = pattern.endsWith("$");
  const [first = "", ...others] = (isAnchored ? pattern.slice(0, -1) : pattern).split("*");
  if (!path.startsWith(first)) return false;
  let position = first.length;
  for (const [i, part] of others.entries()) {
    if (isAnchored && i === others.length - 1) return path.length - part.length >= position && path.endsWith(part);
    const index = path.indexOf(part, position);
    if (index < 0) return false;
    position = index + part.length;
  }
  return !isAnchored || position === path.length;
}

/** Returns a path with one spelling of its escapes. */
function normalizePath(path: string): string {
  try {
    return encodeURI(decodeURI(path));
  } catch {
    return path;
  }
}
