// Bodies and headers that cost the server more than the caller, whatever operation they are sent to.

import { memoryStorage } from "octavo/memory";
import { type Setting, setUp } from "../../support/setting";
import type { Attack } from "./attack";

const MIB = 1024 * 1024;

/** As many copies of a part as fit into ten megabytes. */
const full = (part: string) => part.repeat(Math.floor((10 * MIB - 200) / part.length));
const list = (item: string) => `[${full(`${item},`)}${item}]`;
const nested = (open: string, close: string, inner = "") => {
  const levels = Math.floor((10 * MIB - 200) / (open.length + close.length));
  return open.repeat(levels) + inner + close.repeat(levels);
};

/** One request; what is sent is made beforehand. */
function request(
  name: string,
  budget: Attack["budget"],
  make: (setting: Setting) => Parameters<Setting["ask"]>,
): Attack {
  return {
    name,
    budget,
    ...(budget === "size limit" && { inOnePiece: "JSON.parse, and the check of the shape" }),
    async prepare() {
      const setting = await setUp(memoryStorage());
      const asked = make(setting);
      return async () => {
        const { status } = await setting.ask(...asked);
        if (status < 400 || status >= 500) throw new Error(`${name}: ${status}`);
      };
    },
  };
}

const tokens = "POST /v1/user/tokens";

export const bodies: readonly Attack[] = [
  request("10 MB of numbers without a token", "few", () => [
    null,
    "POST /v1/urls/published",
    `{"url":"\\u0061","x":${list("0")}}`,
  ]),
  request("64 KB of numbers without a token", "few", () => [
    null,
    "POST /v1/urls/published",
    `{"url":"\\u0061","x":[${"0,".repeat(32_000)}0]}`,
  ]),
  request("10 MB of numbers beside an escaped name", "size limit", () => [
    "stranger",
    tokens,
    `{"\\u0061":1,"x":${list("0")}}`,
  ]),
  request("10 MB of objects beside an escaped name", "size limit", () => [
    "stranger",
    tokens,
    `{"\\u0061":1,"x":${list('{"a":0}')}}`,
  ]),
  request("10 MB of wrong items in a list", "size limit", () => [
    "stranger",
    tokens,
    `{"label":"x","scopes":${list("1")}}`,
  ]),
  request("10 MB of wrong changes", "size limit", ({ org }) => [
    "admin",
    `PATCH /v1/orgs/${org}`,
    `{"emailDomains":${list('{"a":[1]}')}}`,
  ]),
  request("10 MB of members that nobody knows", "size limit", () => [
    "stranger",
    tokens,
    `{${Array.from({ length: 700_000 }, (_, at) => `"m${at}":1`).join()}}`,
  ]),
  request("10 MB of objects with members that nobody knows", "size limit", () => [
    "stranger",
    tokens,
    `[${Array.from({ length: 70 }, (_, object) => `{${Array.from({ length: 9_900 }, (_, at) => `"m${object}_${at}":1`).join()}}`).join()}]`,
  ]),
  request("10 MB of lists inside each other", "size limit", () => ["stranger", tokens, nested("[", "]")]),
  request("10 MB of objects inside each other", "size limit", () => [
    "stranger",
    tokens,
    nested('{"\\u0061":', "}", "1"),
  ]),
  request("a label of 10 MB", "size limit", () => ["stranger", tokens, `{"label":"${full("a")}"}`]),
  request('If-Match: "~~~…', "few", ({ org }) => [
    "admin",
    `PATCH /v1/orgs/${org}`,
    { title: "X" },
    { "if-match": `"${"~".repeat(16_000)}` },
  ]),
  request('If-Match: many of "~~~…', "few", ({ org }) => [
    "admin",
    `PATCH /v1/orgs/${org}`,
    { title: "X" },
    { "if-match": `"${"~".repeat(4000)}` },
  ]),
];
