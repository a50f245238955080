// Name resolution with a check, so that the address of the connection is the address that was checked.

import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";

/** The system's resolver. */
export const systemResolver: LookupFunction = (hostname, options, callback) =>
  systemLookup(hostname, options, callback);

/** A lookup that fails if `check` refuses the addresses of a name. */
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
