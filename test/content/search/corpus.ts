// The documentation of a product family that does not exist: what the labelled queries are asked of.

import { code } from "./corpus/code.js";
import { deploy } from "./corpus/deploy.js";
import { gate } from "./corpus/gate.js";
import { languages } from "./corpus/languages.js";
import { relay } from "./corpus/relay.js";
import { store } from "./corpus/store.js";

export const corpus = [...store, ...relay, ...gate, ...deploy, ...code, ...languages];
