// What scripts look at to learn where they run: the time since their event began, a name, and an empty environment.

import { askValue } from "./host.js";

const now = Date.now;
let origin;

/** When the event began. */
function timeOrigin() {
  origin ??= askValue("origin", null);
  return origin;
}

export class Performance {
  get timeOrigin() {
    return timeOrigin();
  }

  now() {
    return now() - timeOrigin();
  }

  toJSON() {
    return { timeOrigin: timeOrigin() };
  }
}

export const performance = new Performance();

export const navigator = Object.freeze({ userAgent: "Octavo" });

export const process = { env: {} };
