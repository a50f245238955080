// One instance of the engine, for one run: its memory, its steps, and values going in and out. It is never used twice,
// so one run cannot see anything of another, and everything a run leaves behind is freed with it. The engine can call
// what `imports` lists, and nothing else of the host.

import { failureOf, Stop } from "./failure";
import type { SandboxLimits } from "./options";

/** A value inside the engine, by its address. */
export type Pointer = number;

/** What the host answers to a call from inside. */
export type HostAnswer = string | Uint8Array | undefined;

/** What an instance needs of its run. */
export interface Surroundings {
  readonly now: () => number;
  /** Whether the run is to end at the next opportunity. */
  readonly isOver: () => boolean;
  readonly call: (name: string, json: string, bytes: Uint8Array | undefined) => HostAnswer;
}

type Exports = Record<string, (...args: number[]) => number> & { steps: WebAssembly.Global<"i64"> };

/** The memory of an idle instance, from which others begin. Zeros are left out. */
export interface Image {
  readonly runtime: Pointer;
  readonly context: Pointer;
  readonly size: number;
  readonly pieces: readonly { readonly at: number; readonly bytes: Uint8Array }[];
}

const PAGE = 65_536;
/** How much of the memory is looked at as one when an image is taken. */
const PIECE = 4096;
/** The memory that the engine begins with. */
const FIRST_PAGES = 96;
/** By how much it grows at least. */
const GROWTH = 16 * PAGE;
/** Memory that is kept back, so that a script can still report its error. */
const SPARE_BYTES = 16 * PAGE;
const MODULE = 1;

export class Instance {
  private readonly memory: WebAssembly.Memory;
  private readonly engine: Exports;
  private readonly runtime: Pointer;
  private mostBytes: number;
  private refusals = 0;
  private readonly context: Pointer;

