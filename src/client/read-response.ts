// Reads a response of the API: its value, or the failure that it reports.

import type { Issue } from "../errors";
import { parseJsonObject } from "../utils/json";
import { CallError, type CallReason } from "./call-error";
import type { ClientRoute } from "./route";

interface ApiErrorBody {
  readonly reason: CallReason;
  readonly message: string;
  readonly issues?: readonly Issue[];
  readonly requestId?: string;
}

/**
 * Returns the value of a response: its JSON, undefined if it has no body, or the response itself if the operation answers
 * with bytes. Throws a `CallError` for a failure. Any other error means that the body did not arrive.
 */
export async function readResponse(response: Response, { isBinary }: ClientRoute): Promise<unknown> {
  if (response.status === 304) return undefined;
  // An integration may answer with any status. Only a failure of the API itself counts as one.
  if (isBinary && (response.ok || !parseApiError(await response.clone().text()))) return response;

  const text = await response.text();
  if (response.ok && text === "") return undefined;

  const apiError = response.ok ? undefined : parseApiError(text);
  if (apiError) {
    const { reason, message, issues, requestId } = apiError;
    const details = getErrorDetails(response);
    throw new CallError(reason, message, { ...details, issues, requestId: requestId ?? details.requestId });
  }

  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const type = response.headers.get("content-type")?.split(";")[0] ?? "something";
    const message = `The server answered ${response.status} with ${type} instead of JSON: is this the address of the API?`;
    throw new CallError("not_json", message, { ...getErrorDetails(response), cause });
  }
  if (response.ok) return value;
  const message = `The server answered ${response.status}, and not as this API does.`;
  throw new CallError("unexpected", message, getErrorDetails(response));
}

/** Parses the error shape of the API; undefined if the text has another shape. */
function parseApiError(text: string): ApiErrorBody | undefined {
  const error = parseJsonObject(text)?.error as Partial<ApiErrorBody> | undefined;
  return typeof error?.reason === "string" && typeof error.message === "string" ? (error as ApiErrorBody) : undefined;
}

function getErrorDetails({ status, headers }: Response) {
  const requestId = headers.get("x-request-id") ?? undefined;
  const header = headers.get("retry-after");
  if (header === null) return { status, requestId };

  // The header is a number of seconds or a date (RFC 9110, section 10.2.3).
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  const retryAfter = Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
  return { status, requestId, retryAfter };
}
