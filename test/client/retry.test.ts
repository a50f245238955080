// When a call is sent again, and how long is waited before it.

import { describe, expect, test } from "vitest";
import { CallError, type CallErrorDetails, type CallReason } from "../../src/client/call-error";
import { callWithRetries, systemEnvironment } from "../../src/client/retry";
import type { ClientRoute } from "../../src/client/route";

const failing = (reason: CallReason, details: CallErrorDetails = {}) => new CallError(reason, "It failed.", details);

/** Runs attempts that fail with this error; gives how many there were and the pauses between them. */
async function tried(
  error: Error,
  repeats: ClientRoute["retryMode"],
  { retries = 3, until = Number.POSITIVE_INFINITY, chance = 1 } = {},
) {
  const pauses: number[] = [];
  let attempts = 0;
  const around = { wait: async (ms: number) => void pauses.push(ms), random: () => chance, now: () => 0 };
  const attempt = async () => {
    attempts++;
    throw error;
  };
  const signal = new AbortController().signal;
  await expect(callWithRetries(attempt, repeats, { retries, until, signal }, around)).rejects.toBe(error);
  return { attempts, pauses };
}

describe("retries", () => {
  const cases: readonly (readonly [what: string, error: Error, read: number, keyed: number, once: number])[] = [
    ["a connection that failed", failing("network"), 4, 4, 1],
    ["a limit of requests, which nothing passed", failing("rate_limited", { status: 429 }), 4, 4, 4],
    ["a storage that is busy, and changed nothing", failing("unavailable", { status: 503 }), 4, 4, 4],
    ["an outcome that is not known", failing("outcome_unknown", { status: 503 }), 4, 4, 1],
    ["a proxy that reaches no server", failing("not_json", { status: 502 }), 4, 4, 1],
    ["a proxy that is busy", failing("not_json", { status: 503 }), 4, 4, 1],
    ["a page in place of the API", failing("not_json", { status: 200 }), 1, 1, 1],
    ["a refusal", failing("forbidden", { status: 403 }), 1, 1, 1],
    ["an error of the server's own", failing("internal", { status: 500 }), 1, 1, 1],
    ["another host that the API could not reach", failing("fetch_failed", { status: 502 }), 1, 1, 1],
    ["an end by the caller", failing("aborted"), 1, 1, 1],
    ["an end by the clock", failing("timeout"), 1, 1, 1],
    ["a mistake of our own", new TypeError("not ours"), 1, 1, 1],
  ];

  test.each(cases)(
    "a call is sent again after %s only if a second effect is impossible",
    async (_, error, read, keyed, once) => {
      expect((await tried(error, "read")).attempts).toBe(read);
      expect((await tried(error, "keyed")).attempts).toBe(keyed);
      expect((await tried(error, "once")).attempts).toBe(once);
    },
  );
});

describe("the delay between attempts", () => {
  test("the delay grows with a random part", async () => {
    expect((await tried(failing("network"), "read", { chance: 0 })).pauses).toEqual([125, 250, 500]);
    expect((await tried(failing("network"), "read", { chance: 1 })).pauses).toEqual([250, 500, 1000]);
  });

  test("the delay is at most eight seconds if the server asks for none", async () => {
    const { pauses } = await tried(failing("network"), "read", { retries: 20 });
    expect(Math.max(...pauses)).toBe(8000);
  });

  test("the delay is as long as the server asks, plus a little", async () => {
    const error = failing("rate_limited", { status: 429, retryAfter: 3 });
    expect((await tried(error, "read", { retries: 1, chance: 0 })).pauses).toEqual([3000]);
    expect((await tried(error, "read", { retries: 1, chance: 1 })).pauses).toEqual([3250]);
  });

  test("a delay that would exceed the time limit is not begun", async () => {
    const error = failing("unavailable", { status: 503, retryAfter: 60 });
    expect(await tried(error, "read", { until: 60_000 })).toEqual({ attempts: 1, pauses: [] });
  });

  test("a delay ends when the caller aborts", async () => {
    const controller = new AbortController();
    const waiting = systemEnvironment.wait(2 ** 31 - 1, controller.signal);
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    await expect(systemEnvironment.wait(2 ** 31 - 1, controller.signal)).rejects.toThrow("enough");
    await systemEnvironment.wait(0, new AbortController().signal);
  });
});

test("no attempt follows a successful one", async () => {
  const answers = [failing("network"), failing("network"), "here"];
  const attempt = async () => {
    const answer = answers.shift()!;
    if (typeof answer === "string") return answer;
    throw answer;
  };
  const around = { wait: async () => {}, random: () => 0, now: () => 0 };
  const limits = { retries: 5, until: 1000, signal: new AbortController().signal };
  expect(await callWithRetries(attempt, "read", limits, around)).toBe("here");
});
