// One run: a script, an event, a response. The time of a run is the host's clock, or the time that the run has waited if
// that is more. So a run also ends where the clock stands still.

import { tryParseJson } from "../utils/json";
import { createFailure, SandboxError } from "./failure";
import { createHostFunctions, getCallSteps, getResultSteps, type HostFunction } from "./host-functions";
import { EngineInstance, type HostResult, type Pointer } from "./instance";
import { IntlFunctions } from "./intl";
import type { OutboundRequests } from "./outbound-requests";
import type {
  LogLine,
  SandboxCall,
  SandboxFailure,
  SandboxHost,
  SandboxLimits,
  SandboxResponse,
  SandboxResult,
} from "./port";
import { SubtleCryptoQueue } from "./subtle-crypto";
import type { WorldTemplate } from "./template";
import { getMember, parseHeaders } from "./untrusted";

export class ScriptRun {
  /** Every function of the host that the world can call, by name. */
  readonly hostFunctions: ReadonlyMap<string, HostFunction>;
  private readonly instance: EngineInstance;
  private readonly enter: Pointer;
  private readonly log: ScriptLog;
  private readonly subtleCrypto = new SubtleCryptoQueue((steps) => this.instance.charge(steps));
  private readonly startedAt: number;
  private waitedMs = 0;
  private wakeAt: number | undefined;
  private response: SandboxResponse | undefined;
  private isDone = false;

  constructor(
    engine: WebAssembly.Module,
    template: WorldTemplate,
    private readonly limits: SandboxLimits,
    private readonly host: Omit<SandboxHost, "fetch">,
    private readonly requests: OutboundRequests,
  ) {
    this.startedAt = host.now().getTime();
    this.log = new ScriptLog(limits, () => this.getTime());
    const intl = new IntlFunctions((steps) => this.instance.charge(steps));
    this.hostFunctions = new Map<string, HostFunction>([
      ...createHostFunctions(host.random),
      ["intl", (value) => intl.call(value)],
      ["origin", () => JSON.stringify(this.startedAt)],
      ["subtle", (value, bytes) => void this.subtleCrypto.enqueue(value, bytes ?? new Uint8Array())],
      ["log", (value) => void this.log.add(value)],
      [
        "wake",
        (value) => {
          this.wakeAt = typeof value === "number" ? value : undefined;
        },
      ],
      ["fetch", (value, bytes) => void requests.begin(value, bytes)],
      ["abort", (value) => void requests.abort(value)],
      ["answer", (value, bytes) => void this.setResponse(value, bytes ?? new Uint8Array())],
      [
        "done",
        () => {
          this.isDone = true;
        },
      ],
      ["fail", (value) => this.fail(value)],
    ]);
    this.enter = template.enter;
    const engineHost = {
      now: () => this.getTime(),
      isOver: () => this.getTime() >= this.deadline,
      call: (name: string, json: string, bytes: Uint8Array | undefined) => this.callHostFunction(name, json, bytes),
    };
    this.instance = new EngineInstance(engine, limits, engineHost, template.image);
  }

  /** Calls a script with an event. A response stays valid even if later work fails; the failure is logged. */
  async call(script: string, { request, env }: SandboxCall): Promise<SandboxResult> {
    const { method, url, headers, body } = request;
    const failure = await this.runToEnd(() => {
      const json = this.instance.createString(JSON.stringify({ request: { method, url, headers }, env: env ?? null }));
      const bytes = body === null ? this.instance.undefinedValue : this.instance.createArrayBuffer(body);
      this.enterWorld("start", this.evaluateScript(script), json, bytes);
    });
    const { response } = this;
    if (!response) return { failure: failure ?? createFailure("unanswered"), logs: this.log.finish() };
    if (failure) this.log.write("error", `After the answer: ${failure.message}`);
    return { response, logs: this.log.finish() };
  }

