import { show, P, boosts, lengthMatters, list, engine, pages } from "./tune";
import { Q } from "../../src/content/search/query";
for (const pair of [0, 0.2, 0.4, 0.7, 1]) for (const small of [0.3, 0.6, 1]) for (const C0 of [0.1, 0.4]) { Q.PAIR = pair; Q.SMALL = small; P.C0 = C0; show(`pair ${pair} small ${small} C0 ${C0}`); }
Q.PAIR = 0.4; Q.SMALL = 0.5; P.C0 = 0.4; show("x"); list();
const f: any = engine(pages.get("en") as any);
for (const q of ["require() calls", "function with too many parameters", "exports that nobody uses", "../ imports", "import type", "loop over an array without index"]) console.log(q, f(q).slice(0, 8).join(" "));
const z: any = engine(pages.get("zh") as any);
for (const q of ["四舍五入", "返回值"]) console.log(q, z(q).slice(0, 8).join(" "));
