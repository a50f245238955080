// Keys that nothing but these tests trusts (`keys/*.pem`): of two identity providers, of one with a curve, and our own. Making new
// ones in every run takes seconds.

import { readFileSync } from "node:fs";

const read = (name: string) => readFileSync(new URL(`keys/${name}.pem`, import.meta.url), "utf8");
const pair = (name: string) => ({ key: read(`${name}-key`), certificate: read(`${name}-certificate`) });

export const rsa = pair("rsa");
export const other = pair("other");
export const curve = pair("curve");
export const own = pair("own");
