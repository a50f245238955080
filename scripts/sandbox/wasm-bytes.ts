// The bytes of a WebAssembly module: numbers, sections and instructions, as far as the engine of the sandbox uses them.
// Anything unknown is refused, so that nothing is skipped by mistake.

/** The sections that are looked into. */
export const Section = { Custom: 0, Import: 2, Global: 6, Export: 7, Code: 10 } as const;

/** What can be imported and exported, as far as it is of interest here. */
export const Kind = { Memory: 2, Global: 3 } as const;

/** The sections of a module, in order. */
export function sectionsOf(module: Uint8Array): { readonly id: number; readonly body: Uint8Array }[] {
  const reader = new Reader(module, 8);
  const found = [];
  while (!reader.isAtEnd) found.push({ id: reader.byte(), body: reader.bytes(reader.unsigned()) });
  return found;
}

/** Reads a module from front to back. */
export class Reader {
  constructor(
    private readonly source: Uint8Array,
    public at = 0,
  ) {}

  get isAtEnd(): boolean {
    return this.at >= this.source.length;
  }

  byte(): number {
    const byte = this.source[this.at++];
    if (byte === undefined) throw new Error("The module ends too early.");
    return byte;
  }

  bytes(length: number): Uint8Array {
    const bytes = this.source.subarray(this.at, this.at + length);
    if (bytes.length < length) throw new Error("The module ends too early.");
    this.at += length;
    return bytes;
  }

  rest(): Uint8Array {
    return this.bytes(this.source.length - this.at);
  }

  unsigned(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  text(): string {
    return new TextDecoder().decode(this.bytes(this.unsigned()));
  }

  /** Passes over what is imported under a name, and gives its kind. */
  imported(): number {
    const kind = this.byte();
    if (kind === 0) this.unsigned();
    else if (kind === Kind.Global) this.bytes(2);
    else {
      if (kind === 1) this.byte();
      const hasMaximum = (this.byte() & 1) === 1;
      this.unsigned();
      if (hasMaximum) this.unsigned();
    }
    return kind;
  }

  /** Passes over the locals of one type. */
  local(): void {
    this.unsigned();
    this.byte();
  }

  /** Passes over one instruction, and gives its code; those with a prefix as prefix and code together. */
  instruction(): number {
    const opcode = this.byte();
    if (opcode === 0xfc) return this.prefixed();
    if (opcode === 0x0e) for (let left = this.unsigned() + 1; left > 0; left--) this.unsigned();
    else for (let left = numbersAfter(opcode); left > 0; left--) this.unsigned();
    if (opcode === 0x43) this.bytes(4);
    if (opcode === 0x44) this.bytes(8);
    return opcode;
  }

  private prefixed(): number {
    const code = this.unsigned();
    if (code > 11 || code === 9) throw new Error(`The instruction 0xfc ${code} is not known here.`);
    for (let left = code < 8 ? 0 : code === 11 ? 1 : 2; left > 0; left--) this.unsigned();
    return 0xfc00 + code;
  }
}

/** How many numbers follow an instruction. A signed number ends where an unsigned one does. */
function numbersAfter(opcode: number): number {
  if (opcode === 0x11) return 2;
  if (opcode >= 0x28 && opcode <= 0x3e) return 2;
  if (opcode >= 0x02 && opcode <= 0x04) return 1;
  if (opcode === 0x0c || opcode === 0x0d || opcode === 0x10) return 1;
  if (opcode >= 0x20 && opcode <= 0x24) return 1;
  if (opcode >= 0x3f && opcode <= 0x42) return 1;
  if (opcode <= 0x0f || opcode === 0x1a || opcode === 0x1b || (opcode >= 0x43 && opcode <= 0xc4)) return 0;
  throw new Error(`The instruction ${opcode} is not known here.`);
}

/** A number as a module has it. */
export function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...unsigned(Math.floor(value / 128))];
}

/** A signed number as a module has it. */
export function signed(value: number): number[] {
  if (value >= -64 && value < 64) return [value & 127];
  return [(value & 127) + 128, ...signed(value >> 7)];
}

/** A section: its id, its length, its body. */
export function section(id: number, body: readonly number[]): number[] {
  return [id, ...unsigned(body.length), ...body];
}
