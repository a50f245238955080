// Invocations of an integration that somebody waits for, and their outcomes.

import type { JobContext } from "../../../jobs/jobs";
import type { EventLogLine, IntegrationRecord } from "../records";
import type { InvocationOrigin } from "./environment";

export type InvocationContext = Pick<JobContext, "store" | "ports" | "objects" | "onError" | "waitUntil">;

/** One call that somebody waits for. */
export interface Invocation {
  readonly integration: IntegrationRecord;
  /** The event to send. Its id and its installation are added when it is sent. */
  readonly event: { readonly type: string; readonly [member: string]: unknown };
  readonly origin?: InvocationOrigin | undefined;
  /** The body of the request that a `fetch` event passes on. */
  readonly body?: Uint8Array | undefined;
  /** Returns what is wrong with a response, as a sentence for those who run the integration; undefined if it is valid. */
  readonly findFault?: (response: IntegrationResponse) => string | undefined;
}

export interface IntegrationResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/** The outcome of a call. `retry` says for how long the same call may be tried again. */
export type InvocationOutcome = { readonly logs: readonly EventLogLine[] } & (
  | { readonly answer: IntegrationResponse; readonly error?: undefined }
  | {
      readonly answer?: undefined;
      readonly error: string;
      readonly retry: "never" | "briefly" | "long";
      /** True if the integration was not called at all, because it is too busy. */
      readonly isBusy?: boolean;
    }
);

export function getResponseHeader({ headers }: IntegrationResponse, lowerCaseName: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === lowerCaseName)?.[1];
}
