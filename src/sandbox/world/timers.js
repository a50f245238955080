// Timers. They are kept here; the host is told when it is to wake the world up next.

import { ask } from "./host.js";

const MOST = 1000;
const now = Date.now;
const timers = new Map();
let lastId = 0;

/** Runs what is due, and tells the host of what is next. */
export function runTimers(report) {
  const time = now();
  const due = [...timers.values()].filter((timer) => timer.due <= time).sort((a, b) => a.due - b.due || a.id - b.id);
  for (const timer of due) {
    if (!timers.has(timer.id)) continue;
    if (timer.every === undefined) timers.delete(timer.id);
    else timer.due = time + timer.every;
    try {
      timer.run(...timer.args);
    } catch (error) {
      report(error);
    }
  }
  tell();
}

export function setTimeout(run, milliseconds, ...args) {
  return start(run, milliseconds, args, false);
}

export function setInterval(run, milliseconds, ...args) {
  return start(run, milliseconds, args, true);
}

export function clearTimeout(id) {
  timers.delete(id);
}

function start(run, milliseconds, args, isRepeated) {
  if (typeof run !== "function") throw new TypeError("A timer runs a function.");
  if (timers.size >= MOST) throw new Error(`There are ${MOST} timers already.`);
  // An interval of nothing would never let the host have its turn.
  const wait = Math.min(Math.max(Math.trunc(Number(milliseconds)) || 0, isRepeated ? 1 : 0), 2 ** 31);
  const id = ++lastId;
  timers.set(id, { id, due: now() + wait, run, args, every: isRepeated ? wait : undefined });
  tell();
  return id;
}

function tell() {
  let next = Number.POSITIVE_INFINITY;
  for (const { due } of timers.values()) if (due < next) next = due;
  ask("wake", next);
}
