// `npm run fuzz -- 200000`: sends this many requests (default: 20,000), with the seed in SEED or a new one. Every kind
// of problem is printed once with an example request, and makes the command fail. `npm run fuzz -- bytes 100000`: see
// bytes.ts.

import { env } from "node:process";
import { fuzzBytes } from "./bytes";
import { createFuzzer, type Finding } from "./fuzz";

if (process.argv[2] === "bytes")
  process.exit(await fuzzBytes(Number(process.argv[3] ?? 100_000), process.argv.slice(4)));

const requests = Number(process.argv[2] ?? 20_000);
const seed = Number(env.SEED ?? Math.floor(Math.random() * 2 ** 31));
console.log(`${requests} requests from the seed ${seed}`);
const fuzzer = await createFuzzer();
const { statuses, reached, findings } = await fuzzer.fuzz({ requests, seed });
console.log(`${reached.size} operations reached; answers by status: ${JSON.stringify(statuses)}`);

const kinds = new Map<string, Finding[]>();
for (const finding of findings) kinds.set(finding.what, [...(kinds.get(finding.what) ?? []), finding]);
for (const [what, [first, ...others]] of kinds)
  console.log(
    `\n${what} (${others.length + 1})\n  ${JSON.stringify(first!.request).slice(0, 1500)}\n  → ${first!.said}`,
  );
process.exitCode = kinds.size === 0 ? 0 : 1;
