// A thing that lives in another partition than the one its id was born in.

/** Thrown while a target is loaded: the call is run again over there. */
export class Moved extends Error {
  constructor(readonly partition: string) {
    super(`It lives in ${partition} now.`);
  }
}

/** How often a call follows; more than that is a thing that is just under way. */
export const MAX_HOPS = 8;
