// The documentation of an imaginary product family, for the labelled queries.

import { code } from "./corpus/code";
import { deploy } from "./corpus/deploy";
import { gate } from "./corpus/gate";
import { languages } from "./corpus/languages";
import { relay } from "./corpus/relay";
import { store } from "./corpus/store";

export const corpus = [...store, ...relay, ...gate, ...deploy, ...code, ...languages];
