// Asks the server which commit a branch holds. A server that can filter is asked for that one ref only.

import { concatBytes } from "../utils/bytes";
import { FLUSH, lines, linesOf } from "./packets";
import { GitRefused } from "./refused";
import type { Service, Wire } from "./wire";

const DELIMITER = new TextEncoder().encode("0001");

interface Announced {
  readonly version: 1 | 2;
  readonly refs: readonly Ref[];
  readonly can: ReadonlySet<string>;
}

interface Ref {
  readonly oid: string;
  readonly name: string;
}

/** The commit at the tip of a branch; undefined when there is no such branch. */
export async function tipOf(wire: Wire, ref: string): Promise<string | undefined> {
  const announced = await announcedBy(wire, "git-upload-pack", 2);
  if (announced.version === 1) return tipIn(announced.refs, ref);
  const request = concatBytes([lines("command=ls-refs\n"), DELIMITER, lines(`ref-prefix ${ref}\n`), FLUSH]);
  return tipIn(linesOf(await wire.listOf("git-upload-pack", request)).map(refIn), ref);
}

/** The tip of a branch as the push service reports it, with the capabilities of that service. */
export async function pushInfo(
  wire: Wire,
  ref: string,
): Promise<{ tip: string | undefined; can: ReadonlySet<string> }> {
  const { version, refs, can } = await announcedBy(wire, "git-receive-pack", 1);
  if (version !== 1) throw notUnderstood(wire);
  return { tip: tipIn(refs, ref), can };
}

/**
 * The first answer of a server. In version 2 it lists capabilities only; before that it lists refs, with the
 * capabilities after the first.
 */
async function announcedBy(wire: Wire, service: Service, version: 1 | 2): Promise<Announced> {
  const said = linesOf(await wire.announcement(service, version));
  const isNamed = said[0] === `# service=${service}`;
  const [first, ...rest] = isNamed ? said.slice(1) : said;
  if (first === "version 2") return { version: 2, refs: [], can: new Set(rest) };
  if (!isNamed) throw notUnderstood(wire);
  if (first === undefined) return { version: 1, refs: [], can: new Set() };
  const [ref, abilities] = first.split("\0");
  if (abilities === undefined) throw notUnderstood(wire);
  return { version: 1, refs: [ref!, ...rest].map(refIn), can: new Set(abilities.trim().split(" ")) };
}

function refIn(line: string): Ref {
  const [oid = "", name = ""] = line.split(" ");
  return { oid, name };
}

function tipIn(refs: readonly Ref[], ref: string): string | undefined {
  // The server lists every ref that begins with this name.
  const oid = refs.find(({ name }) => name === ref)?.oid;
  if (oid === undefined || /^[0-9a-f]{40}$/.test(oid)) return oid;
  throw new GitRefused("not_git", "The repository names its commits in a way that is not understood.");
}

function notUnderstood({ host }: Wire): GitRefused {
  return new GitRefused("not_git", `${host} answered, but not as a Git server does.`);
}
