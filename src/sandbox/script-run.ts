// One run: a script, an event, an answer. Time in the run is the host's clock or the time that was waited for,
// whichever is more. So a run also ends where the clock stands still.

import { failureBehind, failureOf, failureOfScript, Stop } from "./failure";
import { type Ability, abilities, costOf, costOfAnswer, member } from "./host-functions";
import { type HostAnswer, Instance, type Pointer } from "./instance";
import { Locale } from "./intl";
import { Logs } from "./logs";
import type { SandboxLimits } from "./options";
import type { Requests } from "./outbound-requests";
import type { SandboxCall, SandboxFailure, SandboxHost, SandboxResponse, SandboxResult } from "./port";
import { Subtle } from "./subtle-crypto";
import type { Template } from "./template";
import { headersOf } from "./untrusted";

export class Run {
  private readonly instance: Instance;
  private readonly enter: Pointer;
  private readonly logs: Logs;
  private readonly subtle = new Subtle((steps) => this.instance.charge(steps));
  private readonly locale = new Locale((steps) => this.instance.charge(steps));
  /** Everything that the world can ask of the host, by name. */
  readonly calls: ReadonlyMap<string, Ability>;
  private readonly began: number;
  private waited = 0;
  private wakeAt: number | undefined;
  private response: SandboxResponse | undefined;
  private isDone = false;

  constructor(
    engine: WebAssembly.Module,
    template: Template,
    private readonly limits: SandboxLimits,
    private readonly host: Omit<SandboxHost, "fetch">,
    private readonly outbound: Requests,
  ) {
    this.began = host.now().getTime();
    this.logs = new Logs(limits, () => this.time());
    this.calls = this.everyCall();
    const around = {
      now: () => this.time(),
      isOver: () => this.time() >= this.deadline,
      call: (name: string, json: string, bytes: Uint8Array | undefined) => this.called(name, json, bytes),
    };
    this.enter = template.enter;
    this.instance = new Instance(engine, limits, around, template.image);
  }

  /** Runs a script to its answer. An answer stays valid even if later work fails; the failure is logged. */
  async answer(script: string, { request, env }: SandboxCall): Promise<SandboxResult> {
    const { method, url, headers, body } = request;
    const failure = await this.finish(() => {
      const json = this.instance.text(JSON.stringify({ request: { method, url, headers }, env: env ?? null }));
      const bytes = body === null ? this.instance.undefined : this.instance.buffer(body);
      this.evaluate(script, (module) => this.wish("start", module, json, bytes));
    });
    const { response } = this;
    if (!response) return { failure: failure ?? failureOf("unanswered"), logs: this.logs.all() };
    if (failure) this.logs.write("error", `After the answer: ${failure.message}`);
    return { response, logs: this.logs.all() };
  }

  /** Evaluates a script without calling it; the failure says what is wrong with it. */
  check(script: string): Promise<SandboxFailure | undefined> {
    return this.finish(() => this.evaluate(script, (module) => this.wish("check", module)));
  }

  private get deadline(): number {
    return this.began + this.limits.milliseconds;
  }

  private time(): number {
    return Math.max(this.host.now().getTime(), this.began + this.waited);
  }

  private async finish(begin: () => void): Promise<SandboxFailure | undefined> {
    try {
      begin();
      await this.goOn();
      return this.isDone ? undefined : this.explained(failureOf("unanswered"));
    } catch (error) {
      return this.explained(failureBehind(error, this.instance.stepsLeft >= 0n));
    } finally {
      this.outbound.end();
    }
  }

  /** The reason of a failure. Without memory there may be no error to throw and no promise to settle. The end of the
   * time looks like an error from inside. */
  private explained(failure: SandboxFailure): SandboxFailure {
    const isVague =
      failure.kind === "unanswered" || (failure.kind === "script_error" && /^(null|)$/.test(failure.message));
    if (isVague && this.instance.wasRefusedMemory) return failureOf("memory");
    if (failure.kind === "script_error" && this.time() >= this.deadline) return failureOf("timeout");
    return failure.message === "" ? failureOf(failure.kind) : failure;
  }

  private evaluate(script: string, then: (module: Pointer) => void): void {
    const { value, error } = this.instance.evaluate(script, "script.js", "module");
    if (error === undefined) then(value);
    else this.blame(error, "refuse");
  }

  /** Lets the world describe an error, and stops. */
  private blame(error: Pointer, wish: "fail" | "refuse"): never {
    this.instance.spare();
    this.wish(wish, error);
    throw new Stop(failureOf("script_error", ""));
  }

