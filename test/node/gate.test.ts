// Who is let in by the Node door when there is more to do than the process can.

import { nodeHandler } from "octavo/node";
import { describe, expect, test } from "vitest";
import { AdmissionGate, type AdmissionGateOptions, type GatedRequest } from "../../src/node/admission-gate";
import { until } from "../support/patience";
import { dial, docs, portOf, serve } from "./servers";

/** A gate with a clock of its own, and visitors whose beginning takes a while. */
function stand(most: AdmissionGateOptions = {}) {
  let time = 0;
  let turn: (() => void)[] = [];
  const paused = { isAnybody: false };
  const turns = {
    now: () => time,
    afterTurn: (act: () => void) => void turn.push(act),
    hasPausedTasks: () => paused.isAnybody,
  };
  const gate = new AdmissionGate({ maxConcurrent: 100, maxQueued: 100, maxBytes: 1000, ...most }, turns);
  const told: string[] = [];
  const inside: GatedRequest[] = [];
  return {
    gate,
    told,
    paused,
    /** Who has begun, the first one first. */
    inside,
    come(name: string, takes = 0) {
      const visitor: GatedRequest = {
        begin: () => {
          time += takes;
          inside.push(visitor);
          told.push(`${name} begins`);
        },
        refuse: () => void told.push(`${name} is refused`),
      };
      gate.enter(visitor);
      return visitor;
    },
    /** The turn is over, and the next one begins after so long. */
    next(after = 0) {
      time += after;
      const acts = turn;
      turn = [];
      for (const act of acts) act();
    },
  };
}

describe("the admission gate", () => {
  test("the gate starts requests until the time of this turn is used up, and the rest in later turns, in order", () => {
    const { come, next, told } = stand();
    for (const name of ["a", "b", "c", "d"]) come(name, 6);
    expect(told).toEqual(["a begins", "b begins"]);
    next();
    expect(told).toEqual(["a begins", "b begins", "c begins", "d begins"]);
    come("e", 6);
    expect(told).toHaveLength(4);
    next();
    expect(told.at(-1)).toBe("e begins");
  });

  test("the gate admits a number at once, and the next one when a request ends", () => {
    const { gate, come, next, told } = stand({ maxConcurrent: 1 });
    const first = come("a");
    come("b");
    next();
    expect(told).toEqual(["a begins"]);
    gate.leave(first);
    next();
    expect(told).toEqual(["a begins", "b begins"]);
  });

  test("the gate does not count requests that have run for more than a second", () => {
    const { come, next, told } = stand({ maxConcurrent: 1 });
    come("a");
    next(1001);
    come("b");
    expect(told).toEqual(["a begins", "b begins"]);
  });

  /** Twenty come at once, and nobody leaves. Gives how many are inside after each turn, of such a length. */
  function insideAfter(turns: readonly number[], isPaused = false) {
    const { come, next, inside, paused } = stand();
    paused.isAnybody = isPaused;
    for (let at = 0; at < 20; at++) come(`${at}`);
    return turns.map((length) => {
      next(length);
      return inside.length;
    });
  }

  test("the gate starts one request a turn while turns are long and a few requests run", () => {
    expect(insideAfter([20, 20, 20])).toEqual([17, 18, 19]);
  });

  test("the gate starts the others after it has seen one complete short turn", () => {
    // Of the first one it saw the end alone.
    expect(insideAfter([1, 1])).toEqual([17, 20]);
  });

  test("the gate starts one request a turn while long work is waiting, however short the turns are", () => {
    expect(insideAfter([1, 1, 1], true)).toEqual([17, 18, 19]);
  });

  test("the gate does not count requests that wait for a body", () => {
    const { gate, come, next, inside } = stand();
    for (let at = 0; at < 16; at++) gate.leave(come(`${at}`));
    for (let at = 0; at < 16; at++) come(`${at} too`);
    expect(inside).toHaveLength(32);
    for (const sender of inside.slice(0, 16)) gate.reenter(sender);
    for (const name of ["a", "b"]) come(name);
    next(20);
    next(20);
    expect(inside).toHaveLength(34);
  });

  test("the gate refuses requests when the queue is full", () => {
    const { come, told } = stand({ maxConcurrent: 1, maxQueued: 1 });
    for (const name of ["a", "b", "c"]) come(name);
    expect(told).toEqual(["a begins", "c is refused"]);
  });

  test("the gate lets a burst wait for one second and no longer", () => {
    const { gate, come, next, told } = stand({ maxConcurrent: 1 });
    const first = come("a");
    come("b");
    next(900);
    expect(told).toEqual(["a begins"]);
    gate.leave(first);
    next();
    expect(told).toEqual(["a begins", "b begins"]);
    come("c");
    next(950);
    next(60);
    // By then b is inside for more than a second, and does not count.
    expect(told).toEqual(["a begins", "b begins", "c is refused"]);
  });

  test("the gate refuses earlier while the queue never empties, and is patient again afterward", () => {
    const { gate, come, next, told, inside } = stand({ maxConcurrent: 1 });
    // Two come while one is served.
    for (let at = 1; at <= 100; at++) {
      come(`${at}`);
      come(`${at} too`);
      next(20);
      gate.leave(inside.shift()!);
      next();
    }
    const refusedFirst = told.findIndex((it) => it.endsWith("refused"));
    // For a second nobody is refused. Then each turn refuses, and still serves one.
    expect(refusedFirst).toBeGreaterThan(45);
    const late = told.slice(-40);
    expect(late.filter((it) => it.endsWith("begins")).length).toBeGreaterThan(15);
    expect(late.filter((it) => it.endsWith("refused")).length).toBeGreaterThan(15);
    next(2000);
    for (const visitor of inside.splice(0)) gate.leave(visitor);
    next();
    for (const visitor of inside.splice(0)) gate.leave(visitor);
    told.length = 0;
    const last = come("last");
    come("waits");
    next(500);
    gate.leave(last);
    next();
    expect(told).toEqual(["last begins", "waits begins"]);
  });

  test("the gate holds a number of bytes, and one larger body when it holds nothing else", () => {
    const { gate } = stand({ maxBytes: 100 });
    expect(gate.tryReserveBytes(200)).toBe(true);
    expect(gate.tryReserveBytes(1)).toBe(false);
    gate.releaseBytes(200);
    expect([gate.tryReserveBytes(60), gate.tryReserveBytes(60)]).toEqual([true, false]);
    gate.reserveBytes(60);
    gate.releaseBytes(60);
    expect(gate.tryReserveBytes(40)).toBe(true);
  });
});

