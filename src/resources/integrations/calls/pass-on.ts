// What an integration answers at once, on its way to whoever asked. They may be anybody, so nothing comes back that would
// speak for this origin, and nobody is sent to an address that runs.

import { failure } from "../../../errors";
import { type Asking, askIntegration, type Question } from "./ask";
import type { Answered } from "./call";

/** Headers of an answer that are about the answer alone. */
const PASSED =
  /^(?:content-type|content-language|content-disposition|cache-control|expires|etag|last-modified|vary|retry-after|location|link|x-(?!frame-options|content-type-options|request-id|ratelimit-|powered-by|accel-|sendfile)[a-z0-9-]+)$/i;
/** The most headers that go either way. */
export const MAX_HEADERS = 100;
/** A page of an integration runs in an origin of its own. */
const POLICY = "sandbox allow-forms allow-popups allow-scripts";

/** What an integration answers to somebody who may be anybody. Why there is no answer is for those who run it, and not for whoever asked. */
export async function answerOf(work: Asking, question: Question): Promise<Answered> {
  const { answer } = await askIntegration(work, question);
  if (!answer) throw failure("integration_failed");
  return answer;
}

/** The headers of an answer that may go back, and those that keep it apart. */
export function passedHeaders(headers: Answered["headers"]): Record<string, string> {
  const passed = headers.filter(([name, value]) => PASSED.test(name) && isPlain(name, value)).slice(0, MAX_HEADERS);
  return {
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    ...Object.fromEntries(passed.map(([name, value]) => [name.toLowerCase(), value])),
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
  };
}

/** No value begins another header, and nobody is sent to an address that runs. */
function isPlain(name: string, value: string): boolean {
  if (!/^[\x20-\x7e\x80-\xff]*$/.test(value)) return false;
  return name.toLowerCase() !== "location" || /^(?:https?:\/\/|\/(?![/\\]))/i.test(value);
}
