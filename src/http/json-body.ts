// The JSON of a body: within its limit, bounded in depth and size, and parsed with turns for others where it is long.

import { createError } from "../errors";
import { limitJsonTextInSteps } from "../operation/json-limits";
import { checkJsonLimits } from "../operation/validate";
import { pauseUntilNextTurn, runSteps, yieldToEventLoop } from "../utils/concurrency/event-loop";
import type { PlainRequest } from "./plain";

/** A longer body or answer takes so long in each of its steps that others have their turn between two of them. */
export const LONG = 1 << 20;

/** What a body holds; undefined when there is none. */
export async function readBody(request: PlainRequest, limit: number): Promise<unknown> {
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw createError("body_too_large", { limit });
  const bytes = await request.body(limit);
  if (bytes.length === 0) return undefined;
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") throw createError("body_not_json");
  const turn = async () => (bytes.length > LONG ? pauseUntilNextTurn() : undefined);
  const text = await decoded(bytes);
  const { bounded, mayBeFlawed } = await runSteps(limitJsonTextInSteps(text));
  const value = await parseJson(bounded);
  await turn();
  if (mayBeFlawed) checkJsonLimits(value, "body");
  await turn();
  return value;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

async function decoded(bytes: Uint8Array): Promise<string> {
  try {
    // At once it takes a fraction of the time, and most bodies are short.
    if (bytes.length <= LONG) return utf8.decode(bytes);
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let text = "";
    for (let at = 0; at < bytes.length; at += LONG) {
      text += decoder.decode(bytes.subarray(at, at + LONG), { stream: true });
      await yieldToEventLoop();
    }
    return text + decoder.decode();
  } catch {
    throw createError("invalid_json", { at: "not UTF-8" });
  }
}

/** What a text of JSON holds. Where it is none, the failure names the place. */
export async function parseJson(text: string): Promise<unknown> {
  try {
    // Most processes never get so much at once.
    return text.length > LONG
      ? await runSteps((await import("../utils/concurrency/json-steps")).parseJsonInSteps(text))
      : JSON.parse(text);
  } catch {
    const { flawIn } = await import("./json-flaw");
    throw createError("invalid_json", { at: await runSteps(flawIn(text)) });
  }
}
