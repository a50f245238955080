// A bucket of miniflare, asked by a Worker that has its binding. Miniflare also gives bindings to this process, but these
// wait for workerd without letting anything else run, and lose their place when the machine is busy.

import type { R2BucketLike, R2ObjectLike, R2Part } from "../../../adapters/r2/index";

/** The Worker: it makes one call for each request, and gives what the binding says. */
export const bucketWorker = `export default {
  async fetch(request, { BUCKET }) {
    const { upload, method, before, after } = JSON.parse(decodeURIComponent(request.headers.get("call")));
    const on = upload ? BUCKET.resumeMultipartUpload(upload.key, upload.uploadId) : BUCKET;
    const bytes = request.headers.has("bytes") ? [await request.arrayBuffer()] : [];
    try {
      const found = await on[method](...before, ...bytes, ...after);
      if (!found) return new Response("null");
      const { key, size, etag, partNumber, uploadId, truncated } = found;
      const objects = found.objects?.map(({ key }) => ({ key }));
      const told = JSON.stringify({ key, size, etag, partNumber, uploadId, truncated, objects });
      const { body } = found;
      return body ? new Response(body, { headers: { told: encodeURIComponent(told) } }) : new Response(told);
    } catch (error) {
      return new Response(error.message, { status: 500 });
    }
  },
};`;

/** What is asked of the bucket, or of an upload to it. */
interface Call {
  readonly upload?: Upload;
  readonly method: string;
  /** What is given before the bytes, and after them. */
  readonly before: readonly unknown[];
  readonly after?: readonly unknown[];
  readonly bytes?: Uint8Array;
}

interface Upload {
  readonly key: string;
  readonly uploadId: string;
}

interface Answer {
  readonly ok: boolean;
  readonly headers: { get(name: string): string | null };
  readonly body: unknown;
  text(): Promise<string>;
}

/** The bucket behind a Worker. */
export function bucketBehind(
  fetch: (url: string, init: { method: string; headers: Record<string, string>; body?: Uint8Array }) => Promise<Answer>,
): R2BucketLike {
  async function ask({ bytes, after = [], ...call }: Call): Promise<unknown> {
    const answer = await fetch("http://bucket/", {
      method: "POST",
      headers: { call: encodeURIComponent(JSON.stringify({ ...call, after })), ...(bytes ? { bytes: "yes" } : {}) },
      ...(bytes ? { body: bytes } : {}),
    });
    if (!answer.ok) throw new Error(await answer.text());
    const told = answer.headers.get("told");
    return told === null
      ? JSON.parse(await answer.text())
      : { ...JSON.parse(decodeURIComponent(told)), body: answer.body };
  }
  const object = (call: Call) => ask(call) as Promise<R2ObjectLike | null>;
  return {
    head: (key) => object({ method: "head", before: [key] }),
    get: (key, options = {}) => object({ method: "get", before: [key, options] }),
    put: (key, bytes, options = {}) => object({ method: "put", before: [key], bytes, after: [options] }),
    delete: (key) => ask({ method: "delete", before: [key] }),
    list: (options) => ask({ method: "list", before: [options] }) as ReturnType<R2BucketLike["list"]>,
    async createMultipartUpload(name) {
      const { key, uploadId } = (await ask({ method: "createMultipartUpload", before: [name] })) as Upload;
      const upload = { key, uploadId };
      return {
        uploadPart: (number, bytes) =>
          ask({ upload, method: "uploadPart", before: [number], bytes }) as Promise<R2Part>,
        complete: (parts) => ask({ upload, method: "complete", before: [parts] }) as Promise<R2ObjectLike>,
        abort: () => ask({ upload, method: "abort", before: [] }),
      };
    },
  };
}
