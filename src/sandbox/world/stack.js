// The stack of an error, as other engines have it: its name and message first, then where it was made. The engine keeps
// only the places, under the name `PLACES`, which the build of the engine gives to them.

const PLACES = "@from";
const { toString: titled } = Error.prototype;
const { apply, defineProperty, getOwnPropertyDescriptor } = Reflect;

/** Gives every error its `stack`, and `Error` the function by which other objects get one. */
export function giveStacks() {
  defineProperty(Error.prototype, "stack", {
    get() {
      return placesOf(this) === undefined ? undefined : `${titleOf(this)}${placesOf(this)}`;
    },
    set(value) {
      defineProperty(this, "stack", { value, writable: true, configurable: true, enumerable: false });
    },
    configurable: true,
    enumerable: false,
  });
  defineProperty(Error, "captureStackTrace", { value: capture, writable: true, configurable: true, enumerable: false });
}

function capture(target) {
  const value = `${titleOf(target)}${placesOf(new Error())}`;
  if (!defineProperty(target, "stack", { value, writable: true, configurable: true, enumerable: false }))
    throw new TypeError("The object cannot have a stack.");
}

/** The lines of the script, each after a line break; undefined for what is no error. */
function placesOf(error) {
  if (typeof error !== "object" || error === null) return undefined;
  const lines = getOwnPropertyDescriptor(error, PLACES)?.value;
  if (typeof lines !== "string") return undefined;
  const own = lines.split("\n").filter((line) => line !== "" && !line.includes("(world.js:"));
  return own.map((line) => `\n${line}`).join("");
}

function titleOf(error) {
  try {
    return apply(titled, error, []);
  } catch {
    return "Error";
  }
}
