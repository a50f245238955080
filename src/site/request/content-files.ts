// Files of the content as bytes, for what is made of them here: asked for as the reader's browser would ask.

import type { RequestContext } from "./request-context";

/** The bytes behind the address that the API gave for a file; undefined where this visitor does not get it. */
export async function fetchFileBytes(
  { callOperation }: Pick<RequestContext, "callOperation">,
  downloadUrl: string,
): Promise<Uint8Array | undefined> {
  const sent = await callOperation("downloadFile", { params: { download: downloadUrl.split("/").at(-1)! } });
  return sent && readAllBytes(sent.body);
}

export async function fetchFileText(
  context: Pick<RequestContext, "callOperation">,
  downloadUrl: string,
): Promise<string | undefined> {
  const bytes = await fetchFileBytes(context, downloadUrl);
  return bytes && new TextDecoder().decode(bytes);
}

/** All bytes of a body. */
export async function readAllBytes(body: Uint8Array | ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return body instanceof Uint8Array ? body : new Uint8Array(await new Response(body).arrayBuffer());
}
