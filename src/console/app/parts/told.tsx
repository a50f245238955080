// What is told to those who do not see the screen: one sentence at a time, in one place of the page.

import { createStore, useStore } from "../calls/store";

const told = createStore("");

/** Tells a sentence. */
export const tell = (sentence: string): void => told.set(sentence);

/** The place of the page where it is told. It is there once. */
export function Told() {
  return (
    <p class="unseen" role="status">
      {useStore(told)}
    </p>
  );
}
