// The memory of an instance with the world in it, before any script has run, created once for each engine. Every run
// begins with a copy of that memory, which is much faster than creating a new world.

import { createFailure, SandboxError } from "./failure";
import { EngineInstance, type EngineResult, type MemoryImage, type Pointer } from "./instance";
import { DEFAULT_SANDBOX_LIMITS } from "./port";

export interface WorldTemplate {
  readonly image: MemoryImage;
  /** The function of the world that the host calls. */
  readonly enter: Pointer;
}

const templates = new WeakMap<WebAssembly.Module, WorldTemplate>();

/** Returns the template of an engine. `world` is the program that creates the world. */
export function getTemplate(engine: WebAssembly.Module, world: string): WorldTemplate {
  let template = templates.get(engine);
  if (!template) {
    const host = { now: () => 0, isOver: () => false, call: () => undefined };
    const instance = new EngineInstance(engine, DEFAULT_SANDBOX_LIMITS, host);
    const open = unwrapResult(instance.evaluate(world, "world.js", "program"));
    const enter = unwrapResult(instance.call(open, [instance.createHostFunction()]));
    template = { image: instance.captureImage(), enter };
    templates.set(engine, template);
  }
  return template;
}

function unwrapResult({ value }: EngineResult): Pointer {
  if (value === undefined) throw new SandboxError(createFailure("crashed"));
  return value;
}
