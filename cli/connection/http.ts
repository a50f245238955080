// A server over HTTP, with a token.

import { CommandFailed, STATUS } from "../failure";
import { type Line, type Refusal, sentenceOf } from "./connection";

export interface Server {
  /** Where the API is, with or without `/v1`. */
  readonly url: string;
  readonly token: string | undefined;
  readonly signal: AbortSignal;
}

interface Input {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

export function httpLine({ url, token, signal }: Server): Line {
  const base = new URL(url.replace(/\/+$/, "").replace(/\/v1$/, "")).href.replace(/\/$/, "");
  const routes = routesByName();
  const reach = (path: string, init: RequestInit) =>
    fetch(`${base}/v1${path}`, { ...init, redirect: "manual", signal }).catch((error: Error) => {
      signal.throwIfAborted();
      const cause = (error.cause as Error | undefined)?.message || error.message;
      throw new CommandFailed(`The server at ${base} cannot be reached: ${cause}.`, STATUS.unreachable, "network");
    });
  return {
    async call(name, input) {
      const { params = {}, query = {}, body } = input as Input;
      const { method, path } = routes.get(name)!;
      const headers = {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      };
      const sent = body === undefined ? null : JSON.stringify(body);
      const response = await reach(filled(path, params) + searchOf(query), { method, headers, body: sent });
      const text = await response.text();
      if (response.ok) return { ok: true, status: response.status, value: text === "" ? undefined : JSON.parse(text) };
      return { ok: false, error: refusalOf(response.status, text, base) };
    },
    async download(address) {
      // The address begins with the public origin of the server, which need not be the one that is used here.
      const { pathname, search } = new URL(address);
      const response = await reach(pathname.slice(pathname.lastIndexOf("/downloads/")) + search, {});
      if (!response.ok) throw new CommandFailed(`A file could not be downloaded: the answer was ${response.status}.`);
      return new Uint8Array(await response.arrayBuffer());
    },
    host: undefined,
    close: async () => {},
  };
}

type Routes = ReadonlyMap<string, { readonly method: string; readonly path: string }>;

let known: Routes | undefined;

/** Method and path of every operation. */
function routesByName(): Routes {
  known ??= readRoutes();
  return known;
}

function readRoutes(): Routes {
  const { paths } = createDocsApi(memoryStorage()).openapi() as {
    paths: Record<string, Record<string, { operationId?: string }>>;
  };
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { operationId }]) =>
        operationId === undefined ? [] : [[operationId, { method: method.toUpperCase(), path }] as const],
      ),
    ),
  );
}

function filled(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!));
}

function searchOf(query: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.append(name, String(value));
  return search.size === 0 ? "" : `?${search}`;
}

function refusalOf(status: number, text: string, base: string): Refusal {
  try {
    const { reason, message, issues } = JSON.parse(text).error;
    return { reason, message: sentenceOf(message, issues), status };
  } catch {
    return {
      reason: "not_json",
      message: `${base} answered with the status ${status}, and is no Octavo server.`,
      status,
    };
  }
}
