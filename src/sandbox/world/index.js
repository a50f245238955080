// The world of one event: what a script finds in the sandbox, and how the host enters it. Nothing here is trusted by the
// host: a script may replace all of it, and harms itself alone.

import { AbortController, AbortSignal } from "./abort.js";
import { Blob, File } from "./blob.js";
import { readBytes } from "./body.js";
import { atob, btoa, exactly, TextDecoder, TextEncoder } from "./bytes.js";
import { console, shown } from "./console.js";
import { Crypto, CryptoKey, crypto, SubtleCrypto } from "./crypto.js";
import { CustomEvent, Event, EventTarget } from "./events.js";
import { DOMException } from "./exceptions.js";
import { fetch } from "./fetch.js";
import { FormData } from "./form-data.js";
import { Headers } from "./headers.js";
import { ask, connect } from "./host.js";
import { giveLocales, languages } from "./intl.js";
import { Request } from "./request.js";
import { Response } from "./response.js";
import { giveStacks } from "./stack.js";
import { streams } from "./streams.js";
import { structuredClone } from "./structured-clone.js";
import { navigator, Performance, performance, process } from "./surroundings.js";
import { clearTimeout, runTimers, setInterval, setTimeout } from "./timers.js";
import { URL } from "./url.js";
import { URLSearchParams } from "./url-search-params.js";
import { settle } from "./waiting.js";

const classes = {
  AbortController,
  AbortSignal,
  Blob,
  Crypto,
  CryptoKey,
  CustomEvent,
  DOMException,
  Event,
  EventTarget,
  File,
  FormData,
  Headers,
  Performance,
  Request,
  Response,
  SubtleCrypto,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
  ...streams,
};

const globals = {
  ...classes,
  Intl: languages,
  atob,
  btoa,
  clearInterval: clearTimeout,
  clearTimeout,
  console,
  crypto,
  fetch,
  navigator,
  performance,
  process,
  queueMicrotask(run) {
    if (typeof run !== "function") throw new TypeError("queueMicrotask takes a function.");
    Promise.resolve().then(run).catch(report);
  },
  self: globalThis,
  setInterval,
  setTimeout,
  structuredClone,
};

const { parse } = JSON;

/** Makes the world, and gives the function by which the host enters it. */
export function open(host) {
  connect(host);
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  for (const [name, { prototype }] of Object.entries(classes))
    Object.defineProperty(prototype, Symbol.toStringTag, { value: name, configurable: true });
  giveStacks();
  giveLocales();
  delete globalThis.SharedArrayBuffer;
  Math.random = random;
  return enter;
}

/** What the host wants: a script checked or started, something settled that it was asked for, timers run, or an error described, which the script
 * threw or which kept it from being one. */
function enter(wish, value, json, bytes) {
  if (wish === "check")
    check(value)
      .then(() => ask("done"))
      .catch((error) => fail(error));
  else if (wish === "start") start(value, parse(json), bytes).catch((error) => fail(error));
  else if (wish === "settle") settle(parse(json), bytes);
  else if (wish === "wake") runTimers(report);
  else if (wish === "fail") fail(value);
  else if (wish === "refuse") fail(value, "invalid_script");
}

async function check(module) {
  const script = (await module).default;
  if (typeof script?.fetch === "function") return script;
  ask("fail", { kind: "invalid_script", message: "The script has no default export with a function `fetch`." });
  return undefined;
}

async function start(module, { request, env }, bytes) {
  const script = await check(module);
  if (script === undefined) return;
  const { url, method, headers } = request;
  const waiting = [];
  const context = {
    waitUntil(work) {
      waiting.push(Promise.resolve(work).catch(report));
    },
    passThroughOnException() {},
  };
  const body = bytes === undefined ? null : bytes;
  const response = await script.fetch(new Request(url, { method, headers, body }), env, context);
  if (!(response instanceof Response)) {
    ask("fail", { kind: "invalid_response", message: "The script did not answer with a Response." });
    return;
  }
  const answer = { status: response.status, headers: [...response.headers] };
  const content = await readBytes(response);
  ask("answer", answer, content === null ? undefined : exactly(content));
  // Whoever waits may let the host wait for more.
  for (let at = 0; at < waiting.length; at++) await waiting[at];
  ask("done");
}

function fail(error, kind = "script_error") {
  ask("fail", { kind, ...described(error) });
}

function described(error) {
  try {
    if (!(error instanceof Error)) return { name: "", message: shown(error), stack: "" };
    const { name, message, stack } = error;
    return { name: `${name}`, message: `${message}`, stack: typeof stack === "string" ? stack : "" };
  } catch {
    return { name: "", message: "[cannot be shown]", stack: "" };
  }
}

function report(error) {
  console.error(error);
}

let pool = [];

/** A number of the host's randomness, not of the engine's, which is the time. */
function random() {
  if (pool.length === 0) pool = [...new Uint32Array(ask("random", 512))];
  return (pool.pop() * 2 ** 21 + (pool.pop() >>> 11)) / 2 ** 53;
}
