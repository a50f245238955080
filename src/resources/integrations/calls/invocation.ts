// Questions to integrations, and what comes of them.

import type { JobContext } from "../../../jobs/jobs";
import type { EventLogLine, IntegrationRecord } from "../records";
import type { InvocationOrigin } from "./environment";

/** What asking needs. */
export type InvocationContext = Pick<JobContext, "store" | "ports" | "objects" | "onError" | "waitUntil">;

/** One call that somebody waits for. */
export interface Invocation {
  readonly integration: IntegrationRecord;
  /** The event to send. Its id and its installation are added here. */
  readonly event: { readonly type: string; readonly [member: string]: unknown };
  readonly origin?: InvocationOrigin | undefined;
  /** The body of the request that a `fetch` event passes on. */
  readonly body?: Uint8Array | undefined;
  /** What is wrong with an answer, in a sentence for those who run the integration; undefined: nothing. */
  readonly findFault?: (answer: IntegrationResponse) => string | undefined;
}

/** The answer of an integration. */
export interface IntegrationResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/** A header of an answer, by its lower-case name. */
export function getResponseHeader({ headers }: IntegrationResponse, wanted: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
}

/** The result of a call. `retry` says for how long the same call may be tried again. */
export type InvocationOutcome = { readonly logs: readonly EventLogLine[] } & (
  | { readonly answer: IntegrationResponse; readonly error?: undefined }
  | {
      readonly answer?: undefined;
      readonly error: string;
      readonly retry: "never" | "briefly" | "long";
      /** Whether it was not called at all, because it is too busy. */
      readonly isBusy?: boolean;
    }
);
