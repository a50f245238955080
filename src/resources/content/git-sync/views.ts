// The synchronization of a space on the wire.

import type * as v from "valibot";
import { omitUndefined } from "../../../utils/objects";
import { parseUrl, tryDecodeUriComponent } from "../../../utils/url";
import type { GitSync } from "../../library/spaces/schema";
import type { GitSyncRecord } from "./records";

/** Formats the repository of a space, as a field of the space. */
export function presentGitSync(sync: GitSyncRecord): v.InferOutput<typeof GitSync> {
  // The owner and the name of the repository, from its URL.
  const parts = parseUrl(sync.url)
    .pathname.split("/")
    .filter((part) => part !== "")
    .map((part) => tryDecodeUriComponent(part) ?? part);
  return {
    repoName: parts.join("/").replace(/\.git$/, ""),
    ...omitUndefined({ installationProvider: sync.provider, integration: sync.integration }),
    url: sync.page ?? sync.url,
    updatedAt: sync.updatedAt,
  };
}
