// The one way out of the sandbox: a name, JSON and bytes in; JSON, bytes or nothing out. The functions of JSON are held
// here from before any script has run.

const { parse, stringify } = JSON;

let call;

/** Takes the host's function, once. */
export function connect(host) {
  call = host;
}

/** Tells the host something, and gives the bytes that it answers, if any. */
export function ask(name, value, bytes) {
  return call(name, stringify(value) ?? "null", bytes);
}

/** Asks the host something, and gives the value that it answers. */
export function askValue(name, value, bytes) {
  return parse(ask(name, value, bytes));
}
