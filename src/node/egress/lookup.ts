// Name resolution that is checked before a connection is made from it, so that the address that is connected to is the
// address that was looked at.

import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";

/** The system's resolver. */
export const systemResolver: LookupFunction = (hostname, options, callback) =>
  systemLookup(hostname, options, callback);

/** A lookup that fails with what `check` says of all the addresses of a name. */
export function checkedLookup(
  lookup: LookupFunction,
  check: (addresses: readonly string[]) => Error | undefined,
): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found, family) => {
      if (error) return callback(error, []);
      const answers = typeof found === "string" ? [{ address: found, family: family ?? isIP(found) }] : found;
      const [first] = answers;
      if (!first) return callback(new Error(`No address was found for ${hostname}.`), []);
      const refusal = check(answers.map(({ address }) => address));
      if (refusal) return callback(refusal, []);
      if (options.all) return callback(null, answers);
      callback(null, first.address, first.family);
    });
  };
}
