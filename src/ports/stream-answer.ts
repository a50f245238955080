// Streams the answer of a model as server-sent events while it is generated: parts of the text, then the pages that it is based
// on and follow-up questions. Most processes have no model, so this module is loaded when it is first needed.

import { createError } from "../errors";
import type { AnswerContext, AnswerModelSettings, AnswerPart, ModelQuestion, Passage } from "./answer-model";

const MAX_ANSWER_CHARACTERS = 100_000;
const MAX_SEARCHES = 20;
const MAX_FOLLOWUPS = 5;
const MAX_FOLLOWUP_CHARACTERS = 300;

/** The reasons for which a model is stopped. */
const CALLER_GONE = new Error("The caller has gone.");
const ANSWER_COMPLETE = new Error("The answer is complete.");

/** Returns the answer to a question, as the bytes of server-sent events. Canceling the stream stops the model. */
export async function streamAnswer(
  settings: AnswerModelSettings,
  question: ModelQuestion,
): Promise<ReadableStream<Uint8Array>> {
  const passages = await question.findPassages(question.question);
  const abortController = new AbortController();
  const events = generateAnswerEvents(settings, question, passages, abortController);
  const utf8 = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await events.next();
      if (abortController.signal.reason === CALLER_GONE) return;
      if (done) controller.close();
      else controller.enqueue(utf8.encode(value));
    },
    async cancel() {
      abortController.abort(CALLER_GONE);
      await events.return(undefined);
    },
  });
}

async function* generateAnswerEvents(
  { model, timeoutMs, onError }: AnswerModelSettings,
  { question, findPassages, language, about, user }: ModelQuestion,
  passages: readonly Passage[],
  abortController: AbortController,
): AsyncGenerator<string, undefined> {
  const { signal } = abortController;
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => undefined);
  /** Waits for the model until the signal is aborted, and throws the reason then. A later result is dropped. */
  const waitUnlessAborted = <T>(work: Promise<T>): Promise<T> => {
    work.catch(() => undefined);
    return Promise.race([work, aborted]);
  };

  // Every passage that the model was shown can be a source, the first excerpt of each page.
  const shownPassages = new Map<string, Passage>();
  const rememberPassages = (found: readonly Passage[]) => {
    for (const passage of found) if (!shownPassages.has(passage.page)) shownPassages.set(passage.page, passage);
    return found;
  };
  rememberPassages(passages);
  let searches = 0;
  const search = async (query: string) => {
    signal.throwIfAborted();
    if (++searches > MAX_SEARCHES) throw new Error(`A model may search ${MAX_SEARCHES} times for a question.`);
    return rememberPassages(await findPassages(String(query)));
  };

  const timer = setTimeout(() => abortController.abort(new Error("The model took too long.")), timeoutMs);
  let length = 0;
  let sourceIds: readonly string[] | undefined;
  let followups: readonly string[] = [];
  let parts: AsyncIterator<AnswerPart> | undefined;
  try {
    const context: AnswerContext = { passages, search, language, about, user, signal };
    const iterable = await waitUnlessAborted((async () => model(question, context))());
    parts = (iterable as AsyncIterable<AnswerPart>)[Symbol.asyncIterator]();
    for (;;) {
      const { done, value: part } = await waitUnlessAborted(parts.next());
      if (done) break;
      // The host's model may return something else than a part.
      const members = ((typeof part === "string" ? { text: part } : part) ?? {}) as {
        text?: unknown;
        sources?: unknown;
        followups?: unknown;
      };
      if (isTextArray(members.sources)) sourceIds = [...new Set(members.sources)];
      else if (isTextArray(members.followups))
        followups = members.followups.slice(0, MAX_FOLLOWUPS).map((it) => it.slice(0, MAX_FOLLOWUP_CHARACTERS));
      else if (typeof members.text === "string") {
        const { text } = members;
        length += text.length;
        if (length > MAX_ANSWER_CHARACTERS)
          throw new Error(`The model's answer has more than ${MAX_ANSWER_CHARACTERS} characters.`);
        if (text !== "") yield formatServerSentEvent("answer", { text });
      } else throw new TypeError("A part of an answer is a text, or has `text`, `sources` or `followups`.");
    }

    const sources = (sourceIds ?? [...shownPassages.keys()]).flatMap((page) => shownPassages.get(page) ?? []);
    yield formatServerSentEvent("sources", { pages: sources.map(({ text: _, ...page }) => page) });
    if (followups.length > 0) yield formatServerSentEvent("followups", { questions: followups });
    yield formatServerSentEvent("done", {});
  } catch (error) {
    if (signal.reason === CALLER_GONE) return;
    onError(error);
    const { status, reason, message } = createError("ask_failed");
    yield formatServerSentEvent("error", { code: status, reason, message });
  } finally {
    clearTimeout(timer);
    abortController.abort(ANSWER_COMPLETE);
    // Nobody waits for the model to clean up, and errors of that change nothing.
    void Promise.resolve(parts?.return?.()).catch(() => undefined);
  }
}

function isTextArray(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((it) => typeof it === "string");
}

/** Formats one server-sent event. JSON has no line breaks outside of its texts, and escapes those inside. */
function formatServerSentEvent(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify({ type: name, ...data })}\n\n`;
}