describe("an overloaded server", () => {
  test("an overloaded server answers 503 with Retry-After, finishes what it accepted, and answers probes", async () => {
    const { api, organization, authorization } = await docs();
    const held: (() => void)[] = [];
    const slow = {
      handle: async (request: Parameters<typeof api.handle>[0]) => {
        if (request.url.endsWith("?slow")) await new Promise<void>((resolve) => held.push(resolve));
        return api.handle(request);
      },
    };
    const origin = await serve(nodeHandler(slow, { load: { maxConcurrent: 1, maxQueued: 0 } }));
    const get = (path: string) => fetch(origin + path, { headers: { authorization } });
    const first = get(`/v1/orgs/${organization}?slow`);
    await until(() => expect(held.length).toBe(1));
    const refused = await get(`/v1/orgs/${organization}`);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await refused.json()).toMatchObject({ error: { code: 503, reason: "overloaded" } });
    expect((await get("/v1/health")).status).toBe(200);
    held[0]!();
    // The query is one that the operation does not know.
    expect((await first).status).toBe(400);
    expect((await get(`/v1/orgs/${organization}`)).status).toBe(200);
  });

  test.each([
    ["whose length is told", (bytes: number) => [`content-length: ${bytes}`], (text: string) => text],
    [
      "that comes in pieces",
      () => ["transfer-encoding: chunked"],
      (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`,
    ],
  ])(
    "a body %s is refused when too many bytes are held, and accepted when they are released",
    async (_, lengthOf, sent) => {
      const { api, authorization } = await docs();
      const port = portOf(await serve(nodeHandler(api, { load: { maxBytes: 100_000 } })));
      const text = JSON.stringify({ title: "x", emoji: "y".repeat(70_000) });
      const head = ["POST /v1/orgs HTTP/1.1", "host: x", `authorization: ${authorization}`];
      const type = "content-type: application/json";
      const first = dial(port);
      first.head(...head, type, `content-length: ${text.length}`);
      first.socket.write(text.slice(0, -1));
      await until(async () => {
        const second = dial(port);
        second.head(...head, type, ...lengthOf(text.length), "connection: close");
        second.socket.write(sent(text));
        expect(await second.receives("\r\n\r\n")).toMatch(/^HTTP\/1.1 503 .*retry-after: 1/is);
        second.socket.destroy();
      });
      first.socket.write(text.slice(-1));
      expect(await first.receives("\r\n\r\n")).toMatch(/^HTTP\/1.1 400 /);
      const third = dial(port);
      third.head(...head, type, ...lengthOf(text.length), "connection: close");
      third.socket.write(sent(text));
      expect(await third.receives("\r\n\r\n")).toMatch(/^HTTP\/1.1 400 /);
    },
  );

  test("a read with a long response is refused while clients do not drain theirs, and short responses and small bodies are not", async () => {
    const { api, organization, authorization } = await docs();
    const long = "x".repeat(8 * 1024 * 1024);
    const both = {
      handle: async (request: Parameters<typeof api.handle>[0]) =>
        request.url === "/long" ? { status: 200, headers: {}, body: long } : api.handle(request),
    };
    const origin = await serve(nodeHandler(both, { load: { maxBytes: 9 * 1024 * 1024 } }));
    const slow = dial(portOf(origin));
    slow.head("GET /long HTTP/1.1", "host: x");
    slow.socket.pause();
    const get = (path: string, method = "GET") => fetch(origin + path, { method, headers: { authorization } });
    const refused = await until(async () => {
      const response = await get("/long");
      const text = await response.text();
      expect(response.status).toBe(503);
      return { response, text };
    });
    expect(refused.response.headers.get("retry-after")).toBe("1");
    expect(JSON.parse(refused.text)).toMatchObject({ error: { code: 503, reason: "overloaded" } });
    expect((await get("/long", "HEAD")).headers.get("content-length")).toBe(String(long.length));
    expect((await get(`/v1/orgs/${organization}`)).status).toBe(200);
    const body = JSON.stringify({ title: "Another" });
    const headers = { authorization, "content-type": "application/json" };
    expect((await fetch(`${origin}/v1/orgs`, { method: "POST", headers, body })).status).toBe(201);
    slow.socket.resume();
    // What was taken is finished, and leaves room for the next one.
    await until(async () => {
      const response = await get("/long");
      expect([response.status, (await response.text()).length]).toEqual([200, long.length]);
    });
  });
});
