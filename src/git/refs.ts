// Which commit a branch holds, as the server tells it: isomorphic-git asks for that one ref and nothing else.

import { getRemoteInfo2, listServerRefs } from "isomorphic-git";
import { GitRefused } from "./refused";
import type { Wire } from "./wire";

/** The commit at the tip of a branch; undefined when there is no such branch. */
export async function tipOf(wire: Wire, ref: string): Promise<string | undefined> {
  const asked = listServerRefs({ http: wire.http, url: wire.url, prefix: ref, protocolVersion: 2 });
  return tipIn(await understood(asked, wire), ref);
}

/** The tip of a branch as the side of the server sees it that takes pushes, and what that side can do. */
export async function pushInfo(wire: Wire, ref: string): Promise<{ tip: string | undefined; can: Set<string> }> {
  const asked = getRemoteInfo2({ http: wire.http, url: wire.url, forPush: true, protocolVersion: 1 });
  const info = await understood(asked, wire);
  const refs = info.protocolVersion === 1 ? (info.refs ?? []) : [];
  return { tip: tipIn(refs, ref), can: new Set(Object.keys(info.capabilities)) };
}

function tipIn(refs: readonly { readonly ref: string; readonly oid: string }[], ref: string): string | undefined {
  // The server is asked for names that begin so.
  const oid = refs.find((one) => one.ref === ref)?.oid;
  if (oid === undefined || /^[0-9a-f]{40}$/.test(oid)) return oid;
  throw new GitRefused("not_git", "The repository names its commits in a way that is not understood.");
}

/** isomorphic-git's own errors may quote whole answers: none of them gets out. */
async function understood<T>(asked: Promise<T>, wire: Wire): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof GitRefused) throw new GitRefused(error.reason, error.message);
    throw new GitRefused("not_git", `${wire.host} answered, but not as a Git server does.`);
  }
}
