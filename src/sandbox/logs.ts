// The trace of one run: what the script said, as far as there is room for it.

import { member } from "./host-functions";
import type { SandboxLimits } from "./options";
import type { LogLine } from "./port";

const levels = ["debug", "log", "info", "warn", "error"] as const;

export class Logs {
  private readonly lines: LogLine[] = [];
  private characters = 0;
  private left = 0;

  constructor(
    private readonly limits: SandboxLimits,
    private readonly time: () => number,
  ) {}

  /** Takes down what a script said. */
  add(value: unknown): void {
    const level = levels.find((one) => one === member(value, "level")) ?? "log";
    const message = member(value, "message");
    if (typeof message !== "string") return;
    const room = this.limits.logCharacters - this.characters;
    if (this.lines.length >= this.limits.logLines || room <= 0) {
      this.left++;
      return;
    }
    this.write(level, message.slice(0, room));
  }

  /** Takes down what the host has to say, for which there is always room. */
  write(level: LogLine["level"], message: string): void {
    this.characters += message.length;
    this.lines.push({ level, message, timestamp: new Date(this.time()).toISOString() });
  }

  /** All lines, with a last one that says how many are missing. */
  all(): readonly LogLine[] {
    if (this.left > 0) this.write("warn", `${this.left} more lines were left out.`);
    this.left = 0;
    return this.lines;
  }
}