  /** Begins with the engine alone, or with an image. */
  constructor(
    module: WebAssembly.Module,
    limits: SandboxLimits,
    private readonly around: Surroundings,
    image?: Image,
  ) {
    this.mostBytes = Math.max(limits.memoryBytes, FIRST_PAGES * PAGE);
    const maximum = Math.ceil((this.mostBytes + SPARE_BYTES) / PAGE);
    this.memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum });
    this.engine = new WebAssembly.Instance(module, { host: this.imports() }).exports as unknown as Exports;
    this.engine.steps.value = BigInt(limits.steps);
    this.engine.start!();
    if (image) this.restore(image);
    this.runtime = image?.runtime ?? this.engine.QTS_NewRuntime!();
    this.context = image?.context ?? this.engine.QTS_NewContext!(this.runtime, 0);
    this.engine.QTS_RuntimeSetMaxStackSize!(this.runtime, limits.stackBytes);
    this.engine.QTS_RuntimeEnableInterruptHandler!(this.runtime);
  }

  /** The instance as it is now. What was freed holds zeros, so that it is left out. */
  image(): Image {
    this.clearFreed();
    const memory = new Uint8Array(this.memory.buffer);
    const pieces: Image["pieces"][number][] = [];
    for (let at = 0; at < memory.length; at += PIECE) {
      const bytes = memory.slice(at, at + PIECE);
      if (bytes.some((byte) => byte !== 0)) pieces.push({ at, bytes });
    }
    return { runtime: this.runtime, context: this.context, size: memory.length, pieces };
  }

  /** Fills freed memory with zeros: takes all of it, in pieces that become smaller, without asking for more. */
  private clearFreed(): void {
    const most = this.mostBytes;
    this.mostBytes = this.memory.buffer.byteLength;
    const taken: Pointer[] = [];
    for (let size = 16 * PIECE; size >= PIECE / 16; size /= 2)
      for (let at = this.engine.malloc!(size); at !== 0; at = this.engine.malloc!(size)) {
        new Uint8Array(this.memory.buffer, at, size).fill(0);
        taken.push(at);
      }
    for (const at of taken) this.engine.free!(at);
    this.mostBytes = most;
  }

  private restore({ size, pieces }: Image): void {
    this.grow(size);
    const memory = new Uint8Array(this.memory.buffer);
    for (const { at, bytes } of pieces) memory.set(bytes, at);
  }

  get stepsLeft(): bigint {
    return this.engine.steps.value;
  }

  /** Takes steps for work that the host does. */
  charge(steps: number): void {
    this.engine.steps.value -= BigInt(Math.ceil(steps));
    if (this.stepsLeft < 0n) throw new Stop(failureOf("cpu"));
  }

  /** Whether the script has asked for more memory than it may have. */
  get wasRefusedMemory(): boolean {
    return this.refusals > 0;
  }

  /** Lets a run that is out of memory report its error. */
  spare(): void {
    this.mostBytes += SPARE_BYTES;
  }

  get undefined(): Pointer {
    return this.engine.QTS_GetUndefined!();
  }

  /** The one function of the host, as a value. */
  hostFunction(): Pointer {
    return this.withText("host", (name) => this.engine.QTS_NewFunction!(this.context, name, 3, 0, 1));
  }

  text(value: string): Pointer {
    return this.withText(value, (address) => this.engine.QTS_NewString!(this.context, address));
  }

  /** A buffer with a copy of the bytes, which the engine frees. */
  buffer(bytes: Uint8Array): Pointer {
    return this.engine.QTS_NewArrayBuffer!(this.context, this.put(bytes), bytes.length);
  }

  /** Evaluates a text, as a module or as a program. */
  evaluate(code: string, file: string, kind: "module" | "program"): Outcome {
    const flags = kind === "module" ? MODULE : 0;
    const length = encoder.encode(code).length;
    const value = this.withText(code, (text) =>
      this.withText(file, (name) => this.engine.QTS_Eval!(this.context, text, length, name, 0, flags)),
    );
    return this.outcome(value);
  }

  call(callee: Pointer, args: readonly Pointer[]): Outcome {
    const list = this.put(new Uint8Array(Uint32Array.from(args).buffer));
    const value = this.engine.QTS_Call!(this.context, callee, this.undefined, args.length, list);
    this.engine.free!(list);
    return this.outcome(value);
  }

  /** Runs some or all waiting jobs; gives the error that stopped one. */
  runJobs(): Pointer | undefined {
    while (this.engine.QTS_IsJobPending!(this.runtime)) {
      const place = this.put(new Uint8Array(4));
      const value = this.engine.QTS_ExecutePendingJob!(this.runtime, 100, place);
      this.engine.free!(place);
      if (this.typeOf(value) !== "number") return value;
      this.engine.QTS_FreeValuePointer!(this.context, value);
      if (this.around.isOver()) throw new Stop(failureOf("timeout"));
    }
    return undefined;
  }

  private outcome(value: Pointer): Outcome {
    const error = this.engine.QTS_ResolveException!(this.context, value);
    if (this.around.isOver()) throw new Stop(failureOf("timeout"));
    return error === 0 ? { value } : { error };
  }

  private typeOf(value: Pointer): string {
    const address = this.engine.QTS_Typeof!(this.context, value);
    const type = this.read(address);
    this.engine.free!(address);
    return type;
  }

  private textOf(value: Pointer): string | undefined {
    if (this.typeOf(value) !== "string") return undefined;
    const address = this.engine.QTS_GetString!(this.context, value);
    const text = this.read(address);
    this.engine.QTS_FreeCString!(this.context, address);
    return text;
  }

  /** A copy of the bytes of a buffer; undefined for what is none. */
  private bytesOf(value: Pointer): Uint8Array | undefined {
    if (this.typeOf(value) !== "object") return undefined;
    const length = this.engine.QTS_GetArrayBufferLength!(this.context, value);
    const address = this.engine.QTS_GetArrayBuffer!(this.context, value);
    if (address === 0) return undefined;
    const bytes = new Uint8Array(this.memory.buffer, address, length).slice();
    this.engine.free!(address);
    return bytes;
  }

  private called(argc: number, argv: number): Pointer {
    const at = (index: number) => this.engine.QTS_ArgvGetJSValueConstPointer!(argv, index);
    const name = argc > 0 ? this.textOf(at(0)) : undefined;
    const json = argc > 1 ? this.textOf(at(1)) : undefined;
    if (name === undefined || json === undefined) return this.undefined;
    const answer = this.around.call(name, json, argc > 2 ? this.bytesOf(at(2)) : undefined);
    if (answer === undefined) return this.undefined;
    return typeof answer === "string" ? this.text(answer) : this.buffer(answer);
  }

  private withText<T>(text: string, use: (address: Pointer) => T): T {
    const bytes = encoder.encode(text);
    const ended = new Uint8Array(bytes.length + 1);
    ended.set(bytes);
    const address = this.put(ended);
    const result = use(address);
    this.engine.free!(address);
    return result;
  }

  private put(bytes: Uint8Array): Pointer {
    const address = this.engine.malloc!(Math.max(bytes.length, 1));
    if (address === 0) throw new Stop(failureOf("memory"));
    new Uint8Array(this.memory.buffer).set(bytes, address);
    return address;
  }

  /** A text that ends with a zero byte. */
  private read(address: Pointer): string {
    const memory = new Uint8Array(this.memory.buffer);
    return decoder.decode(memory.subarray(address, memory.indexOf(0, address)));
  }

  /** Everything that the engine can call. It has no files, no environment, no time zone and no alarm. */
  private imports(): Record<string, WebAssembly.ImportValue> {
    const crash = () => {
      throw new Stop(failureOf("crashed"));
    };
    return {
      memory: this.memory,
      callHost: (_context: number, _self: number, argc: number, argv: number) => this.called(argc, argv),
      shouldInterrupt: () => (this.around.isOver() ? 1 : 0),
      now: () => this.around.now(),
      growMemory: (bytes: number) => this.grow(bytes >>> 0),
      localTime: (seconds: bigint, place: number) => this.writeTime(seconds, place),
      timeZone: () => {},
      loadModule: () => 0,
      normalizeModule: () => 0,
      freeHostRef: () => {},
      assertionFailed: crash,
      abort: crash,
      exit: crash,
      keepAlive: () => {},
      setAlarm: () => 0,
      environment: () => 0,
      environmentSizes: (count: number, size: number) => this.writeWords(count, [0]) + this.writeWords(size, [0]),
      writeFile: () => NO_FILE,
      closeFile: () => NO_FILE,
      seekFile: () => NO_FILE,
    };
  }

  private grow(bytes: number): number {
    const present = this.memory.buffer.byteLength;
    if (bytes <= present) return 1;
    try {
      if (bytes > this.mostBytes) throw new RangeError("More than may be.");
      this.memory.grow(Math.ceil((Math.min(Math.max(bytes, present + GROWTH), this.mostBytes) - present) / PAGE));
      return 1;
    } catch {
      this.refusals++;
      return 0;
    }
  }

  /** A time in the form of C's `struct tm`, in UTC. */
  private writeTime(seconds: bigint, place: number): void {
    const date = new Date(Number(seconds) * 1000);
    const year = date.getUTCFullYear();
    const day = Math.floor((date.getTime() - Date.UTC(year, 0, 1)) / 86_400_000);
    const time = [date.getUTCSeconds(), date.getUTCMinutes(), date.getUTCHours()];
    const calendar = [date.getUTCDate(), date.getUTCMonth(), year - 1900, date.getUTCDay(), day];
    this.writeWords(place, [...time, ...calendar, 0, 0]);
  }

  private writeWords(place: number, words: readonly number[]): 0 {
    new Int32Array(this.memory.buffer).set(words, place >> 2);
    return 0;
  }
}

/** What an evaluation or a call ended with. */
export type Outcome =
  | { readonly value: Pointer; readonly error?: undefined }
  | { readonly error: Pointer; readonly value?: undefined };

/** The error of WASI for a file that is not open. */
const NO_FILE = 8;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
