// The fuzzer: sends requests, and checks every answer against openapi.json.

import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import fc from "fast-check";
import { SignJWT } from "jose";
import type { DocsApi } from "octavo";
import { memoryStorage } from "octavo/memory";
import { DocsError } from "../../../src/errors";
import { createRouter } from "../../../src/http/router";
import { allOperations } from "../../../src/operations";
import { tokenScopesByScope } from "../../../src/resources/integrations/installations/token-actors";
import { VersionedCache } from "../../../src/utils/versioned-cache";
import { type Cast, examples, mute, parrot, prepare } from "../../invariants/examples";
import { copierOf } from "../../invariants/faults";
import { web } from "../../resources/content/imports-web";
import { open, seeded, setUp } from "../../support/setting";
import { type Ask, createCompare, type Told } from "./absent";
import { type FuzzRequest, requestsFrom, type Supply } from "./requests";

/** Something that an answer should not have been. */
export interface Finding {
  readonly what: string;
  readonly request: FuzzRequest;
  readonly status: number;
  /** The beginning of the body, or the error that was not told. */
  readonly said: string;
}

/** What was sent, and what came. */
export interface Fuzzed {
  readonly requests: number;
  readonly statuses: Readonly<Record<number, number>>;
  /** How many answers of 404 were compared with that for something absent. */
  readonly compared: number;
  /** How often each operation was reached. */
  readonly reached: ReadonlyMap<string, number>;
  readonly findings: readonly Finding[];
}

/** What things of the examples are called: a name that is taken is another answer than one that is free. */
const TITLES = [
  "Writers",
  "Acme",
  "Docs",
  "docs",
  "secrets",
  "Handbook",
  "urn:okta",
  "de",
  "/old",
  "acme",
  "acme-gate",
];

/** How many requests see what those before them did. */
export const AT_ONCE = 40;

interface Fuzzing {
  readonly requests: number;
  readonly seed: number;
  readonly slowestMs?: number | undefined;
}

/** Makes ready what the requests find. `document` is what answers are held against. Default: that of the API. */
export async function createFuzzer(given: { readonly document?: object } = {}) {
  const base = memoryStorage();
  const options = { fetch: web, translator: mute, ask: parrot };
  const cast = await prepare(await setUp(base, options));
  const tokens = await tokensOf(cast);
  const words = [...(await wordsOf(cast)), tokens.visitor!, ...TITLES];
  const copy = copierOf(base);
  const table = allOperations();
  const supply: Supply = { table, rows: examples(cast), callers: Object.keys(tokens), words };
  const arbitrary = requestsFrom(supply);

  const { document = await cast.api.openapi() } = given;
  const judge = judgeBy(document);
  const compare = createCompare(supply);

  async function send(api: DocsApi, request: FuzzRequest) {
    const response = await api.fetch(asRequest(request, tokens));
    return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
  }

  const told = ({ status }: Response, bytes: Uint8Array): Told => ({ status, text: new TextDecoder().decode(bytes) });

  function askOn(api: DocsApi): Ask {
    return async (request) => {
      const { response, bytes } = await send(api, request);
      return told(response, bytes);
    };
  }

  async function stage(): Promise<{ api: DocsApi; errors: unknown[] }> {
    const errors: unknown[] = [];
    // What was made ready drew from the seed of the setting: the same ids must not come up again.
    const random = seeded(2);
    const { api, clock } = open(copy(), { ...options, random, onError: (error) => errors.push(error) });
    clock.now = cast.clock.now;
    clock.forward(1000);
    return { api, errors };
  }

  return {
    /** Sends so many requests. One that takes more of the processor than `slowestMs` is told. */
    async fuzz({ requests, seed, slowestMs = Number.POSITIVE_INFINITY }: Fuzzing): Promise<Fuzzed> {
      const statuses: Record<number, number> = {};
      let compared = 0;
      const reached = new Map<string, number>();
      const findings: Finding[] = [];
      // What leads nowhere changes nothing, so that one is enough.
      const { api: untouched } = await stage();
      for (let done = 0; done < requests; done += AT_ONCE) {
        const { api, errors } = await stage();
        const drawn = fc.sample(arbitrary, { numRuns: Math.min(AT_ONCE, requests - done), seed: seed + done });
        // Some are sent twice, with what the first of them left behind.
        for (const request of drawn.flatMap((it, i) => (i % 5 === 0 ? [it, it] : [it]))) {
          errors.length = 0;
          const start = process.cpuUsage();
          const { response, bytes } = await send(api, request);
          const { user, system } = process.cpuUsage(start);
          statuses[response.status] = (statuses[response.status] ?? 0) + 1;
          const { named, problems } = await judge(request, response, bytes);
          if (named) reached.set(named.name, (reached.get(named.name) ?? 0) + 1);
          if (user + system > slowestMs * 1000) problems.push(`${request.operation}: took more than ${slowestMs} ms`);
          // Those who ask by another method than that of the operation have no example to be compared with.
          if (named?.name === request.operation && response.status === 404) {
            const asking = { ask: askOn(api), askUntouched: askOn(untouched) };
            const result = await compare(request, named.definition, told(response, bytes), asking);
            if (result) compared++;
            if (result?.wrong !== undefined) problems.push(`${named.name}: ${result.wrong}`);
          }
          const said =
            errors.length > 0 ? errors.map(String).join("; ") : new TextDecoder().decode(bytes).slice(0, 500);
          for (const what of problems) findings.push({ what, request, status: response.status, said });
        }
      }
      return { requests, statuses, compared, reached, findings };
    },
  };
}

