import { show, P, boosts, lengthMatters, list } from "./tune";
show("base"); list();
for (const [k, vs] of Object.entries({ TIER: [0.05,0.2,1], C0: [0,0.3,0.5], CP: [0.5,2,3], D: [0.5,0.6,0.9,1] })) { const was = P[k]; for (const v of vs) { P[k] = v; show(`${k} ${v}`);} P[k] = was!; }
for (let f = 0; f < 4; f++) { const was = boosts[f]!; for (const m of [0.5, 0.75, 1.5, 2]) { boosts[f] = was*m; show(`boost ${f} *${m}`);} boosts[f] = was; }
for (let f = 0; f < 4; f++) { const was = lengthMatters[f]!; for (const m of [0.3, 0.5, 0.75, 0.9]) { lengthMatters[f] = m; show(`length ${f} ${m}`);} lengthMatters[f] = was; }
