// Sends files as bytes to everybody who has a signed URL.

import { downloadHeaders } from "../../../content/files/download";
import { BinaryResponse, BinarySchema } from "../../../operation/binary-response";
import { serveFile } from "../../../operation/byte-ranges";
import { defineOperation } from "../../../operation/operation";
import type { Target } from "../../../operation/target";
import { getPartitionByCode, parsePartitionCode } from "../../../storage/ids";
import { type Download, openDownload, spaceOf } from "./download-urls";
import { sealStart } from "./seals";
import { enterAsReader } from "./signed-readers";

/** What a signed URL gives access to, as long as the person who requested it may read the space. */
const download: Target<{ readonly found: Download }, "view"> = {
  findPartition({ download }) {
    const code = parsePartitionCode("space", spaceOf(download!));
    return code && getPartitionByCode(code);
  },
  async load(scope) {
    const found = openDownload(scope.secrets, scope.params.download!, scope.now);
    return found && (await enterAsReader(scope, found)) && { found };
  },
  notFoundReason: "file_not_found",
  rights: { view: () => true },
  allowsAnonymous: true,
};

/** Names the bytes of a file. */
const tagOf = ({ object }: Download) => object.slice(0, 32);

export const downloadFile = defineOperation("GET /downloads/:download", {
  summary: "Download a file, with a URL that another answer gave",
  description:
    "The URL is signed and ends after an hour or two, or when whoever asked for it may no longer read the space; no token is needed.",
  target: download,
  allowsUnknownQuery: true,
  right: "view",
  returns: BinarySchema,
  supportsRanges: true,
  version: ({ found }) => tagOf(found),
  async handle({ found, objects, originalRequest }) {
    const { size, read } = await objects.open(found.object);
    const headers = downloadHeaders({ contentType: found.type, name: found.name, size });
    // The bytes behind a URL never change, so they are as old as the URL.
    const lastModified = sealStart(found.until);
    const sent = await serveFile(originalRequest, { size, headers, etag: `"${tagOf(found)}"`, lastModified, read });
    return new BinaryResponse(sent.body, sent.headers, sent.status);
  },
});
