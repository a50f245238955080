// `npm run bench:relevance`: how well the built-in search finds the pages that answer questions, beside other engines over the same
// pages. With `-- --missed` it lists the questions of the tuning half whose page is not first.

import { engines } from "./engines";
import { loadAllPages } from "./packages";
import { heldOut, measureQuality, placeAnswers, questions, tuning } from "./questions";

const pages = loadAllPages();
const ids = new Set([...pages].flatMap(([language, of]) => of.map(({ id }) => `${language} ${id}`)));
for (const { language, query, pages: wanted } of questions)
  for (const page of wanted)
    if (!ids.has(`${language} ${page}`)) throw new Error(`There is no page ${page} for “${query}”.`);

console.log([...pages].map(([language, of]) => `${of.length} pages in ${language}`).join(", "));
const halves = { "tuning half": tuning, "held-out half": heldOut };
for (const [half, asked] of Object.entries(halves)) {
  console.log(`\n${half}, ${asked.length} questions`);
  for (const [name, engine] of Object.entries(engines)) {
    const placed = placeAnswers(engine, pages, asked);
    const { first, third, reciprocal } = measureQuality(placed);
    const each = [...pages.keys()].map((language) => {
      const those = measureQuality(placed.filter((it) => it.language === language));
      return `${language} ${those.third}/${those.questions} ${those.reciprocal.toFixed(2)}`;
    });
    console.log(
      `${name.padEnd(11)} MRR ${reciprocal.toFixed(3)}  first ${first}  top three ${third}  (${each.join(", ")})`,
    );
    if (process.argv.includes("--missed") && name === "octavo" && half === "tuning half")
      for (const { query, place, pages: wanted } of placed)
        if (place !== 1) console.log(`  ${place || "–"}  ${query} → ${wanted.join(", ")}`);
  }
}
