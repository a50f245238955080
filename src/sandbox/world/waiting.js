// What the world waits for: answers that the host brings later, each under a number.

const waiting = new Map();
let lastId = 0;

/** Waits for an answer, which `take` is given; `forget` ends the wait. */
export function expect(take) {
  const id = ++lastId;
  waiting.set(id, take);
  return { id, forget: () => waiting.delete(id) };
}

/** Hands over what the host brings. */
export function settle(answer, bytes) {
  const take = waiting.get(answer.id);
  waiting.delete(answer.id);
  take?.(answer, bytes);
}
