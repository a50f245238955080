// An S3 server that takes no notice of If-Match and If-None-Match: one that must be refused. It keeps objects in memory and
// knows what a storage asks for before it writes, and the list that a test looks at afterwards.

import { createHash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { S3Server } from "./server";

export async function carelessServer(): Promise<{ readonly server: S3Server; readonly stop: () => Promise<void> }> {
  const bucket = "careless";
  const objects = new Map<string, Buffer>();
  const http = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url!, "http://localhost");
    const name = decodeURIComponent(pathname).replace(`/${bucket}/`, "");
    if (searchParams.has("list-type")) return void response.end(listOf([...objects.keys()]));
    if (request.method === "PUT") objects.set(name, await bodyOf(request));
    if (request.method === "DELETE") objects.delete(name);
    const kept = objects.get(name);
    if (!kept) return void response.writeHead(request.method === "DELETE" ? 204 : 404).end();
    response.setHeader("etag", `"${createHash("md5").update(kept).digest("hex")}"`);
    return void response.end(request.method === "GET" ? kept : undefined);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const stop = async () => {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  };
  const endpoint = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const credentials = { accessKeyId: "anybody", secretAccessKey: "anything" };
  return { server: { bucket, endpoint, region: "us-east-1", forcePathStyle: true, credentials }, stop };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

function listOf(names: readonly string[]): string {
  const contents = names.map((name) => `<Contents><Key>${name}</Key></Contents>`).join("");
  return `<?xml version="1.0"?><ListBucketResult><KeyCount>${names.length}</KeyCount>${contents}</ListBucketResult>`;
}
