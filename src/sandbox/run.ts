// One run: a script, an event, an answer. Time moves on in the run by the host's clock and by what was waited for,
// whichever is more, so that a run ends also where the clock stands still.

import { type Ability, abilities, member, STEPS_A_BYTE } from "./abilities";
import { failureBehind, failureOf, failureOfScript, Stop } from "./failure";
import { headersOf } from "./headers";
import { type HostAnswer, Instance, type Pointer } from "./instance";
import { Logs } from "./logs";
import { Outbound } from "./outbound";
import type { SandboxCall, SandboxFailure, SandboxHost, SandboxLimits, SandboxResponse, SandboxResult } from "./port";
import type { Template } from "./template";

const STEPS_A_CALL = 200;
const BYTES_A_STEP = 16;

export class Run {
  private readonly instance: Instance;
  private readonly enter: Pointer;
  private readonly outbound: Outbound;
  private readonly logs: Logs;
  private readonly abilities: ReadonlyMap<string, Ability>;
  private readonly began: number;
  private waited = 0;
  private wakeAt: number | undefined;
  private response: SandboxResponse | undefined;
  private isDone = false;

  constructor(
    engine: WebAssembly.Module,
    template: Template,
    private readonly limits: SandboxLimits,
    private readonly host: SandboxHost,
  ) {
    this.began = host.now().getTime();
    this.outbound = new Outbound(host.fetch, limits);
    this.logs = new Logs(limits, () => this.time());
    this.abilities = abilities(host.random);
    const around = {
      now: () => this.time(),
      isOver: () => this.time() >= this.deadline,
      call: (name: string, json: string, bytes: Uint8Array | undefined) => this.called(name, json, bytes),
    };
    this.enter = template.enter;
    this.instance = new Instance(engine, limits, around, template.image);
  }

  /** Runs a script to its answer. One that was given stands, whatever became of the work after it; but that is said. */
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

  /** The reason behind a failure: without memory there may be no error to throw and nobody to settle a promise, and the end
   * of time looks like an error from inside. */
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

  private called(name: string, json: string, bytes: Uint8Array | undefined): HostAnswer {
    const size = json.length + (bytes?.length ?? 0);
    this.instance.charge(STEPS_A_CALL + size / BYTES_A_STEP + size * (STEPS_A_BYTE[name] ?? 0));
    const value: unknown = parsed(json);
    const ability = this.abilities.get(name);
    if (ability) return ability(value, bytes ?? new Uint8Array());
    if (name === "log") this.logs.add(value);
    else if (name === "wake") this.wakeAt = typeof value === "number" ? value : undefined;
    else if (name === "fetch") this.outbound.begin(value, bytes);
    else if (name === "abort") this.outbound.abort(value);
    else if (name === "answer") this.response = this.answered(value, bytes ?? new Uint8Array());
    else if (name === "done") this.isDone = true;
    else if (name === "fail") throw new Stop(failureSaid(value));
    return undefined;
  }

  private answered(value: unknown, body: Uint8Array): SandboxResponse {
    const { answerBytes, headerBytes } = this.limits;
    const status = member(value, "status");
    if (body.length > answerBytes) throw new Stop(failureOf("too_much_output"));
    if (!Number.isInteger(status) || (status as number) < 200 || (status as number) > 599)
      throw new Stop(failureOf("invalid_response"));
    const headers = headersOf(member(value, "headers"), headerBytes);
    if (!headers) throw new Stop(failureOf("invalid_response", "The headers of the script's answer cannot be sent."));
    return { status: status as number, headers, body };
  }
}

/** What came as JSON; undefined when it is none, since a script may have got hold of anything. */
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
