// Scenarios are data: who asks for what, and what they get. A story is played from its beginning on a fresh storage.

import type { DocsApiOptions, Storage } from "octavo";
import * as v from "valibot";
import { expect } from "vitest";
import type { Reason } from "../../src/errors";
import type { RegisteredOperation } from "../../src/execution/kernel";
import { createETagSourceLookup } from "../../src/execution/related-operations";
import { listReasons } from "../../src/openapi/reference/list-reasons";
import { BinarySchema } from "../../src/operation/binary-response";
import { allOperations } from "../../src/operations";
import { type Answer, open, type Person, type Setting, setUp } from "../support/setting";

export interface Scene {
  readonly as: Person | null;
  /** A method and a path. `{name}` stands for something kept earlier, or for `{org}`, `{otherOrg}`, `{admin}`, `{editor}` … */
  readonly ask: string;
  readonly send?: unknown;
  readonly headers?: Record<string, string>;
  readonly expect: number;
  /** The reason of a refusal. */
  readonly reason?: string;
  /** Part of the answer. A function is a test of its own. */
  readonly see?: unknown;
  /** Response headers; a function is a test of its own. */
  readonly seeHeaders?: Record<string, string | ((value: string | null) => boolean)>;
  /** Keeps parts of the answer under names: `{ team: "id" }`. A function takes them out itself. */
  readonly keep?: Record<string, string | ((body: Answer["body"]) => string)>;
  /** Time that passes before, in milliseconds. */
  readonly after?: number;
}

export interface Story {
  readonly title: string;
  /** What cannot be brought about through the API; what it gives is kept. */
  readonly before?: (setting: Setting) => Promise<Record<string, string>>;
  /** What the API is opened with beside the setting's own. */
  readonly options?: DocsApiOptions;
  readonly scenes: readonly Scene[];
}

type Outcome = number | `${number} ${string}`;

/** Somebody asks for something, and gets a status, or a status with the reason of the refusal: `"404 space_not_found"`. */
export function ask(as: Scene["as"], route: string, outcome: Outcome, more: Partial<Scene> = {}): Scene {
  const [status, reason] = String(outcome).split(" ") as [string, string?];
  return { as, ask: route, expect: Number(status), ...(reason ? { reason } : {}), ...more };
}

/** Somebody sends something of which only the outcome is seen. */
export function send(as: Scene["as"], route: string, outcome: Outcome, body: unknown): Scene {
  return ask(as, route, outcome, { send: body });
}

/** Somebody reads what is at a path. */
export function get(as: Scene["as"], path: string, see?: unknown): Scene {
  return ask(as, `GET ${path}`, 200, { see });
}

/** Somebody reads a list of these items, and no others. */
export function list(as: Scene["as"], path: string, items: readonly unknown[]): Scene {
  return get(as, path, { count: items.length, items });
}

/** Somebody makes something, whose id is kept under a name. */
export function create(as: Scene["as"], route: string, name: string, body: unknown): Scene {
  return ask(as, route, 201, { send: body, keep: { [name]: "id" } });
}

/** A request is refused because of the one member at `path`. */
export function refuse(as: Scene["as"], route: string, path: unknown, body?: unknown): Scene {
  return ask(as, route, 400, { send: body, see: { error: { issues: [{ path }] } } });
}

export function defineStory(title: string, scenes: Story["scenes"]): Story;
export function defineStory(title: string, more: Partial<Story>, scenes: Story["scenes"]): Story;
export function defineStory(title: string, more: Partial<Story> | Story["scenes"], scenes?: Story["scenes"]): Story {
  return scenes ? { ...(more as Partial<Story>), title, scenes } : { title, scenes: more as Story["scenes"] };
}

/** A change that inserts a page. */
export const page = (title: string, markdown = "", more: object = {}) => ({
  operation: "insert_page",
  title,
  document: { markdown },
  ...more,
});

const guardOf = createETagSourceLookup(allOperations());
// A path with a name in it comes before one with an id in that place, as in the router.
const table = allOperations()
  .toSorted((a, b) => a.definition.params.length - b.definition.params.length)
  .map((named) => ({ named, pattern: patternOf(named) }));

/** The operation that a route of a scene leads to; undefined for one that leads nowhere. */
export function operationAt(route: string): RegisteredOperation | undefined {
  const [method, path] = route.split(" ") as [string, string];
  const bare = path.split("?")[0]!.replace(/\/+$/, "");
  return table.find(({ named, pattern }) => named.definition.method === method && pattern.test(bare))?.named;
}

function patternOf({ definition: operation }: RegisteredOperation): RegExp {
  const path = `/v1${operation.path}`.replace(/\/$/, "").replace(/\./g, "\\.");
  return new RegExp(`^${path.replace(/:\w+\+/g, ".+").replace(/:\w+/g, "[^/]+")}$`);
}

/** Plays a story. */
export async function play(story: Story, storage: Storage): Promise<void> {
  const setting = await setUp(storage, story.options);
  const kept: Record<string, string> = { org: setting.org, otherOrg: setting.otherOrg, ...setting.ids };
  Object.assign(kept, await story.before?.(setting));
  for (const [i, scene] of story.scenes.entries())
    await playScene(setting, kept, scene, `scene ${i + 1}: ${scene.ask}`, story.options);
}

