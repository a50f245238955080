// The content of one revision of a space, with its texts and files on demand. Everything is read from the same revision, so
// concurrent changes do not affect it.

import type { Resources } from "octavo";
import type { ApiConnection } from "../connection/connection";

export interface SpaceSnapshot {
  readonly pages: readonly Resources.PageInTree[];
  readonly files: readonly Resources.File[];
  readonly reusableContents: readonly Resources.RevisionReusableContent[];
  readonly variables: Resources.Revision["variables"];
  readonly readPage: (id: string) => Promise<string>;
  readonly readReusableContent: (id: string) => Promise<string>;
  readonly readFile: (file: Resources.File) => Promise<Uint8Array>;
}

/** Reads the current stored content of a space, without computed pages. */
export async function readSpaceSnapshot({ ask, download }: ApiConnection, spaceId: string): Promise<SpaceSnapshot> {
  const query = { computed: "false" } as const;
  const content = await ask("getContent", { params: { spaceId }, query });
  const revisionId = content.id;
  return {
    pages: content.pages,
    files: content.files,
    reusableContents: content.reusableContents,
    variables: content.variables,
    async readPage(pageId) {
      const page = await ask("getRevisionPage", { params: { spaceId, revisionId, pageId }, query });
      return page.markdown ?? "";
    },
    async readReusableContent(reusableContentId) {
      const params = { spaceId, revisionId, reusableContentId };
      return (await ask("getRevisionReusableContent", { params, query })).markdown ?? "";
    },
    async readFile({ id }) {
      // The URL of a file expires, so it is requested when it is needed.
      const { downloadURL } = await ask("getFile", { params: { spaceId, fileId: id }, query });
      return download(downloadURL);
    },
  };
}
