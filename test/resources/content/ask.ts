// Questions to a model, as stories.

import type { AnswerModel } from "octavo";
import type { Scene, Story } from "../scenario";

const site = "/v1/orgs/{org}/sites/{site}";

/** A model that says what it was given. */
export const parrot: AnswerModel = async function* (question, { passages, language }) {
  yield `${question} ${language ?? "-"}: `;
  yield { text: passages.map(({ title, text }) => `${title} (${text})`).join("; ") };
  yield { followups: ["And then?"] };
};

/** The server-sent events of an answer. */
export function eventsIn(body: string): { readonly type: string; readonly [member: string]: unknown }[] {
  return body
    .split("\n\n")
    .filter((it) => it !== "")
    .map((it) => JSON.parse(/^data: (.*)$/m.exec(it)![1]!));
}

/** The whole text of an answer. */
export function answerIn(body: string): string {
  return eventsIn(body)
    .filter(({ type }) => type === "answer")
    .map(({ text }) => text)
    .join("");
}

const filled: readonly Scene[] = [
  { as: "admin", ask: "POST /v1/orgs/{org}/spaces", send: { title: "Guide" }, expect: 201, keep: { space: "id" } },
  {
    as: "admin",
    ask: "POST /v1/spaces/{space}/content",
    send: {
      changes: [
        { operation: "insert_page", title: "Install", document: { markdown: "Run the installer twice." } },
        { operation: "insert_page", title: "Other", document: { markdown: "Nothing of it." } },
      ],
    },
    expect: 200,
  },
  {
    as: "admin",
    ask: "POST /v1/orgs/{org}/sites",
    send: { title: "Docs", visibility: "public", spaces: ["{space}"] },
    expect: 201,
    keep: { site: "id" },
  },
  { as: "admin", ask: `POST ${site}/publish`, expect: 200 },
];

const question = { question: "How do I use the installer?", language: "de" };
const isAnswered = (body: string) =>
  answerIn(body) === "How do I use the installer? de: Install (Run the installer twice.)" &&
  eventsIn(body)
    .slice(-3)
    .map(({ type }) => type)
    .join() === "sources,followups,done" &&
  JSON.stringify(eventsIn(body)).includes('"title":"Install"');
const headers = {
  "content-type": (value: string | null) => value === "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
};

export const stories: readonly Story[] = [
  {
    title: "a model answers from what was found",
    options: { ask: parrot },
    scenes: [
      ...filled,
      {
        as: "read",
        ask: "POST /v1/spaces/{space}/ask",
        send: question,
        expect: 200,
        see: isAnswered,
        seeHeaders: headers,
      },
      { as: "read", ask: "POST /v1/orgs/{org}/ask", send: question, expect: 200, see: isAnswered, seeHeaders: headers },
      { as: null, ask: `POST ${site}/ask`, send: question, expect: 200, see: isAnswered, seeHeaders: headers },
      { as: "rival", ask: "POST /v1/spaces/{space}/ask", send: question, expect: 404, reason: "space_not_found" },
      { as: "rival", ask: "POST /v1/orgs/{org}/ask", send: question, expect: 404, reason: "organization_not_found" },
      { as: null, ask: "POST /v1/orgs/{org}/ask", send: question, expect: 401 },
      { as: "read", ask: "POST /v1/spaces/{space}/ask", send: { question: "" }, expect: 400 },
      { as: "read", ask: "POST /v1/spaces/{space}/ask", send: { ...question, secret: true }, expect: 400 },
      { as: "admin", ask: `POST ${site}/unpublish`, expect: 200 },
      { as: null, ask: `POST ${site}/ask`, send: question, expect: 404, reason: "site_not_found" },
    ],
  },
  {
    title: "without a model, questions say which option to set",
    scenes: [
      ...filled,
      ...["/v1/spaces/{space}/ask", "/v1/orgs/{org}/ask", `${site}/ask`].map(
        (path): Scene => ({ as: "read", ask: `POST ${path}`, send: question, expect: 501, reason: "no_model" }),
      ),
    ],
  },
];
