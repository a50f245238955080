// The type of `octavo/sandbox.wasm`. The build writes the file itself.

/** The compiled engine of the sandbox. */
declare const engine: WebAssembly.Module;
export default engine;
