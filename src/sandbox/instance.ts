// One instance of the engine, for one run: its memory, its steps, and values going in and out. It is never used twice,
// so one run cannot see anything of another, and everything a run leaves behind is freed with it. The engine can call
// what `createImports` lists, and nothing else of the host.

import { createFailure, SandboxError } from "./failure";
import type { SandboxLimits } from "./port";

/** The address of a value inside the engine. */
export type Pointer = number;

/** The host's result of a call from inside. */
export type HostResult = string | Uint8Array | undefined;

/** The functions of its run that an instance calls. */
export interface EngineHost {
  readonly now: () => number;
  /** Returns true if the run must end at the next opportunity. */
  readonly isOver: () => boolean;
  readonly call: (name: string, json: string, bytes: Uint8Array | undefined) => HostResult;
}

/** The outcome of an evaluation or a call. */
export type EngineResult =
  | { readonly value: Pointer; readonly error?: undefined }
  | { readonly error: Pointer; readonly value?: undefined };

type EngineExports = Record<string, (...args: number[]) => number> & { steps: WebAssembly.Global<"i64"> };

/** The memory of an idle instance, from which others begin. Pieces of zeros are left out. */
export interface MemoryImage {
  readonly runtime: Pointer;
  readonly context: Pointer;
  readonly size: number;
  readonly pieces: readonly { readonly offset: number; readonly bytes: Uint8Array }[];
}

