// The engine, compiled once for all runs: handed in by the host, or made of the bytes that the package brings.

import { unzlibSync } from "fflate";
import { failureOf, Stop } from "./failure";

let compiled: Promise<WebAssembly.Module> | undefined;

/** The compiled engine that the package brings. */
export function builtInEngine(): Promise<WebAssembly.Module> {
  compiled ??= compile();
  return compiled;
}

async function compile(): Promise<WebAssembly.Module> {
  const { packedEngine } = await import("./built/engine");
  const bytes = unpackEngine(packedEngine);
  try {
    return await WebAssembly.compile(bytes);
  } catch {
    throw new Stop(failureOf("unavailable"));
  }
}

/** The bytes of the engine out of their text. */
export function unpackEngine(packed: string): Uint8Array<ArrayBuffer> {
  return unzlibSync(Uint8Array.from(atob(packed), (character) => character.charCodeAt(0))) as Uint8Array<ArrayBuffer>;
}
