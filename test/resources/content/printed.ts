// Content as PDF, asked for, fetched and read back.

import type { DocsApiOptions } from "octavo";
import { memoryStorage } from "octavo/memory";
import { expect } from "vitest";
import { readPdf } from "../../pdf/reader";
import { newSpace } from "../../security/contents";
import { type Person, type Setting, setUp } from "../../support/setting";

/** A picture of one pixel. */
export const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);

/** A setting with an empty space. */
export async function stage(options: DocsApiOptions = {}) {
  const setting = await setUp(memoryStorage(), options);
  return { setting, space: await newSpace(setting) };
}

/** The path of a signed URL. */
export async function pdfUrl({ ask }: Setting, route: string, as: Person = "edit"): Promise<string> {
  const { status, body } = await ask(as, `GET /v1/spaces/${route}`);
  expect([status, body.error]).toEqual([200, undefined]);
  return new URL(body.url).pathname;
}

/** What a path answers. */
export async function bytesAt({ api }: Setting, path: string): Promise<Uint8Array> {
  const response = await api.fetch(new Request(`http://test.invalid${path}`));
  expect(response.status).toBe(200);
  return new Uint8Array(await response.arrayBuffer());
}

/** Asks for a URL, fetches it and reads what comes. */
export async function printed(setting: Setting, route: string, as: Person = "edit") {
  return readPdf(await bytesAt(setting, await pdfUrl(setting, route, as)));
}