const PAGE_BYTES = 65_536;
/** The size of a piece of an image. */
const PIECE_BYTES = 4096;
/** The memory that the engine begins with. */
const INITIAL_PAGES = 96;
/** The memory that is added at least when it grows. */
const MIN_GROWTH_BYTES = 16 * PAGE_BYTES;
/** Memory that is reserved, so that a script can still report its error. */
const RESERVE_BYTES = 16 * PAGE_BYTES;
/** The flag of QuickJS for evaluating a module. */
const MODULE_FLAG = 1;
/** The error of WASI for a file that is not open. */
const WASI_BADF = 8;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export class EngineInstance {
  private readonly memory: WebAssembly.Memory;
  private readonly engine: EngineExports;
  private readonly runtime: Pointer;
  private maxBytes: number;
  private refusalCount = 0;
  private readonly context: Pointer;

  /** Starts with the bare engine, or with an image. */
  constructor(
    module: WebAssembly.Module,
    limits: SandboxLimits,
    private readonly host: EngineHost,
    image?: MemoryImage,
  ) {
    this.maxBytes = Math.max(limits.memoryBytes, INITIAL_PAGES * PAGE_BYTES);
    const maximum = Math.ceil((this.maxBytes + RESERVE_BYTES) / PAGE_BYTES);
    this.memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum });
    this.engine = new WebAssembly.Instance(module, { host: this.createImports() }).exports as unknown as EngineExports;
    this.engine.steps.value = BigInt(limits.steps);
    this.engine.start!();
    if (image) {
      this.growMemory(image.size);
      const memory = new Uint8Array(this.memory.buffer);
      for (const { offset, bytes } of image.pieces) memory.set(bytes, offset);
    }
    this.runtime = image?.runtime ?? this.engine.QTS_NewRuntime!();
    this.context = image?.context ?? this.engine.QTS_NewContext!(this.runtime, 0);
    this.engine.QTS_RuntimeSetMaxStackSize!(this.runtime, limits.stackBytes);
    this.engine.QTS_RuntimeEnableInterruptHandler!(this.runtime);
  }

  /** Captures the current memory. Freed memory is filled with zeros, so that it is left out. */
  captureImage(): MemoryImage {
    // To find the freed memory, allocate all of it, in pieces that become smaller, without growing.
    const { maxBytes } = this;
    this.maxBytes = this.memory.buffer.byteLength;
    const allocated: Pointer[] = [];
    for (let size = 16 * PIECE_BYTES; size >= PIECE_BYTES / 16; size /= 2)
      for (let address = this.engine.malloc!(size); address !== 0; address = this.engine.malloc!(size)) {
        new Uint8Array(this.memory.buffer, address, size).fill(0);
        allocated.push(address);
      }
    for (const address of allocated) this.engine.free!(address);
    this.maxBytes = maxBytes;

    const memory = new Uint8Array(this.memory.buffer);
    const pieces: MemoryImage["pieces"][number][] = [];
    for (let offset = 0; offset < memory.length; offset += PIECE_BYTES) {
      const bytes = memory.slice(offset, offset + PIECE_BYTES);
      if (bytes.some((byte) => byte !== 0)) pieces.push({ offset, bytes });
    }
    return { runtime: this.runtime, context: this.context, size: memory.length, pieces };
  }

  get stepsLeft(): bigint {
    return this.engine.steps.value;
  }

  /** Takes steps for work of the host. Throws when there are none left. */
  charge(steps: number): void {
    this.engine.steps.value -= BigInt(Math.ceil(steps));
    if (this.stepsLeft < 0n) throw new SandboxError(createFailure("cpu"));
  }

  /** True if the script has asked for more memory than its limit. */
  get hasRefusedMemory(): boolean {
    return this.refusalCount > 0;
  }

  /** Releases the reserved memory, so that a run that is out of memory can report its error. */
  releaseReserve(): void {
    this.maxBytes += RESERVE_BYTES;
  }

  get undefinedValue(): Pointer {
    return this.engine.QTS_GetUndefined!();
  }

  /** Creates the only function of the host that the engine has. */
  createHostFunction(): Pointer {
    return this.withCString("host", (name) => this.engine.QTS_NewFunction!(this.context, name, 3, 0, 1));
  }

  createString(value: string): Pointer {
    return this.withCString(value, (address) => this.engine.QTS_NewString!(this.context, address));
  }

  /** Creates a buffer with a copy of the bytes, which the engine frees. */
  createArrayBuffer(bytes: Uint8Array): Pointer {
    return this.engine.QTS_NewArrayBuffer!(this.context, this.copyIn(bytes), bytes.length);
  }

  evaluate(code: string, file: string, kind: "module" | "program"): EngineResult {
    const flags = kind === "module" ? MODULE_FLAG : 0;
    const length = encoder.encode(code).length;
    const value = this.withCString(code, (text) =>
      this.withCString(file, (name) => this.engine.QTS_Eval!(this.context, text, length, name, 0, flags)),
    );
    return this.toResult(value);
  }

  call(callee: Pointer, args: readonly Pointer[]): EngineResult {
    const list = this.copyIn(new Uint8Array(Uint32Array.from(args).buffer));
    const value = this.engine.QTS_Call!(this.context, callee, this.undefinedValue, args.length, list);
    this.engine.free!(list);
    return this.toResult(value);
  }

  /** Runs pending jobs. Returns the error that stopped one. */
  runPendingJobs(): Pointer | undefined {
    while (this.engine.QTS_IsJobPending!(this.runtime)) {
      const contextAddress = this.copyIn(new Uint8Array(4));
      const value = this.engine.QTS_ExecutePendingJob!(this.runtime, 100, contextAddress);
      this.engine.free!(contextAddress);
      if (this.getType(value) !== "number") return value;
      this.engine.QTS_FreeValuePointer!(this.context, value);
      if (this.host.isOver()) throw new SandboxError(createFailure("timeout"));
    }
    return undefined;
  }

  private toResult(value: Pointer): EngineResult {
    const error = this.engine.QTS_ResolveException!(this.context, value);
    if (this.host.isOver()) throw new SandboxError(createFailure("timeout"));
    return error === 0 ? { value } : { error };
  }

  private getType(value: Pointer): string {
    const address = this.engine.QTS_Typeof!(this.context, value);
    const type = this.readCString(address);
    this.engine.free!(address);
    return type;
  }

  private getString(value: Pointer): string | undefined {
    if (this.getType(value) !== "string") return undefined;
    const address = this.engine.QTS_GetString!(this.context, value);
    const text = this.readCString(address);
    this.engine.QTS_FreeCString!(this.context, address);
    return text;
  }

  /** Copies the bytes of a buffer. Returns undefined for other values. */
  private getArrayBuffer(value: Pointer): Uint8Array | undefined {
    if (this.getType(value) !== "object") return undefined;
    const length = this.engine.QTS_GetArrayBufferLength!(this.context, value);
    const address = this.engine.QTS_GetArrayBuffer!(this.context, value);
    if (address === 0) return undefined;
    const bytes = new Uint8Array(this.memory.buffer, address, length).slice();
    this.engine.free!(address);
    return bytes;
  }

  private callHost(argumentCount: number, argumentList: Pointer): Pointer {
    const getArgument = (index: number) => this.engine.QTS_ArgvGetJSValueConstPointer!(argumentList, index);
    const name = argumentCount > 0 ? this.getString(getArgument(0)) : undefined;
    const json = argumentCount > 1 ? this.getString(getArgument(1)) : undefined;
    if (name === undefined || json === undefined) return this.undefinedValue;
    const bytes = argumentCount > 2 ? this.getArrayBuffer(getArgument(2)) : undefined;
    const result = this.host.call(name, json, bytes);
    if (result === undefined) return this.undefinedValue;
    return typeof result === "string" ? this.createString(result) : this.createArrayBuffer(result);
  }

  /** Calls `use` with a copy of a text inside the engine, and frees the copy. */
  private withCString<T>(text: string, use: (address: Pointer) => T): T {
    const bytes = encoder.encode(text);
    const terminated = new Uint8Array(bytes.length + 1);
    terminated.set(bytes);
    const address = this.copyIn(terminated);
    const result = use(address);
    this.engine.free!(address);
    return result;
  }

  /** Copies bytes into newly allocated memory of the engine. */
  private copyIn(bytes: Uint8Array): Pointer {
    const address = this.engine.malloc!(Math.max(bytes.length, 1));
    if (address === 0) throw new SandboxError(createFailure("memory"));
    new Uint8Array(this.memory.buffer).set(bytes, address);
    return address;
  }

  /** Reads a text that ends with a zero byte. */
  private readCString(address: Pointer): string {
    const memory = new Uint8Array(this.memory.buffer);
    return decoder.decode(memory.subarray(address, memory.indexOf(0, address)));
  }

  /** Creates everything that the engine can call. It has no files, no environment, no time zone and no alarm. */
  private createImports(): Record<string, WebAssembly.ImportValue> {
    const crash = () => {
      throw new SandboxError(createFailure("crashed"));
    };
    return {
      memory: this.memory,
      callHost: (_context: number, _self: number, argc: number, argv: number) => this.callHost(argc, argv),
      shouldInterrupt: () => (this.host.isOver() ? 1 : 0),
      now: () => this.host.now(),
      growMemory: (bytes: number) => this.growMemory(bytes >>> 0),
      localTime: (seconds: bigint, address: number) => this.writeTime(seconds, address),
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
      writeFile: () => WASI_BADF,
      closeFile: () => WASI_BADF,
      seekFile: () => WASI_BADF,
    };
  }

  /** Grows the memory to a size. Returns 1 on success and 0 on failure, as the engine expects. */
  private growMemory(bytes: number): number {
    const currentBytes = this.memory.buffer.byteLength;
    if (bytes <= currentBytes) return 1;
    try {
      if (bytes > this.maxBytes) throw new RangeError("More than may be.");
      const newBytes = Math.min(Math.max(bytes, currentBytes + MIN_GROWTH_BYTES), this.maxBytes);
      this.memory.grow(Math.ceil((newBytes - currentBytes) / PAGE_BYTES));
      return 1;
    } catch {
      this.refusalCount++;
      return 0;
    }
  }

  /** Writes a time in the form of C's `struct tm`, in UTC. */
  private writeTime(seconds: bigint, address: Pointer): void {
    const date = new Date(Number(seconds) * 1000);
    const year = date.getUTCFullYear();
    const dayOfYear = Math.floor((date.getTime() - Date.UTC(year, 0, 1)) / 86_400_000);
    const time = [date.getUTCSeconds(), date.getUTCMinutes(), date.getUTCHours()];
    const calendar = [date.getUTCDate(), date.getUTCMonth(), year - 1900, date.getUTCDay(), dayOfYear];
    this.writeWords(address, [...time, ...calendar, 0, 0]);
  }

  private writeWords(address: Pointer, words: readonly number[]): 0 {
    new Int32Array(this.memory.buffer).set(words, address >> 2);
    return 0;
  }
}
