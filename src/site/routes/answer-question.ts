// Questions of readers, which the host's model answers from the content that this visitor sees. A model may repeat what pages tell
// it, so its answer is rendered as untrusted Markdown: text, lists, tables and code, with links to the web and without images.

import type { PlainResponse } from "../../http/plain-request";
import { parseDescription } from "../../openapi/model/descriptions";
import { html, type Markup } from "../../utils/html";
import { renderBlocks } from "../blocks/render-blocks";
import type { BlockRenderContext } from "../pages/block-context";
import { createBlockContext } from "../pages/prepare-blocks";
import { isSameOriginForm, readForm } from "../request/forms";
import type { RequestContext } from "../request/request-context";
import { renderNotFoundPage } from "../responses/not-found-page";
import { createPlainResponse, SAFE_HEADERS } from "../responses/responses";
import { renderUtilityPage } from "../responses/utility-page";
import { canAskQuestions, MAX_QUERY_LENGTH, renderQuestionForm } from "./question-form";

/** The part of an answer that has arrived so far. */
interface AnswerProgress {
  text: string;
  state: "begun" | "done" | "failed";
  sources: readonly { readonly title: string; readonly url?: string }[];
  followups: readonly string[];
}

/** An event of the operation `askSite`. */
interface AnswerEvent {
  readonly type?: string;
  readonly text?: string;
  readonly pages?: AnswerProgress["sources"];
  readonly questions?: readonly string[];
}

/**
 * A growing answer is rendered again when it is longer by this factor, and at least by this many characters. So rendering all
 * states costs only a multiple of the length.
 */
const GROWTH_FACTOR = 0.1;
const MIN_GROWTH = 60;

/** The highlighter is loaded before it is known whether the answer contains code. */
const ANSWER_FEATURES = { hasCode: true, hasFormulas: false, hasDiagrams: false };

/** Renders the page with the form for a question. */
export async function renderQuestionPage(context: RequestContext): Promise<PlainResponse> {
  return canAskQuestions(context) ? renderAnswerPage(context, "", undefined) : renderNotFoundPage(context);
}

/** Answers a question: with a page, or with a stream for the script of the page. */
export async function answerQuestion(context: RequestContext): Promise<PlainResponse> {
  if (!canAskQuestions(context)) return renderNotFoundPage(context);
  // Each question costs a request to the model, so other sites must not make browsers ask.
  if (!isSameOriginForm(context)) return createPlainResponse(403, "This form was sent from another site.\n");
  const form = await readForm(context.request);
  const question = (form.get("q") ?? "").trim().slice(0, MAX_QUERY_LENGTH);
  if (question === "") return renderAnswerPage(context, "", undefined);
  const states = renderAnswerStates(context, question);
  if (form.get("alone") !== "1") {
    let answer: Markup | undefined;
    for await (const state of states) answer = state;
    return renderAnswerPage(context, question, answer);
  }

  // Each state is a line of JSON, which replaces the one before.
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await states.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(`${JSON.stringify(value.text)}\n`));
    },
    async cancel() {
      await states.return(undefined);
    },
  });
  const headers = {
    ...SAFE_HEADERS,
    "content-type": "application/x-ndjson",
    "cache-control": "no-store",
    // Some proxies buffer a response until it is complete.
    "x-accel-buffering": "no",
  };
  return { status: 200, headers, body };
}

async function renderAnswerPage(
  context: RequestContext,
  question: string,
  answer: Markup | undefined,
): Promise<PlainResponse> {
  const title = question === "" ? context.messages.ask : question;
  return renderUtilityPage(context, {
    title,
    main: html`<article><h1>${title}</h1>${answer}${renderQuestionForm(context, "")}</article>`,
  });
}

/** Asks the question, and yields the states of the answer. The last one is complete, or says that the answer failed. */
async function* renderAnswerStates(context: RequestContext, question: string): AsyncGenerator<Markup> {
  const { blockContext } = await createBlockContext(
    context,
    ANSWER_FEATURES,
    {
      resolveLink(ref) {
        const isWeb = ref.kind === "url" && /^https?:\/\//i.test(ref.url);
        return isWeb ? { href: context.toLocalUrl(ref.url), title: ref.url } : undefined;
      },
      resolveFile: () => undefined,
    },
    () => html``,
  );
  const language = context.language.slice(0, 35);
  const response = await context.callOperation("askSite", { ...context.siteInput, body: { question, language } });
  const answer: AnswerProgress = { text: "", state: response ? "begun" : "failed", sources: [], followups: [] };
  let nextLength = MIN_GROWTH;
  for await (const { type, text = "", pages = [], questions = [] } of readServerSentEvents(response?.body)) {
    if (type === "answer") answer.text += text;
    else if (type === "sources") answer.sources = pages;
    else if (type === "followups") answer.followups = questions;
    else if (type === "done") answer.state = "done";
    else if (type === "error") answer.state = "failed";
    if (answer.state !== "begun" || answer.text.length < nextLength) continue;
    nextLength = answer.text.length + Math.max(MIN_GROWTH, answer.text.length * GROWTH_FACTOR);
    yield renderAnswer(context, answer, blockContext);
  }
  if (answer.state === "begun") answer.state = "failed";
  yield renderAnswer(context, answer, blockContext);
}

/** Yields the server-sent events of a stream, and cancels the stream when nobody reads on. */
async function* readServerSentEvents(
  body: Uint8Array | ReadableStream<Uint8Array> | undefined,
): AsyncGenerator<AnswerEvent> {
  if (!(body instanceof ReadableStream)) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const events = (rest + decoder.decode(next.value, { stream: true })).split("\n\n");
      rest = events.pop()!;
      for (const event of events)
        yield JSON.parse(event.slice(event.indexOf("data: ") + "data: ".length)) as AnswerEvent;
    }
  } finally {
    await reader.cancel();
  }
}

function renderAnswer(
  context: RequestContext,
  { text, state, sources, followups }: AnswerProgress,
  blockContext: BlockRenderContext,
): Markup {
  const { messages, toLocalUrl } = context;
  const answer = renderBlocks(parseDescription(text, 2), blockContext);
  const failure = state === "failed" && html`<p>${messages.askFailed}</p>`;
  if (state !== "done") return html`<div class="answer">${answer}${failure}</div>`;
  const links = sources.flatMap(({ title, url }) =>
    url === undefined ? [] : [html`<li><a href="${toLocalUrl(url)}">${title}</a></li>`],
  );
  const questions = followups.map((question) => renderQuestionForm(context, question, question));
  const notes = [
    html`<p class="quiet">${messages.answerHint}</p>`,
    links.length > 0 && html`<p class="part">${messages.sources}</p><ul>${links}</ul>`,
    questions.length > 0 && html`<p class="part">${messages.followups}</p>${questions}`,
  ];
  return html`<div class="answer">${answer}${notes}</div>`;
}
