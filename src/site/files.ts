// Files of the content as bytes, for what is made of them here: asked for as the reader's browser would ask.

import type { Visit } from "./visit";

/** The bytes behind the address that the API gave for a file; undefined where this visitor does not get it. */
export async function fileBytes({ ask }: Pick<Visit, "ask">, downloadUrl: string): Promise<Uint8Array | undefined> {
  const sent = await ask("downloadFile", { params: { download: downloadUrl.split("/").at(-1)! } });
  return sent && bytesOf(sent.body);
}

export async function fileText(visit: Pick<Visit, "ask">, downloadUrl: string): Promise<string | undefined> {
  const bytes = await fileBytes(visit, downloadUrl);
  return bytes && new TextDecoder().decode(bytes);
}

/** All bytes of a body. */
export async function bytesOf(body: Uint8Array | ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return body instanceof Uint8Array ? body : new Uint8Array(await new Response(body).arrayBuffer());
}
