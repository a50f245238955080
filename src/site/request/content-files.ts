// The bytes of content files, for output that is generated here. They are requested as the reader's browser would request them.

import type { RequestContext } from "./request-context";

/** Returns the bytes of a file by the download URL of the API, or undefined if this visitor does not get them. */
export async function fetchFileBytes(
  { callOperation }: Pick<RequestContext, "callOperation">,
  downloadUrl: string,
): Promise<Uint8Array | undefined> {
  const file = await callOperation("downloadFile", { params: { download: downloadUrl.split("/").at(-1)! } });
  return file && readAllBytes(file.body);
}

/** Returns all bytes of a body. */
export async function readAllBytes(body: Uint8Array | ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return body instanceof Uint8Array ? body : new Uint8Array(await new Response(body).arrayBuffer());
}
