// Asks the server which commit a branch holds. A server that can filter is asked for that one branch only.

import { concatBytes } from "../utils/bytes";
import type { GitConnection, GitService } from "./connection";
import { encodeLines, FLUSH, parseList } from "./packets";
import { GitError } from "./port";

const DELIMITER = new TextEncoder().encode("0001");

/** Returns the commit at the tip of a branch, or undefined if there is no such branch. */
export async function fetchTip(connection: GitConnection, ref: string): Promise<string | undefined> {
  const announcement = await fetchAnnouncement(connection, "git-upload-pack", 2);
  if (announcement.version === 1) return findTip(announcement.lines, ref);
  const prefix = encodeLines(`ref-prefix ${ref}\n`);
  const request = concatBytes([encodeLines("command=ls-refs\n"), DELIMITER, prefix, FLUSH]);
  return findTip(parseList(await connection.postCommand("git-upload-pack", request)), ref);
}

/** Returns the tip of a branch as the push service reports it, with the capabilities of that service. */
export async function fetchPushInfo(
  connection: GitConnection,
  ref: string,
): Promise<{ tip: string | undefined; capabilities: ReadonlySet<string> }> {
  const { lines, capabilities } = await fetchAnnouncement(connection, "git-receive-pack", 1);
  return { tip: findTip(lines, ref), capabilities };
}

interface Announcement {
  readonly version: 1 | 2;
  /** One line for each ref, with its oid and its name. */
  readonly lines: readonly string[];
  readonly capabilities: ReadonlySet<string>;
}

/** Requests the announcement of a server: in version 2 the capabilities, before that the refs with them. */
async function fetchAnnouncement(
  connection: GitConnection,
  service: GitService,
  version: 1 | 2,
): Promise<Announcement> {
  const lines = parseList(await connection.getAnnouncement(service, version));
  const hasServiceLine = lines[0] === `# service=${service}`;
  const [first, ...rest] = hasServiceLine ? lines.slice(1) : lines;
  if (first === "version 2" && version === 2) return { version, lines: [], capabilities: new Set(rest) };
  if (first === undefined && hasServiceLine) return { version: 1, lines: [], capabilities: new Set() };
  const [firstRef, capabilities] = first?.split("\0") ?? [];
  if (!hasServiceLine || capabilities === undefined)
    throw new GitError("not_git", `${connection.host} responded, but it isn't a Git server.`);
  return { version: 1, lines: [firstRef!, ...rest], capabilities: new Set(capabilities.trim().split(" ")) };
}

function findTip(lines: readonly string[], ref: string): string | undefined {
  // The server lists every ref that begins with this name.
  const oid = lines.map((line) => line.split(" ")).find(([, name]) => name === ref)?.[0];
  if (oid === undefined || /^[0-9a-f]{40}$/.test(oid)) return oid;
  throw new GitError("not_git", "The repository uses an unsupported object format. Only SHA-1 is supported.");
}