/** A token of everybody: each role, outsiders, narrow tokens, an installation, a visitor, and what is no token at all. */
async function tokensOf({
  ask,
  tokens,
  integration,
  installation,
  audience,
  org,
}: Cast): Promise<Record<string, string>> {
  const narrow = await ask("admin", "POST /v1/user/tokens", {
    label: "narrow",
    scopes: ["spaces:read", "sites:write"],
  });
  await ask("admin", `POST /v1/integrations/${integration}`, { scopes: Object.keys(tokenScopesByScope) });
  const installed = await ask("admin", `POST /v1/integrations/${integration}/installations/${installation}/tokens`);
  const gate = `/v1/orgs/${org}/sites/${audience.gate}/publishing/auth/regenerate`;
  const { privateKey } = (await ask("admin", `POST ${gate}`)).body;
  const visitor = await new SignJWT({ isBeta: true })
    .setProtectedHeader({ alg: "HS256" })
    .setExpirationTime("5y")
    .sign(new TextEncoder().encode(privateKey ?? "none"));
  return { ...tokens, narrow: narrow.body.token, installation: installed.body.token, visitor, nonsense: "nonsense" };
}

/** Every id and name that the examples know. */
async function wordsOf(cast: Cast): Promise<string[]> {
  const found = new Set<string>();
  const look = (value: unknown): void => {
    if (typeof value === "string" && value.length < 200) found.add(value);
    if (typeof value !== "object" || value === null) return;
    for (const inner of Object.values(value)) look(inner);
  };
  const { api: _, storage: __, ask: ___, clock: ____, tokens: _____, ...told } = cast;
  look(told);
  return [...found];
}

function asRequest(
  { method, path, headers, as, body }: FuzzRequest,
  tokens: Readonly<Record<string, string>>,
): Request {
  const sent = new Headers(body === undefined ? {} : { "content-type": "application/json" });
  for (const [name, value] of Object.entries(headers)) sent.set(name, value);
  if (as !== undefined) sent.set("authorization", `Bearer ${tokens[as]}`);
  const bytes = typeof body === "string" ? body : body && Uint8Array.from(body);
  return new Request(`http://test.invalid${path}`, { method, headers: sent, body: bytes ?? null });
}

interface Declared {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
  readonly headers?: Readonly<Record<string, unknown>>;
}
interface Described {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Declared>>;
}

// Some files have no time of change.
const OPTIONAL_HEADERS = new Set(["Idempotent-Replayed", "Last-Modified"]);
/** Only a token that lacks a scope is told so in a header, and not somebody who lacks a right. */
const isOptional = (header: string, status: number) =>
  OPTIONAL_HEADERS.has(header) || (status === 403 && header === "WWW-Authenticate");
const NO_BODY = new Set([204, 205, 304]);