  /** Evaluates a script without calling it. Returns the failure of an invalid script. */
  check(script: string): Promise<SandboxFailure | undefined> {
    return this.runToEnd(() => this.enterWorld("check", this.evaluateScript(script)));
  }

  private get deadline(): number {
    return this.startedAt + this.limits.milliseconds;
  }

  private getTime(): number {
    return Math.max(this.host.now().getTime(), this.startedAt + this.waitedMs);
  }

  private async runToEnd(begin: () => void): Promise<SandboxFailure | undefined> {
    try {
      begin();
      await this.runJobs();
      return this.isDone ? undefined : this.explainFailure(createFailure("unanswered"));
    } catch (error) {
      let failure: SandboxFailure;
      if (error instanceof SandboxError) failure = error.failure;
      else if (this.instance.stepsLeft < 0n) failure = createFailure("cpu");
      else {
        // The engine checks its own stack too late where its native functions call themselves.
        const isStackOverflow =
          error instanceof RangeError || (error instanceof Error && error.name === "InternalError");
        failure = createFailure(isStackOverflow ? "stack" : "crashed");
      }
      return this.explainFailure(failure);
    } finally {
      this.requests.end();
    }
  }

  /**
   * Replaces a vague failure by its reason. Without memory there may be no error to throw and no promise to settle, and
   * the end of the time looks like an error from inside.
   */
  private explainFailure(failure: SandboxFailure): SandboxFailure {
    const isVague =
      failure.kind === "unanswered" || (failure.kind === "script_error" && /^(null|)$/.test(failure.message));
    if (isVague && this.instance.hasRefusedMemory) return createFailure("memory");
    if (failure.kind === "script_error" && this.getTime() >= this.deadline) return createFailure("timeout");
    return failure.message === "" ? createFailure(failure.kind) : failure;
  }

  private evaluateScript(script: string): Pointer {
    const { value, error } = this.instance.evaluate(script, "script.js", "module");
    return error === undefined ? value : this.reportError(error, "refuse");
  }

  /** Lets the world describe an error, and ends the run. */
  private reportError(error: Pointer, command: "fail" | "refuse"): never {
    this.instance.releaseReserve();
    this.enterWorld(command, error);
    throw new SandboxError(createFailure("script_error", ""));
  }

  private enterWorld(command: string, ...args: Pointer[]): void {
    const { error } = this.instance.call(this.enter, [this.instance.createString(command), ...args]);
    if (error !== undefined) throw new SandboxError(createFailure("script_error", ""));
  }

  /** Runs jobs, timers and the results of requests until the run is done, or nothing is left to wait for. */
  private async runJobs(): Promise<void> {
    for (;;) {
      const error = this.instance.runPendingJobs();
      if (error !== undefined) this.reportError(error, "fail");
      if (this.isDone) return;

      const settledRequests = this.requests.takeSettled();
      for (const { json, bytes } of settledRequests) this.settle(json, bytes);
      if (settledRequests.length > 0) continue;

      if (this.wakeAt !== undefined && this.wakeAt <= this.getTime()) {
        this.enterWorld("wake");
        continue;
      }

      const operation = await this.subtleCrypto.runNext();
      if (operation) {
        this.settle(operation.json, operation.bytes);
        continue;
      }

      if (!this.requests.isBusy && this.wakeAt === undefined) return;
      // Wait for the next timer, the deadline, or a request.
      const waitMs = Math.max(Math.min(this.wakeAt ?? this.deadline, this.deadline) - this.getTime(), 1);
      const controller = new AbortController();
      const timer = (this.host.wait ?? waitWithTimer)(waitMs, controller.signal).then(() => {
        if (!controller.signal.aborted) this.waitedMs += waitMs;
      });
      await Promise.race([timer, this.requests.waitForSettled()]);
      controller.abort();
      this.checkDeadline();
    }
  }

