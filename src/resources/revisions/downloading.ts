// Files as bytes, to whoever has a URL that was signed for them.

import { downloadHeaders } from "../../content/files";
import { failure } from "../../errors";
import { Moved } from "../../kernel/moved";
import { operation, type Target } from "../../operation";
import { Bytes, Sent } from "../../sent";
import { codeOf, organizationPartition } from "../../store/ids";
import { isTrashed, whereIs } from "../tree/records";
import { openDownload, spaceOf } from "./downloads";

/** The space that a download is of; the download itself is checked by the operation. */
const download: Target<object, "view"> = {
  partition({ download }) {
    const code = codeOf("space", spaceOf(download!));
    return code && organizationPartition(code);
  },
  async load({ tx, params, cameFrom }) {
    const found = await whereIs(tx, spaceOf(params.download!), cameFrom);
    if (found && "movedTo" in found) throw new Moved(found.movedTo);
    return found && !isTrashed(found.path) ? {} : undefined;
  },
  absent: "file_not_found",
  rights: { view: () => true },
  open: true,
};

export const downloadFile = operation("GET /downloads/:download", {
  summary: "Download a file, with a URL that another answer gave",
  description: "The URL is signed and ends after an hour or two; no token is needed.",
  on: download,
  right: "view",
  returns: Bytes,
  async handle({ params, secrets, objects, now }) {
    const found = openDownload(secrets, params.download, now);
    if (!found) throw failure("file_not_found");
    const { size, body } = await objects.open(found.object);
    return new Sent(body, downloadHeaders({ contentType: found.type, name: found.name, size }));
  },
});
