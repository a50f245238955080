// The world before any script has run in it, made once for each engine. Every run begins with a copy of that memory,
// which is much faster than making a new world.

import { failureOf, Stop } from "./failure";
import { type Image, Instance, type Outcome, type Pointer } from "./instance";
import { defaultLimits } from "./limits";

/** A world that waits for a run, and the function inside by which it is entered. */
export interface Template {
  readonly image: Image;
  readonly enter: Pointer;
}

const made = new WeakMap<WebAssembly.Module, Template>();

/** The template of an engine; `world` is the text that makes the world. */
export function templateOf(engine: WebAssembly.Module, world: string): Template {
  const known = made.get(engine) ?? make(engine, world);
  made.set(engine, known);
  return known;
}

function make(engine: WebAssembly.Module, world: string): Template {
  const nobody = { now: () => 0, isOver: () => false, call: () => undefined };
  const instance = new Instance(engine, defaultLimits, nobody);
  const open = neededFrom(instance.evaluate(world, "world.js", "program"));
  const enter = neededFrom(instance.call(open, [instance.hostFunction()]));
  return { image: instance.image(), enter };
}

function neededFrom({ value }: Outcome): Pointer {
  if (value === undefined) throw new Stop(failureOf("crashed"));
  return value;
}
