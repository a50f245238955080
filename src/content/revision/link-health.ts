// Whether links lead somewhere. For targets inside the content this is a pure function of the revision. Targets outside
// of it are looked up by the caller, who may not see all of them.

import { omitUndefined } from "../../utils/objects";
import type { ContentRef } from "../document";
import { keys } from "./entries";
import type { RevisionView } from "./view";

/** What a target of links is, as far as the content itself can tell. */
export type LinkHealth = "ok" | "broken" | { readonly outside: ContentRef };

/** The health of targets, in the order asked. */
export async function checkLinkTargets(view: RevisionView, targets: readonly string[]): Promise<LinkHealth[]> {
  const known = targets.map(partsOf);
  const entries = await view.getMany(known.map(({ key }) => key));
  return Promise.all(
    known.map(async (target, i): Promise<LinkHealth> => {
      if (target.outside) return { outside: target.outside };
      if (target.path !== undefined) return (await view.findPageByPath(target.path)) ? "ok" : "broken";
      if (entries[i] === undefined) return "broken";
      if (target.page === undefined || target.anchor === undefined) return "ok";
      return (await view.findAnchor(target.page, target.anchor)) === undefined ? "broken" : "ok";
    }),
  );
}

interface TargetParts {
  /** The entry that has to be there. */
  readonly key: string;
  readonly page?: string;
  readonly anchor?: string;
  readonly path?: string;
  readonly outside?: ContentRef;
}

/** A key that no entry has. */
const NOTHING = "-";

function partsOf(target: string): TargetParts {
  const [kind, first = "", second] = target.split(":");
  if (kind === "f") return { key: keys.file(first) };
  if (kind === "r") return { key: keys.reusable(first) };
  if (kind === "p")
    return { key: keys.page(first), page: first, ...omitUndefined({ anchor: second ? spelled(second) : undefined }) };
  if (kind === "n") return { key: NOTHING, path: spelled(first) };
  return { key: NOTHING, outside: outsideOf(first) };
}

/** A text of users in a key. A text that was too long for a key cannot be restored, so it leads nowhere. */
function spelled(encoded: string): string {
  return encoded.startsWith("~") ? encoded : decodeURIComponent(encoded);
}

/** Only URLs are ever too long for a key. */
function outsideOf(line: string): ContentRef {
  if (line.startsWith("~")) return { kind: "url", url: "" };
  return refOf(JSON.parse(spelled(line)) as string[]);
}

function refOf([kind, first = "", second]: readonly string[]): ContentRef {
  if (kind === "page") return { kind, page: first, space: second! };
  if (kind === "space") return { kind, space: first };
  if (kind === "collection") return { kind, collection: first };
  if (kind === "user") return { kind, user: first };
  if (kind === "openapi") return { kind, spec: first };
  return { kind: "url", url: first };
}
