// The answer of a model, sent as server-sent events while it is made: parts of the text, then the pages it rests on and
// questions that could follow. Most processes have no model, so this is loaded when it is first needed.

import { createError } from "../errors";
import type { AnswerContext, AnswerModelSettings, AnswerPart, ModelQuestion, Passage } from "./answer-model";

/** The most characters of an answer. */
const MAX_ANSWER = 100_000;
const MAX_SEARCHES = 20;
const MAX_FOLLOWUPS = 5;
const MAX_FOLLOWUP = 300;

/** The answer to a question, as the bytes of server-sent events. Canceling it ends the model's work. */
export async function streamAnswer(
  asking: AnswerModelSettings,
  asked: ModelQuestion,
): Promise<ReadableStream<Uint8Array>> {
  const passages = await asked.findPassages(asked.question);
  const ending = new AbortController();
  const events = answering(asking, asked, passages, ending);
  const utf8 = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await events.next();
      if (ending.signal.reason === GONE) return;
      if (done) controller.close();
      else controller.enqueue(utf8.encode(value));
    },
    async cancel() {
      ending.abort(GONE);
      await events.return(undefined);
    },
  });
}

/** Why a model is stopped: the caller has gone, or has all of the answer. */
const GONE = new Error("The caller has gone.");
const COMPLETE = new Error("The answer is complete.");

async function* answering(
  { model, timeoutMs: milliseconds, onError }: AnswerModelSettings,
  { question, findPassages: find, language, about, user }: ModelQuestion,
  passages: readonly Passage[],
  ending: AbortController,
): AsyncGenerator<string, undefined> {
  const { signal } = ending;
  const found = new Map<string, Passage>();
  const note = (more: readonly Passage[]) => {
    for (const passage of more) if (!found.has(passage.page)) found.set(passage.page, passage);
    return more;
  };
  note(passages);
  let searches = 0;
  const search = async (query: string) => {
    signal.throwIfAborted();
    if (++searches > MAX_SEARCHES) throw new Error(`A model may search ${MAX_SEARCHES} times for a question.`);
    return note(await find(String(query)));
  };
  const before = held(signal);
  const deadline = setTimeout(() => ending.abort(new Error("The model took too long.")), milliseconds);
  const answer: Answer = { length: 0, sources: undefined, followups: [] };
  let parts: AsyncIterator<AnswerPart> | undefined;
  try {
    const context: AnswerContext = { passages, search, language, about, user, signal };
    const coming = (await before((async () => model(question, context))())) as AsyncIterable<AnswerPart>;
    parts = coming[Symbol.asyncIterator]();
    for (let next = await before(parts.next()); !next.done; next = await before(parts.next())) {
      const text = taken(answer, next.value);
      if (text !== "") yield event("answer", { text });
    }
    const sources = (answer.sources ?? [...found.keys()]).flatMap((id) => found.get(id) ?? []);
    yield event("sources", { pages: sources.map(({ text: _, ...page }) => page) });
    if (answer.followups.length > 0) yield event("followups", { questions: answer.followups });
    yield event("done", {});
  } catch (error) {
    if (signal.reason === GONE) return;
    onError(error);
    const { status, reason, message } = createError("ask_failed");
    yield event("error", { code: status, reason, message });
  } finally {
    clearTimeout(deadline);
    ending.abort(COMPLETE);
    // Nobody waits for a model to clean up, and what goes wrong with that changes nothing.
    void Promise.resolve(parts?.return?.()).catch(() => undefined);
  }
}

interface Answer {
  length: number;
  sources: readonly string[] | undefined;
  followups: readonly string[];
}

/** Takes a part of an answer; gives its text. */
function taken(answer: Answer, part: AnswerPart): string {
  const given = (typeof part === "string" ? { text: part } : part) as {
    text?: unknown;
    sources?: unknown;
    followups?: unknown;
  } | null;
  if (isTexts(given?.sources)) answer.sources = [...new Set(given.sources)];
  else if (isTexts(given?.followups))
    answer.followups = given.followups.slice(0, MAX_FOLLOWUPS).map((it) => it.slice(0, MAX_FOLLOWUP));
  else if (typeof given?.text === "string") {
    answer.length += given.text.length;
    if (answer.length > MAX_ANSWER) throw new Error(`The model's answer has more than ${MAX_ANSWER} characters.`);
    return given.text;
  } else throw new TypeError("A part of an answer is a text, or has `text`, `sources` or `followups`.");
  return "";
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((it) => typeof it === "string");
}

/** Waits for something until a signal is aborted, and throws the reason then. What comes later is dropped. */
function held(signal: AbortSignal): <T>(work: Promise<T>) => Promise<T> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => undefined);
  return (work) => {
    work.catch(() => undefined);
    return Promise.race([work, aborted]);
  };
}

/** One server-sent event. JSON has no line breaks outside of its texts, and escapes those inside. */
function event(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify({ type: name, ...data })}\n\n`;
}