/** Tells what is wrong with an answer, by a document that describes the API. */
function judgeBy(document: object) {
  const { described, checkOf, resolve } = readDocument(document);
  const router = createRouter(allOperations(), "", new VersionedCache(500));

  return async (request: FuzzRequest, response: Response, bytes: Uint8Array) => {
    const { status, headers } = response;
    const problems: string[] = [];
    const method = request.method === "HEAD" ? "GET" : request.method;
    const url = new URL(`http://test.invalid${request.path}`).href;
    const led = method === "OPTIONS" ? undefined : await router.find(method, url).catch((error: DocsError) => error);
    const named = led && !(led instanceof Error) ? led.operation : undefined;
    const name = named?.name;
    const type = headers.get("content-type")?.replace(/;.*/s, "").trim().toLowerCase();
    const wrong = (what: string) => problems.push(`${name ?? request.method}: ${what}`);

    if (status === 500) wrong("an error that was not foreseen");
    if (!headers.has("x-request-id")) wrong("no X-Request-Id");
    if (status === 503 && !(Number(headers.get("retry-after")) > 0)) wrong("503 without Retry-After");
    if (NO_BODY.has(status) && bytes.length > 0) wrong(`${status} with a body`);
    const isEmpty = NO_BODY.has(status) || request.method === "HEAD";

    const isPage = method === "GET" && /^\/v1\/docs(\/|$)/.test(new URL(url).pathname);
    const undeclared = isPage ? pageOf(status) : failureOf(led, status);
    const declared = name === undefined ? undeclared : responseOf(described.get(name)!, status);
    if (!declared) {
      wrong(`${status} is not declared`);
      return { named, problems };
    }
    for (const header of Object.keys(declared.headers ?? {}))
      if (!isOptional(header, status) && !headers.has(header)) wrong(`${status} without ${header}`);
    if (isEmpty) return { named, problems };
    const content = declared.content ?? {};
    if (bytes.length === 0 && Object.keys(content).length === 0) return { named, problems };
    const media = Object.keys(content).find((range) => type !== undefined && isIn(type, range));
    if (media === undefined) wrong(`${status} of the type ${type} is not declared`);
    else if (media === "application/json") {
      const check = checkOf(content[media]!.schema ?? {});
      if (!check(JSON.parse(new TextDecoder().decode(bytes))))
        wrong(`${status} has another shape: ${JSON.stringify(check.errors?.slice(0, 2))}`);
    }
    return { named, problems };
  };

  /** Where no operation is reached, the router says so itself; and OPTIONS is answered by the edge. */
  function failureOf(led: unknown, status: number): Declared | undefined {
    const error = { content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } } };
    if (led === undefined) return status === 204 ? {} : error;
    return led instanceof DocsError && (led.status === status || [401, 429].includes(status)) ? error : undefined;
  }

  /** The pages of the reference are no operations: one is there, or is not, or is known already. */
  function pageOf(status: number): Declared | undefined {
    return [200, 304, 404].includes(status) ? { content: { "text/*": {} } } : undefined;
  }

  function responseOf({ responses }: Described, status: number): Declared | undefined {
    const found = responses[status] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses.default;
    return found?.$ref === undefined ? found : (resolve(found.$ref) as Declared);
  }
}

function readDocument(document: object) {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true });
  formats.default(ajv);
  ajv.addVocabulary(["components"]);
  const { paths, components } = document as { paths: Record<string, Record<string, Described>>; components: object };
  ajv.addSchema({ components }, "document", false, false);
  const operations = Object.values(paths).flatMap((item) => Object.values(item).filter((it) => it.operationId));
  const checks = new Map<string, ReturnType<typeof ajv.compile>>();
  return {
    described: new Map(operations.map((it) => [it.operationId, it])),
    resolve: (ref: string) =>
      ref
        .slice(2)
        .split("/")
        .reduce<unknown>((at, step) => (at as Record<string, unknown>)?.[step], document),
    checkOf(schema: object) {
      const text = JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"document#');
      const check = checks.get(text) ?? ajv.compile(JSON.parse(text));
      checks.set(text, check);
      return check;
    },
  };
}

/** Whether a type is one of a range such as `image/*`. */
function isIn(type: string, range: string): boolean {
  return range === "*/*" || range === type || (range.endsWith("/*") && type.startsWith(range.slice(0, -1)));
}
