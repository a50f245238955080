// Names every test and hook that has been running for two minutes, and again every two minutes. A test that hangs says where
// long before its time limit ends it (`testTimeout` in vitest.config.ts), also when somebody ends the run by hand.

import { relative } from "node:path";
import type { ReportedHookContext, Reporter, TestCase } from "vitest/node";

const INTERVAL_MS = 2 * 60_000;

interface RunningStep {
  readonly name: string;
  readonly file: string;
  readonly startedAt: number;
}

export default class HangingTestReporter implements Reporter {
  readonly #running = new Map<string, RunningStep>();
  #timer: NodeJS.Timeout | undefined;

  onTestRunStart(): void {
    this.#timer = setInterval(() => this.#report(), INTERVAL_MS).unref();
  }

  onTestRunEnd(): void {
    clearInterval(this.#timer);
  }

  onTestCaseReady(test: TestCase): void {
    this.#running.set(test.id, { name: test.fullName, file: test.module.moduleId, startedAt: Date.now() });
  }

  onTestCaseResult(test: TestCase): void {
    this.#running.delete(test.id);
  }

  onHookStart({ name, entity }: ReportedHookContext): void {
    const file = entity.type === "module" ? entity.moduleId : entity.module.moduleId;
    const owner = entity.type === "module" ? "the file" : entity.fullName;
    this.#running.set(`${name} ${entity.id}`, { name: `${name} of ${owner}`, file, startedAt: Date.now() });
  }

  onHookEnd({ name, entity }: ReportedHookContext): void {
    this.#running.delete(`${name} ${entity.id}`);
  }

  #report(): void {
    for (const { name, file, startedAt } of this.#running.values()) {
      const seconds = Math.round((Date.now() - startedAt) / 1000);
      if (seconds * 1000 >= INTERVAL_MS)
        console.log(`Still running after ${seconds} s: ${relative(process.cwd(), file)} > ${name}`);
    }
  }
}