  private wish(name: string, ...args: Pointer[]): void {
    const { error } = this.instance.call(this.enter, [this.instance.text(name), ...args]);
    if (error !== undefined) throw new Stop(failureOf("script_error", ""));
  }

  private async goOn(): Promise<void> {
    for (;;) {
      const error = this.instance.runJobs();
      if (error !== undefined) this.blame(error, "fail");
      if (this.isDone) return;
      const settled = this.outbound.take();
      for (const { json, bytes } of settled) this.settle(json, bytes);
      if (settled.length > 0) continue;
      if (this.wakeAt !== undefined && this.wakeAt <= this.time()) {
        this.wish("wake");
        continue;
      }
      const computed = await this.subtle.next();
      if (computed) {
        this.settle(computed.json, computed.bytes);
        continue;
      }
      if (!this.outbound.isBusy && this.wakeAt === undefined) return;
      await this.wait(Math.min(this.wakeAt ?? this.deadline, this.deadline));
      if (this.time() >= this.deadline) throw new Stop(failureOf("timeout"));
    }
  }

  private settle(json: string, bytes: Uint8Array | undefined): void {
    const { undefined: nothing } = this.instance;
    this.wish("settle", nothing, this.instance.text(json), bytes ? this.instance.buffer(bytes) : nothing);
  }

  /** Waits for a moment, or until a request has ended. */
  private async wait(until: number): Promise<void> {
    const milliseconds = Math.max(until - this.time(), 1);
    const stop = new AbortController();
    const pause = (this.host.wait ?? pauseFor)(milliseconds, stop.signal).then(() => {
      if (!stop.signal.aborted) this.waited += milliseconds;
    });
    await Promise.race([pause, this.outbound.ended()]);
    stop.abort();
  }

  /** Work of the host while the script waits is charged like the script's own work, and ends with its time. */
  private called(name: string, json: string, bytes: Uint8Array | undefined): HostAnswer {
    this.instance.charge(costOf(name, json, bytes));
    this.checkTime();
    const answer = this.calls.get(name)?.(parsed(json), bytes);
    this.instance.charge(costOfAnswer(name, answer));
    this.checkTime();
    return answer;
  }

  private checkTime(): void {
    if (this.time() >= this.deadline) throw new Stop(failureOf("timeout"));
  }

  /** Everything that the world can ask of the host, by name. */
  private everyCall(): ReadonlyMap<string, Ability> {
    return new Map<string, Ability>([
      ...abilities(this.host.random),
      ["intl", (value) => this.locale.answer(value)],
      ["origin", () => JSON.stringify(this.began)],
      ["subtle", (value, bytes) => void this.subtle.begin(value, bytes ?? new Uint8Array())],
      ["log", (value) => void this.logs.add(value)],
      ["wake", (value) => void this.wakeUpAt(value)],
      ["fetch", (value, bytes) => void this.outbound.begin(value, bytes)],
      ["abort", (value) => void this.outbound.abort(value)],
      ["answer", (value, bytes) => void this.answered(value, bytes ?? new Uint8Array())],
      ["done", () => void this.end()],
      ["fail", (value) => this.fail(value)],
    ]);
  }

  private wakeUpAt(value: unknown): void {
    this.wakeAt = typeof value === "number" ? value : undefined;
  }

  private end(): void {
    this.isDone = true;
  }

  private fail(value: unknown): never {
    throw new Stop(failureSaid(value));
  }

  private answered(value: unknown, body: Uint8Array): void {
    const { answerBytes, headerBytes } = this.limits;
    const status = member(value, "status");
    if (body.length > answerBytes) throw new Stop(failureOf("too_much_output"));
    if (!Number.isInteger(status) || (status as number) < 200 || (status as number) > 599)
      throw new Stop(failureOf("invalid_response"));
    const headers = headersOf(member(value, "headers"), headerBytes);
    if (!headers) throw new Stop(failureOf("invalid_response", "The headers of the script's answer cannot be sent."));
    this.response = { status: status as number, headers, body };
  }
}

/** The value of a JSON text; undefined when it is invalid, because a script may have replaced anything. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function failureSaid(value: unknown): SandboxFailure {
  const text = (name: string) => String(member(value, name) ?? "");
  const said = member(value, "kind");
  const kind = said === "invalid_script" || said === "invalid_response" ? said : "script_error";
  return failureOfScript(kind, { name: text("name"), message: text("message"), stack: text("stack") });
}

function pauseFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
