// Spaces with content and what is asked of them, for the rows that speak of content.

import { expect } from "vitest";
import type { Answer, Person, Setting } from "../support/setting";

/** A change of a batch. */
export type Change = { readonly operation: string; readonly [member: string]: unknown };

/** A space in an organization; by itself in that of everybody but the rival. */
export async function newSpace(
  setting: Setting,
  send: object = {},
  as: "create" | "rival" = "create",
): Promise<string> {
  const org = as === "rival" ? setting.otherOrg : setting.org;
  const made = await setting.ask(as, `POST /v1/orgs/${org}/spaces`, { title: "Guide", ...send });
  expect(made.status).toBe(201);
  return made.body.id;
}

/** A space that nobody but an admin may see. */
export async function newHiddenSpace(setting: Setting): Promise<string> {
  const space = await newSpace(setting, { title: "Hidden plans" });
  expect((await setting.ask("create", `PATCH /v1/spaces/${space}`, { defaultLevel: null })).status).toBe(200);
  return space;
}

/** Lets the guest read a space. */
export async function showToGuest({ ask, ids }: Setting, space: string): Promise<void> {
  const given = { users: [{ id: ids.guest, role: "read" }] };
  expect((await ask("admin", `POST /v1/spaces/${space}/permissions`, given)).status).toBe(204);
}

/** Sends a batch of changes. */
export function change(
  { ask }: Setting,
  space: string,
  changes: readonly Change[],
  as: Person | null = "edit",
  headers: Record<string, string> = {},
): Promise<Answer> {
  return ask(as, `POST /v1/spaces/${space}/content`, { changes }, headers);
}

/** Sends a batch that has to succeed. */
export async function changed(
  setting: Setting,
  space: string,
  changes: readonly Change[],
  as: Person = "edit",
): Promise<Answer["body"]> {
  const answer = await change(setting, space, changes, as);
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  return answer.body;
}

/** The change that puts a page in. */
export function page(title: string, markdown = "", more: object = {}): Change {
  return { operation: "insert_page", title, document: { markdown }, ...more };
}

/** Writes a page and tells its id. */
export async function newPage(
  setting: Setting,
  space: string,
  title: string,
  markdown = "",
  as: Person = "edit",
): Promise<string> {
  return (await changed(setting, space, [page(title, markdown)], as)).changes[0].page.id;
}

/** Reads a page. */
export function read({ ask }: Setting, space: string, id: string, query = "", as: Person = "edit"): Promise<Answer> {
  return ask(as, `GET /v1/spaces/${space}/content/page/${id}${query}`);
}

/** A page's text with its expressions evaluated. */
export async function evaluated(setting: Setting, space: string, id: string): Promise<string> {
  const answer = await read(setting, space, id, "?evaluated=true");
  expect(answer.status).toBe(200);
  return answer.body.markdown;
}

/** The first thing that an answer finds wrong: where, and what. */
export function issueIn({ status, body }: Answer): { status: number; path: string; message: string } {
  return { status, path: "", message: "", ...body.error?.issues?.[0] };
}

/** Base64 of a text or of bytes. */
export function base64(content: string | Uint8Array): string {
  return Buffer.from(content).toString("base64");
}

/** Puts a file in and shows it. */
export async function newFile(
  setting: Setting,
  space: string,
  file: { readonly name: string; readonly contentType?: string; readonly content: string | Uint8Array },
  as: Person = "edit",
): Promise<{ id: string; name: string; contentType: string; size: number; downloadURL: string }> {
  const { name, contentType = "application/octet-stream", content } = file;
  const files = [{ name, contentType, base64: base64(content) }];
  const made = await changed(setting, space, [{ operation: "insert_files", files }], as);
  return (await setting.ask(as, `GET /v1/spaces/${space}/content/files/${made.insertedFiles[0].id}`)).body;
}

/** An id that nothing has, in the same organization as another one. */
export function absentLike(id: string): string {
  const last = id.at(-1) === "0" ? "1" : "0";
  return id.slice(0, -8) + last.repeat(8);
}
