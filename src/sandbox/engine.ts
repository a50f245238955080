// The engine that the package brings, compiled once for all runs.

import { unzlibSync } from "fflate";
import { createFailure, SandboxError } from "./failure";

let compiledEngine: Promise<WebAssembly.Module> | undefined;

/** Compiles the built-in engine, or returns the one that was compiled before. */
export function loadBuiltInEngine(): Promise<WebAssembly.Module> {
  compiledEngine ??= import("./built/engine").then(async ({ packedEngine }) => {
    const bytes = unpackEngine(packedEngine);
    try {
      return await WebAssembly.compile(bytes);
    } catch {
      throw new SandboxError(createFailure("unavailable"));
    }
  });
  return compiledEngine;
}

/** Decodes the bytes of the engine: base64, deflated. */
export function unpackEngine(packed: string): Uint8Array<ArrayBuffer> {
  return unzlibSync(Uint8Array.from(atob(packed), (character) => character.charCodeAt(0))) as Uint8Array<ArrayBuffer>;
}
