// Questions of readers, which the host's model answers from what this visitor sees. A model repeats what pages tell it, so its
// answer is drawn as a stranger's Markdown: words, lists, tables and code, with links of the web and without pictures.

import type { PlainResponse } from "../../http/plain-request";
import { describedBlocks } from "../../openapi/specifications/pages/descriptions";
import { html, type Markup } from "../../utils/html";
import { renderBlocks } from "../blocks/render-blocks";
import type { BlockRenderContext } from "../pages/block-context";
import { createBlockContext } from "../pages/create-block-context";
import { isSameOriginForm, readForm } from "../request/forms";
import type { RequestContext } from "../request/request-context";
import { renderNotFoundPage } from "../responses/not-found-page";
import { createPlainResponse, SAFE_HEADERS } from "../responses/responses";
import { renderUtilityPage } from "../responses/utility-page";
import { canAskQuestions, MAX_QUERY_LENGTH, renderQuestionForm } from "./question-form";

/** What is known of an answer so far. */
interface AnswerProgress {
  text: string;
  state: "begun" | "done" | "failed";
  sources: readonly { readonly title: string; readonly url?: string }[];
  followups: readonly string[];
}

/** A page with the question, and with its answer when it is complete. */
export async function renderQuestionPage(context: RequestContext): Promise<PlainResponse> {
  return canAskQuestions(context) ? renderAskPage(context, "", undefined) : renderNotFoundPage(context);
}

/** The answer: on a page, or for the script alone and while it is made. */
export async function answerQuestion(context: RequestContext): Promise<PlainResponse> {
  if (!canAskQuestions(context)) return renderNotFoundPage(context);
  // Each question costs what the model costs, so no other site makes browsers ask.
  if (!isSameOriginForm(context)) return createPlainResponse(403, "This form was sent from another site.\n");
  const form = await readForm(context.request);
  const question = (form.get("q") ?? "").trim().slice(0, MAX_QUERY_LENGTH);
  if (question === "") return renderAskPage(context, "", undefined);
  const answers = renderAnswerStates(context, question);
  if (form.get("alone") === "1") return streamAnswer(answers);
  let last: Markup | undefined;
  for await (const drawn of answers) last = drawn;
  return renderAskPage(context, question, last);
}

async function renderAskPage(
  context: RequestContext,
  asked: string,
  answer: Markup | undefined,
): Promise<PlainResponse> {
  const title = asked === "" ? context.messages.ask : asked;
  return renderUtilityPage(context, {
    title,
    main: html`<article><h1>${title}</h1>${answer}${renderQuestionForm(context, "")}</article>`,
  });
}

/** Each state of an answer as a line of JSON, which replaces the one before. */
function streamAnswer(answers: AsyncGenerator<Markup>): PlainResponse {
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
    ...SAFE_HEADERS,
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

async function* renderAnswerStates(context: RequestContext, question: string): AsyncGenerator<Markup> {
  const { blockContext } = await createBlockContext(
    context,
    ANY_CODE,
    { resolveLink: webPlace, resolveFile: () => undefined },
    () => html``,
  );
  const language = context.language.slice(0, 35);
  const sent = await context.callOperation("askSite", { ...context.siteInput, body: { question, language } });
  const answer: AnswerProgress = { text: "", state: sent ? "begun" : "failed", sources: [], followups: [] };
  let next = LEAST_GROWTH;
  for await (const event of readServerSentEvents(sent?.body)) {
    applyAnswerEvent(answer, event);
    if (answer.state !== "begun" || answer.text.length < next) continue;
    next = answer.text.length + Math.max(LEAST_GROWTH, answer.text.length * GROWTH);
    yield renderAnswer(context, answer, blockContext);
  }
  if (answer.state === "begun") answer.state = "failed";
  yield renderAnswer(context, answer, blockContext);

  function webPlace(
    ref: Parameters<BlockRenderContext["resolveLink"]>[0],
  ): ReturnType<BlockRenderContext["resolveLink"]> {
    const isWeb = ref.kind === "url" && /^https?:\/\//i.test(ref.url);
    return isWeb ? { href: context.toLocalUrl(ref.url), title: ref.url } : undefined;
  }
}

/** What code is marked with is loaded before the first line of it is known. */
const ANY_CODE = { hasCode: true, hasFormulas: false, hasDiagrams: false };

type AnswerEvent = { readonly type?: string; readonly text?: string; readonly pages?: AnswerProgress["sources"] } & {
  readonly questions?: readonly string[];
};

function applyAnswerEvent(answer: AnswerProgress, { type, text = "", pages = [], questions = [] }: AnswerEvent): void {
  if (type === "answer") answer.text += text;
  else if (type === "sources") answer.sources = pages;
  else if (type === "followups") answer.followups = questions;
  else if (type === "done") answer.state = "done";
  else if (type === "error") answer.state = "failed";
}

/** The server-sent events of a stream. It is canceled when nobody reads on. */
async function* readServerSentEvents(
  body: Uint8Array | ReadableStream<Uint8Array> | undefined,
): AsyncGenerator<AnswerEvent> {
  if (!(body instanceof ReadableStream)) return;
  const reader = body.getReader();
  const utf8 = new TextDecoder();
  let rest = "";
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const parts = (rest + utf8.decode(next.value, { stream: true })).split("\n\n");
      rest = parts.pop()!;
      for (const part of parts) yield JSON.parse(part.slice(part.indexOf("data: ") + "data: ".length)) as AnswerEvent;
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
  const shown = sources.filter((it): it is { title: string; url: string } => it.url !== undefined);
  const rest = state === "done" && [
    html`<p class="quiet">${messages.answerHint}</p>`,
    shown.length > 0 &&
      html`<p class="part">${messages.sources}</p><ul>${shown.map(({ title, url }) => html`<li><a href="${toLocalUrl(url)}">${title}</a></li>`)}</ul>`,
    followups.length > 0 &&
      html`<p class="part">${messages.followups}</p>${followups.map((it) => renderQuestionForm(context, it, it))}`,
  ];
  return html`<div class="answer">${renderBlocks(describedBlocks(text, 2), blockContext)}${state === "failed" && html`<p>${messages.askFailed}</p>`}${rest}</div>`;
}
