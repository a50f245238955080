// The host's model that answers questions: its input and its output. The model gets only what the caller may see.

/** An excerpt of a page that the caller may see. */
export interface Passage {
  /** The id of the page. */
  readonly page: string;
  readonly space: string;
  readonly title: string;
  /** The path of the page in its space. */
  readonly path: string;
  /** The URL at which the caller finds the page; undefined if it has none. */
  readonly url?: string | undefined;
  /** Plain text: the sections that match, the best first, cut at 4,000 characters. */
  readonly text: string;
}

/** The context that a model gets with a question. */
export interface AnswerContext {
  /** The passages that were found for the question, the best first; at most eight pages. */
  readonly passages: readonly Passage[];
  /** Finds more passages, again only those that the caller may see. May be called at most 20 times for a question. */
  readonly search: (query: string) => Promise<readonly Passage[]>;
  /** The language in which the caller wants the answer, as it was sent. */
  readonly language: string | undefined;
  /** The content that the question is about. */
  readonly about: { readonly organization: string; readonly site?: string; readonly space?: string };
  /** The id of the user who asks; undefined for a visitor of a site. */
  readonly user: string | undefined;
  /** Aborted when the caller has gone, when the time is over, and when the answer is complete. */
  readonly signal: AbortSignal;
}

/** A part of an answer: text, the ids of the pages that it is based on, or follow-up questions. */
export type AnswerPart =
  | string
  | { readonly text: string }
  | { readonly sources: readonly string[] }
  | { readonly followups: readonly string[] };

/** Answers a question. A `ReadableStream` is such an iterable in every runtime that this library runs in. */
export type AnswerModel = (
  question: string,
  context: AnswerContext,
) => AsyncIterable<AnswerPart> | Promise<AsyncIterable<AnswerPart>>;

/** A question, and the function that finds passages for it. */
export interface ModelQuestion extends Pick<AnswerContext, "language" | "about" | "user"> {
  readonly question: string;
  readonly findPassages: (query: string) => Promise<readonly Passage[]>;
}

/** The model and its limits. */
export interface AnswerModelSettings {
  readonly model: AnswerModel;
  /** The time limit of an answer. */
  readonly timeoutMs: number;
  /** Called with the error of a model that failed. Callers only learn that it failed. */
  readonly onError: (error: unknown) => void;
}

/** The default time limit of an answer. */
export const ANSWER_TIMEOUT_MS = 120_000;
