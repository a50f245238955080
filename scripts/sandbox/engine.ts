// The engine of the sandbox: QuickJS as WebAssembly from the package that compiles it, with a meter, with readable
// names, and without unused exports.

import { readFile } from "node:fs/promises";
import { metered } from "./meter";
import { renamed } from "./rename";

const dist = new URL("../../node_modules/@jitl/quickjs-wasmfile-release-sync/dist/", import.meta.url);

/** What the engine imports: its letter, our name, and how the package's own glue begins to define it. If another
 * version has other letters, its glue has other words, and the build fails. */
const imports: readonly (readonly [letter: string, name: string, glue: string])[] = [
  ["a", "memory", "a:r,"],
  ["b", "assertionFailed", "b:(a,d,b,e)=>L(`Assertion failed"],
  ["c", "writeFile", "c:(a,d,b,e)=>{for(var f=0,g=0;g<b"],
  ["d", "closeFile", "d:()=>52"],
  ["e", "environment", "e:(a,d)=>{var b=0,e=0,f;for(f of pa())"],
  ["f", "environmentSizes", "f:(a,d)=>{var b=pa()"],
  ["g", "normalizeModule", "g:function(a,d,b,e){b=R(b);e=R(e);return c.callbacks.normalizeModule("],
  ["h", "loadModule", "h:function(a,d,b){b=R(b);return c.callbacks.loadModuleSource("],
  ["i", "shouldInterrupt", "i:function(a){return c.callbacks.shouldInterrupt("],
  ["j", "setAlarm", "j:(a,d)=>{T[a]&&(clearTimeout("],
  ["k", "growMemory", "k:a=>{var d=G.length"],
  ["l", "keepAlive", "l:()=>{Q=!1;S=0}"],
  ["m", "localTime", "m:function(a,d){a=-9007199254740992>a"],
  ["n", "timeZone", "n:(a,d,b,e)=>{var f=(new Date).getFullYear()"],
  ["o", "seekFile", "o:function(){return 70}"],
  ["p", "now", "p:()=>Date.now()"],
  ["q", "abort", 'q:()=>L("")'],
  ["r", "exit", "r:na,"],
  ["s", "callHost", "s:function(a,d,b,e,f){return c.callbacks.callFunction("],
  ["t", "freeHostRef", "t:function(a,d){c.callbacks.freeHostRef("],
];

/** What is called of the engine, under the names that the package has for it. */
const used = [
  "malloc",
  "free",
  "QTS_NewRuntime",
  "QTS_RuntimeSetMaxStackSize",
  "QTS_RuntimeEnableInterruptHandler",
  "QTS_NewContext",
  "QTS_Eval",
  "QTS_Call",
  "QTS_ResolveException",
  "QTS_NewFunction",
  "QTS_NewString",
  "QTS_GetString",
  "QTS_FreeCString",
  "QTS_NewArrayBuffer",
  "QTS_GetArrayBuffer",
  "QTS_GetArrayBufferLength",
  "QTS_GetUndefined",
  "QTS_Typeof",
  "QTS_IsJobPending",
  "QTS_ExecutePendingJob",
  "QTS_FreeValuePointer",
  "QTS_ArgvGetJSValueConstPointer",
];

/** The engine as the sandbox runs it, and the licences that it comes under. */
export async function buildEngine(): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly licence: string }> {
  const glue = await readFile(new URL("emscripten-module.browser.mjs", dist), "utf8");
  const original = await readFile(new URL("emscripten-module.wasm", dist));
  const named = renamed(withPlaces(original), { imports: importNames(glue), exports: exportNames(glue) });
  return { bytes: metered(named), licence: await readFile(new URL("../LICENSE", dist), "utf8") };
}

/** The engine writes where an error was made into a property of it. Elsewhere `stack` begins with the name and the
 * message; so the property gets another name, and the world makes `stack` of it. */
function withPlaces(module: Uint8Array): Uint8Array {
  const found = Buffer.from(module);
  const names = Buffer.from("\0errors\0stack\0name\0");
  const at = found.indexOf(names);
  if (at < 0 || found.indexOf(names, at + 1) >= 0) throw new Error("The engine does not name `stack` where it did.");
  found.write("\0errors\0@from\0name\0", at, "latin1");
  return found;
}

function importNames(glue: string): Map<string, string> {
  for (const [letter, name, words] of imports)
    if (!glue.includes(words)) throw new Error(`The glue does not define "${letter}" as ${name}.`);
  return new Map(imports.map(([letter, name]) => [letter, name]));
}

function exportNames(glue: string): Map<string, string> {
  const letters = new Map([...glue.matchAll(/\bc\._(\w+)=\s*b\.([\w$]+)/g)].map((match) => [match[1]!, match[2]!]));
  const start = glue.match(/J=!0;Z\.([\w$]+)\(\);/)?.[1];
  if (start === undefined) throw new Error("The glue does not call the engine's constructors.");
  const names = new Map([[start, "start"]]);
  for (const name of used) {
    const letter = letters.get(name);
    if (letter === undefined) throw new Error(`The glue has no ${name}.`);
    names.set(letter, name);
  }
  return names;
}