async function playScene(
  setting: Setting,
  kept: Record<string, string>,
  scene: Scene,
  title: string,
  options: DocsApiOptions = {},
): Promise<void> {
  if (scene.after) setting.clock.forward(scene.after);
  const fill = (text: string) =>
    text.replace(/\{(\w+)\}/g, (whole, name) => (name in kept ? encodeURIComponent(kept[name]!) : whole));
  const send = scene.send === undefined ? undefined : JSON.parse(fill(JSON.stringify(scene.send)));
  const headers =
    scene.headers &&
    Object.fromEntries(Object.entries(scene.headers).map(([name, value]) => [name, fillRaw(value, kept)]));
  const answer = await setting.ask(scene.as, fill(scene.ask), send, headers);
  const told = `${title} as ${scene.as} → ${JSON.stringify(answer.body)}`;
  expect(answer.status, told).toBe(scene.expect);
  checkShape(scene, answer.status, answer.body, told);
  if (scene.ask.startsWith("GET ") && answer.status === 200)
    await checkKept(setting, scene, fill(scene.ask), answer, options);
  if (scene.reason) expect(answer.body.error.reason, told).toBe(scene.reason);
  if (scene.see !== undefined) checkPart(answer.body, scene.see, kept, title);
  for (const [name, wanted] of Object.entries(scene.seeHeaders ?? {})) {
    const value = answer.headers.get(name);
    if (typeof wanted === "function") expect(wanted(value), `${title}: header ${name} is ${value}`).toBe(true);
    else expect(value, `${title}: header ${name}`).toBe(fillRaw(wanted, kept));
  }
  for (const [name, path] of Object.entries(scene.keep ?? {})) {
    const value = partOf(answer, path);
    expect(typeof value, `${title}: nothing at ${path} to keep`).toBe("string");
    kept[name] = value as string;
  }
}

function partOf(answer: Answer, path: string | ((body: Answer["body"]) => string)): unknown {
  if (typeof path === "function") return path(answer.body);
  if (path === "etag") return answer.headers.get("etag");
  return path.split(".").reduce((at, part) => at?.[part], answer.body);
}

/** An answer that was kept is the one that a process would give which never answered before. */
async function checkKept(
  setting: Setting,
  scene: Scene,
  route: string,
  answer: Answer,
  options: DocsApiOptions,
): Promise<void> {
  // The places in a stream are sealed anew each time.
  if (answer.headers.get("content-type")?.startsWith("text/event-stream")) return;
  const { askWith } = open(setting.storage, { ...options, now: () => setting.clock.now });
  const token = scene.as && setting.tokens[scene.as];
  const headers = { ...scene.headers };
  for (const name of Object.keys(headers)) if (headers[name]!.includes("{")) return;
  for (const again of [
    await setting.ask(scene.as, route, undefined, headers),
    await askWith(token, route, undefined, headers),
  ]) {
    expect(again.body).toEqual(answer.body);
    expect(again.headers.get("etag")).toBe(answer.headers.get("etag"));
  }
}

function fillRaw(text: string, kept: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name) => kept[name] ?? whole);
}

/** Every answer has its declared shape, and no member that was not declared; every error has the one error shape. */
export function checkShape(scene: Pick<Scene, "ask">, status: number, body: unknown, told: string): void {
  if (status === 204 || status === 304) {
    expect(body, told).toBeUndefined();
    return;
  }
  if (status >= 400) {
    expect(v.safeParse(ErrorShape, body).issues, told).toBeUndefined();
    checkReason(operationAt(scene.ask), (body as { error: { reason: Reason } }).error.reason, told);
    return;
  }
  const { spec } = operationAt(scene.ask)!.definition;
  if (spec.returns === BinarySchema) return;
  const shape = spec.list ? listShape(spec.list, spec.extraFields?.entries) : spec.returns!;
  const parsed = v.safeParse(shape, body);
  expect(parsed.issues, told).toBeUndefined();
  expect(parsed.output, told).toEqual(body);
}

/** An operation refuses only for reasons that the reference lists. */
function checkReason(named: RegisteredOperation | undefined, reason: Reason, told: string): void {
  if (!named || named.definition.spec.forwardsRequest) return;
  expect(
    listReasons(named, guardOf(named) !== undefined),
    `src/openapi/reference/list-reasons.ts: ${named.name}: ${told}`,
  ).toContain(reason);
}

const ErrorShape = v.strictObject({
  error: v.strictObject({
    code: v.number(),
    message: v.pipe(v.string(), v.regex(/^[A-Z`].*\.$/)),
    reason: v.pipe(v.string(), v.regex(/^[a-z_]+$/)),
    issues: v.optional(v.array(v.strictObject({ path: v.string(), message: v.string() }))),
    requestId: v.string(),
  }),
});

function listShape(item: v.GenericSchema, beside: v.ObjectEntries | undefined): v.GenericSchema {
  return v.strictObject({
    next: v.optional(v.strictObject({ page: v.string() })),
    count: v.number(),
    ...beside,
    items: v.array(item),
  }) as v.GenericSchema;
}

function checkPart(actual: unknown, wanted: unknown, kept: Record<string, string>, at: string): void {
  if (typeof wanted === "function") expect(wanted(actual), `${at}: ${JSON.stringify(actual)}`).toBe(true);
  else if (typeof wanted === "string") expect(actual, at).toBe(fillRaw(wanted, kept));
  else if (Array.isArray(wanted)) {
    expect((actual as unknown[])?.length, `${at}: ${JSON.stringify(actual)}`).toBe(wanted.length);
    for (const [i, part] of wanted.entries()) checkPart((actual as unknown[])[i], part, kept, `${at}[${i}]`);
  } else if (typeof wanted === "object" && wanted !== null) {
    for (const [name, part] of Object.entries(wanted))
      checkPart((actual as Record<string, unknown>)?.[name], part, kept, `${at}.${name}`);
  } else expect(actual, at).toBe(wanted);
}
