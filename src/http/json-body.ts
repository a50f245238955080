// Reads the JSON of a request's body: within its size limit and the limits of all JSON. Long bodies are parsed in steps, so that
// other requests are not held up.

import { createError } from "../errors";
import { limitJsonTextInSteps } from "../operation/json-limits";
import { checkJsonLimits } from "../operation/validate";
import { pauseUntilNextTurn, runSteps, yieldToEventLoop } from "../utils/concurrency/event-loop";
import type { PlainRequest } from "./plain-request";

/** Each step of processing a longer body or response takes so long that other requests get a turn between two of them. */
export const LONG_TEXT_LENGTH = 1 << 20;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Returns the parsed body of a request; undefined if there is none. */
export async function readJsonBody(request: PlainRequest, maxBytes: number): Promise<unknown> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes)
    throw createError("body_too_large", { limit: maxBytes });
  const bytes = await request.body(maxBytes);
  if (bytes.length === 0) return undefined;
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") throw createError("body_not_json");

  const isLong = bytes.length > LONG_TEXT_LENGTH;
  let text = "";
  try {
    // Decoding in one go takes a fraction of the time, and most bodies are short.
    if (!isLong) text = utf8.decode(bytes);
    else {
      const decoder = new TextDecoder("utf-8", { fatal: true });
      for (let start = 0; start < bytes.length; start += LONG_TEXT_LENGTH) {
        text += decoder.decode(bytes.subarray(start, start + LONG_TEXT_LENGTH), { stream: true });
        await yieldToEventLoop();
      }
      text += decoder.decode();
    }
  } catch {
    throw createError("invalid_json", { at: "not UTF-8" });
  }

  const { text: limitedText, mayHaveIssues } = await runSteps(limitJsonTextInSteps(text));
  const value = await parseJson(limitedText);
  if (isLong) await pauseUntilNextTurn();
  if (mayHaveIssues) checkJsonLimits(value, "body");
  if (isLong) await pauseUntilNextTurn();
  return value;
}

/** Parses a JSON text. Throws `invalid_json` with the place of the first error. */
export async function parseJson(text: string): Promise<unknown> {
  try {
    if (text.length <= LONG_TEXT_LENGTH) return JSON.parse(text);
    // Most processes never get a text that is this long, so the parser is loaded when it is first needed.
    const { parseJsonInSteps } = await import("../utils/concurrency/json-steps");
    return await runSteps(parseJsonInSteps(text));
  } catch {
    const { findJsonErrorInSteps } = await import("./json-error");
    throw createError("invalid_json", { at: await runSteps(findJsonErrorInSteps(text)) });
  }
}
