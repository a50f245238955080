// The documentation of a product family that does not exist: what the labelled queries are asked of.

import { code } from "./corpus/code";
import { deploy } from "./corpus/deploy";
import { gate } from "./corpus/gate";
import { languages } from "./corpus/languages";
import { relay } from "./corpus/relay";
import { store } from "./corpus/store";

export const corpus = [...store, ...relay, ...gate, ...deploy, ...code, ...languages];
