// Whether an answer tells that something is there which the caller may not see. What is hidden gets the answer of what is
// absent: a request that leads nowhere is sent again with an id that nothing has, and must be answered by the same words.

import type { Operation } from "../../../src/operation/operation";
import type { FuzzRequest, Supply } from "./requests";

/** An answer, as far as two of them must be the same. */
export interface Told {
  readonly status: number;
  readonly text: string;
}

export type Ask = (request: FuzzRequest) => Promise<Told>;

/** Looks at an answer of 404. `ask` sends to the same storage, `askUntouched` to an untouched one. Gives what is wrong, if
 * anything; undefined where there was nothing to compare. */
export type Compare = (
  request: FuzzRequest,
  operation: Operation,
  told: Told,
  asking: { readonly ask: Ask; readonly askUntouched: Ask },
) => Promise<{ readonly wrong?: string } | undefined>;

export function createCompare({ rows, words }: Supply): Compare {
  const known = new Set(words);
  /** What an operation says where the thing of a parameter is absent, for somebody who sees everything. */
  const reasons = new Map<string, Promise<string | undefined>>();

  const reasonOf = (name: string, place: number, ask: Ask) => {
    const key = `${name} ${place}`;
    const asked = reasons.get(key) ?? reasonIn(exampleOf(name), place, ask);
    reasons.set(key, asked);
    return asked;
  };

  function exampleOf(name: string): FuzzRequest {
    const { ask, send } = rows[name]!;
    const [method, path] = ask.split(" ") as [string, string];
    const body = send === undefined ? undefined : JSON.stringify(send);
    return { operation: name, as: "admin", method, path, headers: {}, body };
  }

  return async (request, operation, told, { ask, askUntouched }) => {
    const reason = reasonIn404(told);
    // A key that was used for another request is refused before anything is looked for.
    if (reason === undefined || "idempotency-key" in request.headers) return undefined;
    let other: Told | undefined;
    // Several parameters may have one reason. It is enough that one of them explains the answer.
    for (const place of placesOf(operation)) {
      if ((await reasonOf(request.operation, place, askUntouched)) !== reason) continue;
      const id = segmentsOf(request.path)[place];
      // What the request names is nowhere, so there is nothing to hide.
      if (id === undefined || !known.has(decodeURIComponent(id))) return undefined;
      const absent = await ask(withAbsent(request, place));
      if (absent.status === told.status && plain(absent.text) === plain(told.text)) return {};
      other ??= absent;
    }
    if (!other) return undefined;
    return { wrong: `${reason} is told in other words where it is absent: ${other.text.slice(0, 300)}` };
  };
}

async function reasonIn(example: FuzzRequest, place: number, ask: Ask): Promise<string | undefined> {
  return reasonIn404(await ask(withAbsent(example, place)));
}

function reasonIn404({ status, text }: Told): string | undefined {
  return status === 404 && text.startsWith("{") ? JSON.parse(text).error?.reason : undefined;
}

/** Where the parameters of an operation stand in its path. */
function placesOf({ path }: Operation): number[] {
  return path.split("/").flatMap((part, at) => (/^:\w+$/.test(part) ? [at + 1] : []));
}

function segmentsOf(path: string): string[] {
  return path.split("?")[0]!.split("/");
}

/** The request with an id that nothing has in one place of its path. */
function withAbsent(request: FuzzRequest, place: number): FuzzRequest {
  const { path } = request;
  const segments = segmentsOf(path);
  const id = segments[place]!;
  const absent = id.slice(0, -3) + (id.endsWith("zzz") ? "yyy" : "zzz");
  return { ...request, path: segments.with(place, absent).join("/") + path.slice(segments.join("/").length) };
}

/** Every answer has an id of its own. */
function plain(text: string): string {
  return text.replace(/"requestId":"[^"]*"/, "");
}