  private settle(json: string, bytes: Uint8Array | undefined): void {
    const { undefinedValue } = this.instance;
    const text = this.instance.createString(json);
    this.enterWorld("settle", undefinedValue, text, bytes ? this.instance.createArrayBuffer(bytes) : undefinedValue);
  }

  /** Calls a function of the host. The script is charged for it as for work of its own, also in time. */
  private callHostFunction(name: string, json: string, bytes: Uint8Array | undefined): HostResult {
    this.instance.charge(getCallSteps(name, json, bytes));
    this.checkDeadline();
    // A script may have replaced anything, so the text need not be JSON.
    const result = this.hostFunctions.get(name)?.(tryParseJson(json), bytes);
    this.instance.charge(getResultSteps(name, result));
    this.checkDeadline();
    return result;
  }

  private checkDeadline(): void {
    if (this.getTime() >= this.deadline) throw new SandboxError(createFailure("timeout"));
  }

  private fail(value: unknown): never {
    const getText = (name: string) => String(getMember(value, name) ?? "");
    const statedKind = getMember(value, "kind");
    const kind = statedKind === "invalid_script" || statedKind === "invalid_response" ? statedKind : "script_error";
    const [name, message] = [getText("name"), getText("message")];
    // The engine throws two kinds of errors of its own. Its JSON parser reports a stack overflow as a syntax error.
    if (name === "InternalError" && /^(out of memory|string too long)/.test(message))
      throw new SandboxError(createFailure("memory"));
    if (/^(InternalError|SyntaxError)$/.test(name) && message === "stack overflow")
      throw new SandboxError(createFailure("stack"));

    const text = [name, message].filter((part) => part !== "").join(": ");
    // The message is reported separately, and the lines of the world mean nothing to the author.
    const stack = getText("stack")
      .split("\n")
      .filter((line) => /^ +at /.test(line) && !line.includes("world.js"))
      .join("\n")
      .trimEnd();
    throw new SandboxError(createFailure(kind, text.slice(0, 2000), stack.slice(0, 4000)));
  }

  private setResponse(value: unknown, body: Uint8Array): void {
    const { answerBytes, headerBytes } = this.limits;
    if (body.length > answerBytes) throw new SandboxError(createFailure("too_much_output"));
    const status = getMember(value, "status");
    if (!Number.isInteger(status) || (status as number) < 200 || (status as number) > 599)
      throw new SandboxError(createFailure("invalid_response"));
    const headers = parseHeaders(getMember(value, "headers"), headerBytes);
    if (!headers)
      throw new SandboxError(createFailure("invalid_response", "The headers of the script's answer cannot be sent."));
    this.response = { status: status as number, headers, body };
  }
}

const LOG_LEVELS = ["debug", "log", "info", "warn", "error"] as const;

class ScriptLog {
  private readonly lines: LogLine[] = [];
  private characters = 0;
  private skippedLines = 0;

  constructor(
    private readonly limits: SandboxLimits,
    private readonly getTime: () => number,
  ) {}

  add(value: unknown): void {
    const level = LOG_LEVELS.find((level) => level === getMember(value, "level")) ?? "log";
    const message = getMember(value, "message");
    if (typeof message !== "string") return;
    const remainingCharacters = this.limits.logCharacters - this.characters;
    if (this.lines.length >= this.limits.logLines || remainingCharacters <= 0) {
      this.skippedLines++;
      return;
    }
    this.write(level, message.slice(0, remainingCharacters));
  }

  /** Adds a line of the host, which no limit applies to. */
  write(level: LogLine["level"], message: string): void {
    this.characters += message.length;
    this.lines.push({ level, message, timestamp: new Date(this.getTime()).toISOString() });
  }

  /** Returns all lines. If some were skipped, the last line states their number. */
  finish(): readonly LogLine[] {
    if (this.skippedLines > 0) this.write("warn", `${this.skippedLines} more lines were left out.`);
    this.skippedLines = 0;
    return this.lines;
  }
}

function waitWithTimer(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
