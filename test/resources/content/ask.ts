// Questions to a model, as stories.

import type { AnswerModel } from "octavo";
import { ask, create, defineStory, refuse, type Scene, type Story, send } from "../scenario";

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
  create("admin", "POST /v1/orgs/{org}/spaces", "space", { title: "Guide" }),
  send("admin", "POST /v1/spaces/{space}/content", 200, {
    changes: [
      { operation: "insert_page", title: "Install", document: { markdown: "Run the installer twice." } },
      { operation: "insert_page", title: "Other", document: { markdown: "Nothing of it." } },
    ],
  }),
  create("admin", "POST /v1/orgs/{org}/sites", "site", { title: "Docs", visibility: "public", spaces: ["{space}"] }),
  ask("admin", `POST ${site}/publish`, 200),
];

const question = { question: "How do I use the installer?", language: "de", context: { siteSpaceId: "ssp_x" } };
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
  defineStory("a model answers from what was found", { options: { ask: parrot } }, [
    ...filled,
    ask("read", "POST /v1/spaces/{space}/ask", 200, { send: question, see: isAnswered, seeHeaders: headers }),
    ask("read", "POST /v1/orgs/{org}/ask", 200, { send: question, see: isAnswered, seeHeaders: headers }),
    ask(null, `POST ${site}/ask`, 200, { send: question, see: isAnswered, seeHeaders: headers }),
    ask(null, `POST ${site}/ask`, 200, { send: { ...question, scope: { mode: "default" } }, see: isAnswered }),
    ask(null, `POST ${site}/ask`, 200, {
      send: { ...question, scope: { mode: "specific", siteSpaceIds: [] } },
      see: (body: string) => answerIn(body) === "How do I use the installer? de: ",
    }),
    refuse(null, `POST ${site}/ask`, "body.scope.siteSpaceIds.0", {
      ...question,
      scope: { mode: "specific", siteSpaceIds: ["ssp_none"] },
    }),
    send("read", "POST /v1/spaces/{space}/ask", 200, { ...question, scope: { mode: "all" } }),
    send("read", "POST /v1/orgs/{org}/ask", 200, { ...question, scope: { mode: "all" } }),
    send("read", "POST /v1/spaces/{space}/ask", 400, { question: "" }),
    send("read", "POST /v1/spaces/{space}/ask", 400, { ...question, secret: true }),
    ask("admin", `POST ${site}/unpublish`, 200),
    send(null, `POST ${site}/ask`, "404 site_not_found", question),
  ]),
  defineStory("without a model, questions say which option to set", [
    ...filled,
    ...["/v1/spaces/{space}/ask", "/v1/orgs/{org}/ask", `${site}/ask`].map(
      (path): Scene => send("read", `POST ${path}`, "501 no_model", question),
    ),
  ]),
];
