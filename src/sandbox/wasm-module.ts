// What `octavo/sandbox.wasm` is to whoever imports it. There is nothing here but its type: the build writes the file itself.

/** The engine of the sandbox, compiled. */
declare const engine: WebAssembly.Module;
export default engine;
