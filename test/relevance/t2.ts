import { show, P, boosts, lengthMatters, list } from "./tune";
import { Q } from "../../src/content/search/query";
for (const pair of [0, 0.3, 0.7, 1, 1.5]) for (const small of [0.1, 0.3, 0.6, 1]) { Q.PAIR = pair; Q.SMALL = small; show(`pair ${pair} small ${small}`); }
Q.PAIR = 0.7; Q.SMALL = 0.3; list();
