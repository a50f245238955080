// Questions to a model that the host brings: what it gets, and what it gives. It gets only what the caller may see.

/** A piece of a page that the caller may see. */
export interface Passage {
  /** The id of the page. */
  readonly page: string;
  readonly space: string;
  readonly title: string;
  /** The path of the page in its space. */
  readonly path: string;
  /** Where the caller finds it; undefined where it has no URL. */
  readonly url?: string | undefined;
  /** Plain text: the sections that match, the best first, cut at 4,000 characters. */
  readonly text: string;
}

/** What a model gets with a question. */
export interface AnswerContext {
  /** What was found for the question, the best first; at most eight pages. */
  readonly passages: readonly Passage[];
  /** Finds more, in the same way. Only what the caller may see is found. At most 20 times for a question. */
  readonly search: (query: string) => Promise<readonly Passage[]>;
  /** The language that the caller wants the answer in, as it was sent. */
  readonly language: string | undefined;
  /** What is asked about. */
  readonly about: { readonly organization: string; readonly site?: string; readonly space?: string };
  /** The id of the user who asks; undefined for a visitor of a site. */
  readonly user: string | undefined;
  /** Aborted when the caller has gone, when the time is over, and when the answer is complete. */
  readonly signal: AbortSignal;
}

/** A part of an answer: text, the ids of the pages it rests on, or questions that could follow. */
export type AnswerPart =
  | string
  | { readonly text: string }
  | { readonly sources: readonly string[] }
  | { readonly followups: readonly string[] };

/** A model of the host. A `ReadableStream` is such an iterable in every runtime that this library runs in. */
export type AnswerModel = (
  question: string,
  context: AnswerContext,
) => AsyncIterable<AnswerPart> | Promise<AsyncIterable<AnswerPart>>;

/** A question, and how passages are found for it. */
export interface ModelQuestion extends Pick<AnswerContext, "language" | "about" | "user"> {
  readonly question: string;
  readonly findPassages: (query: string) => Promise<readonly Passage[]>;
}

/** Where the model is, and what it may take. */
export interface AnswerModelSettings {
  readonly model: AnswerModel;
  /** How long an answer may take, in milliseconds. */
  readonly timeoutMs: number;
  /** Hears why a model failed. Callers are told only that it did. */
  readonly onError: (error: unknown) => void;
}

/** How long an answer may take. */
export const ANSWER_TIMEOUT_MS = 120_000;
