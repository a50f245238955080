// What one revision of a space holds, with its texts and the bytes of its files on demand. Everything is read from the same
// revision, so a change meanwhile does no harm.

import type { Resources } from "octavo";
import type { Connection } from "../connection/connection";

export interface Snapshot {
  readonly pages: readonly Resources.PageInTree[];
  readonly files: readonly Resources.File[];
  readonly reusableContents: readonly Resources.RevisionReusableContent[];
  readonly variables: Resources.Revision["variables"];
  readonly textOfPage: (id: string) => Promise<string>;
  readonly textOfReusable: (id: string) => Promise<string>;
  readonly bytesOf: (file: Resources.File) => Promise<Uint8Array>;
}

/** The stored content of a space as it is now, without what is computed. */
export async function snapshotOf({ ask, download }: Connection, spaceId: string): Promise<Snapshot> {
  const query = { computed: "false" } as const;
  const content = await ask("getContent", { params: { spaceId }, query });
  const revisionId = content.id;
  return {
    pages: content.pages,
    files: content.files,
    reusableContents: content.reusableContents,
    variables: content.variables,
    async textOfPage(pageId) {
      const page = await ask("getRevisionPage", { params: { spaceId, revisionId, pageId }, query });
      return page.markdown ?? "";
    },
    async textOfReusable(reusableContentId) {
      const params = { spaceId, revisionId, reusableContentId };
      return (await ask("getRevisionReusableContent", { params, query })).markdown ?? "";
    },
    async bytesOf({ id }) {
      // An address of a file ends after a while, so it is asked for when it is needed.
      const { downloadURL } = await ask("getFile", { params: { spaceId, fileId: id }, query });
      return download(downloadURL);
    },
  };
}
