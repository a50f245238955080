// Sends files as bytes to everyone who has a signed URL.

import { createDownloadHeaders } from "../../../content/files/download";
import { BinaryResponse, BinarySchema } from "../../../operation/binary-response";
import { serveFile } from "../../../operation/byte-ranges";
import { defineOperation } from "../../../operation/operation";
import type { Target } from "../../../operation/target";
import { getPartitionByCode, parsePartitionCode } from "../../../storage/ids";
import { type DownloadClaims, parseDownloadClaims } from "./download-urls";
import { computeSigningTime, verifyClaims } from "./signed-claims";
import { enterAsReader } from "./signed-readers";

/** The file of a signed URL, as long as the person who requested the URL may read the space. */
const download: Target<{ readonly claims: DownloadClaims }, "view"> = {
  findPartition({ download }) {
    const code = parsePartitionCode("space", parseDownloadClaims(download!)?.space ?? "");
    return code && getPartitionByCode(code);
  },
  async load(scope) {
    const { secrets, params, now } = scope;
    const claims = verifyClaims(secrets, "download", params.download!, parseDownloadClaims, now);
    return claims && (await enterAsReader(scope, claims)) && { claims };
  },
  notFoundReason: "file_not_found",
  rights: { view: () => true },
  allowsAnonymous: true,
};

/** Returns a tag that identifies the bytes of a file. */
const getFileTag = ({ object }: DownloadClaims) => object.slice(0, 32);

export const downloadFile = defineOperation("GET /downloads/:download", {
  summary: "Download a file",
  target: download,
  allowsUnknownQuery: true,
  right: "view",
  returns: BinarySchema,
  supportsRanges: true,
  version: ({ claims }) => getFileTag(claims),
  async handle({ claims, objects, originalRequest }) {
    const { size, read } = await objects.open(claims.object);
    const headers = createDownloadHeaders({ contentType: claims.type, name: claims.name, size });
    // The bytes behind a URL never change, so they are as old as the URL.
    const lastModified = computeSigningTime(claims.until);
    const etag = `"${getFileTag(claims)}"`;
    const response = await serveFile(originalRequest, { size, headers, etag, lastModified, read });
    return new BinaryResponse(response.body, response.headers, response.status);
  },
});
