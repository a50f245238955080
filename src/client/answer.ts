// From a response to a value or to a failure.

import type { Issue } from "../errors";
import { CallError, type CallReason } from "./call-error";
import type { Route } from "./route";

/** The value of a response: JSON, nothing, or the response itself where the operation answers with bytes. Throws
 * `CallError`; whatever else is thrown means that the body did not arrive. */
export async function answerOf(response: Response, { isBytes }: Route): Promise<unknown> {
  if (response.status === 304) return undefined;
  if (isBytes && (response.ok || !(await isFailureOfOurs(response)))) return response;
  const text = await response.text();
  if (!response.ok) throw failureOf(response, text);
  return text === "" ? undefined : parsed(response, text);
}

/** Whether the API itself refused a call that it would have passed on. */
async function isFailureOfOurs(response: Response): Promise<boolean> {
  const text = await response.clone().text();
  return errorIn(text) !== undefined;
}

interface ErrorBody {
  readonly reason: CallReason;
  readonly message: string;
  readonly issues?: readonly Issue[];
  readonly requestId?: string;
}

function failureOf(response: Response, text: string): CallError {
  const told = errorIn(text);
  if (!told) {
    parsed(response, text);
    return new CallError(
      "unexpected",
      `The server answered ${response.status}, and not as this API does.`,
      about(response),
    );
  }
  const { reason, message, issues, requestId } = told;
  const details = about(response);
  return new CallError(reason, message, { ...details, issues, requestId: requestId ?? details.requestId });
}

/** The one error shape of the API; undefined when the text has another. */
function errorIn(text: string): ErrorBody | undefined {
  try {
    const { error } = JSON.parse(text) as { readonly error?: Partial<ErrorBody> };
    return typeof error?.reason === "string" && typeof error.message === "string" ? (error as ErrorBody) : undefined;
  } catch {
    return undefined;
  }
}

function parsed(response: Response, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const type = response.headers.get("content-type")?.split(";")[0] ?? "something";
    const message = `The server answered ${response.status} with ${type} instead of JSON: is this the address of the API?`;
    throw new CallError("not_json", message, { ...about(response), cause });
  }
}

function about({ status, headers }: Response) {
  const requestId = headers.get("x-request-id") ?? undefined;
  return { status, requestId, retryAfter: secondsOf(headers.get("retry-after")) };
}

/** The seconds of a Retry-After header, which may be a date. */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}
