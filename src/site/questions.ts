// Questions of readers, which the host's model answers from what this visitor sees. A model repeats what pages tell it, so its
// answer is drawn as a stranger's Markdown: words, lists, tables and code, with links of the web and without pictures.

import type { PlainResponse } from "../http/plain-request";
import { describedBlocks } from "../openapi/specifications/pages/descriptions";
import { html, type Markup } from "../utils/html";
import { plain, SAFE } from "./answer";
import { isAsked, LONGEST_QUESTION, questionForm } from "./ask-form";
import { drawBlocks } from "./blocks/blocks";
import { isOwnForm, readForm } from "./forms";
import { notFoundPage } from "./not-found";
import { ownPage } from "./own-page";
import type { RenderContext } from "./scene";
import { sceneOf } from "./set-scene";
import type { Visit } from "./visit";

/** What is known of an answer so far. */
interface Answer {
  text: string;
  state: "begun" | "done" | "failed";
  sources: readonly { readonly title: string; readonly url?: string }[];
  followups: readonly string[];
}

/** A page with the question, and with its answer when it is complete. */
export async function questionPage(visit: Visit): Promise<PlainResponse> {
  return isAsked(visit) ? shownPage(visit, "", undefined) : notFoundPage(visit);
}

/** The answer: on a page, or for the script alone and while it is made. */
export async function answerPage(visit: Visit): Promise<PlainResponse> {
  if (!isAsked(visit)) return notFoundPage(visit);
  // Each question costs what the model costs, so no other site makes browsers ask.
  if (!isOwnForm(visit)) return plain(403, "This form was sent from another site.\n");
  const form = await readForm(visit.request);
  const question = (form.get("q") ?? "").trim().slice(0, LONGEST_QUESTION);
  if (question === "") return shownPage(visit, "", undefined);
  const answers = drawnAnswers(visit, question);
  if (form.get("alone") === "1") return streamed(answers);
  let last: Markup | undefined;
  for await (const drawn of answers) last = drawn;
  return shownPage(visit, question, last);
}

async function shownPage(visit: Visit, asked: string, answer: Markup | undefined): Promise<PlainResponse> {
  const title = asked === "" ? visit.words.ask : asked;
  return ownPage(visit, { title, main: html`<article><h1>${title}</h1>${answer}${questionForm(visit, "")}</article>` });
}

/** Each state of an answer as a line of JSON, which replaces the one before. */
function streamed(answers: AsyncGenerator<Markup>): PlainResponse {
  const utf8 = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await answers.next();
      if (done) controller.close();
      else controller.enqueue(utf8.encode(`${JSON.stringify(value.text)}\n`));
    },
    async cancel() {
      await answers.return(undefined);
    },
  });
  const headers = {
    ...SAFE,
    "content-type": "application/x-ndjson",
    "cache-control": "no-store",
    // Some proxies hold an answer back until it is complete.
    "x-accel-buffering": "no",
  };
  return { status: 200, headers, body };
}

/** An answer that grows is drawn again when it is this much longer. So drawing all of it costs a multiple of its length. */
const GROWTH = 0.1;
const LEAST_GROWTH = 60;

async function* drawnAnswers(visit: Visit, question: string): AsyncGenerator<Markup> {
  const { scene } = await sceneOf(visit, ANY_CODE, { place: webPlace, file: () => undefined }, () => html``);
  const language = visit.language.slice(0, 35);
  const sent = await visit.ask("askSite", { ...visit.site, body: { question, language } });
  const answer: Answer = { text: "", state: sent ? "begun" : "failed", sources: [], followups: [] };
  let next = LEAST_GROWTH;
  for await (const event of eventsIn(sent?.body)) {
    take(answer, event);
    if (answer.state !== "begun" || answer.text.length < next) continue;
    next = answer.text.length + Math.max(LEAST_GROWTH, answer.text.length * GROWTH);
    yield drawn(visit, answer, scene);
  }
  if (answer.state === "begun") answer.state = "failed";
  yield drawn(visit, answer, scene);

  function webPlace(ref: Parameters<RenderContext["place"]>[0]): ReturnType<RenderContext["place"]> {
    const isWeb = ref.kind === "url" && /^https?:\/\//i.test(ref.url);
    return isWeb ? { href: visit.local(ref.url), title: ref.url } : undefined;
  }
}

/** What code is marked with is loaded before the first line of it is known. */
const ANY_CODE = { hasCode: true, hasFormulas: false, hasDiagrams: false };

type Event = { readonly type?: string; readonly text?: string; readonly pages?: Answer["sources"] } & {
  readonly questions?: readonly string[];
};

function take(answer: Answer, { type, text = "", pages = [], questions = [] }: Event): void {
  if (type === "answer") answer.text += text;
  else if (type === "sources") answer.sources = pages;
  else if (type === "followups") answer.followups = questions;
  else if (type === "done") answer.state = "done";
  else if (type === "error") answer.state = "failed";
}

/** The server-sent events of a stream. It is canceled when nobody reads on. */
async function* eventsIn(body: Uint8Array | ReadableStream<Uint8Array> | undefined): AsyncGenerator<Event> {
  if (!(body instanceof ReadableStream)) return;
  const reader = body.getReader();
  const utf8 = new TextDecoder();
  let rest = "";
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const parts = (rest + utf8.decode(next.value, { stream: true })).split("\n\n");
      rest = parts.pop()!;
      for (const part of parts) yield JSON.parse(part.slice(part.indexOf("data: ") + "data: ".length)) as Event;
    }
  } finally {
    await reader.cancel();
  }
}

function drawn(visit: Visit, { text, state, sources, followups }: Answer, scene: RenderContext): Markup {
  const { words, local } = visit;
  const shown = sources.filter((it): it is { title: string; url: string } => it.url !== undefined);
  const rest = state === "done" && [
    html`<p class="quiet">${words.answerHint}</p>`,
    shown.length > 0 &&
      html`<p class="part">${words.sources}</p><ul>${shown.map(({ title, url }) => html`<li><a href="${local(url)}">${title}</a></li>`)}</ul>`,
    followups.length > 0 &&
      html`<p class="part">${words.followups}</p>${followups.map((it) => questionForm(visit, it, it))}`,
  ];
  return html`<div class="answer">${drawBlocks(describedBlocks(text, 2), scene)}${state === "failed" && html`<p>${words.askFailed}</p>`}${rest}</div>`;
}
