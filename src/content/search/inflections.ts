// The other forms of an English or German word: plurals, -ed, -ing, cases. They are looked up at query time; nothing is stemmed in the
// index. So a word is always found first as it was written, and words of other languages are affected only if such a
// form occurs.

const english = /^[a-z]{3,}$/;

/** Forms that a word may also have. Some of them do not exist, which costs one lookup each. */
export function formsOf(word: string): readonly string[] {
  if (!english.test(word)) return [];
  const forms = new Set<string>();
  for (const base of basesOf(word)) for (const form of grow(base)) forms.add(form);
  forms.delete(word);
  return [...forms];
}

function basesOf(word: string): string[] {
  const bases = [word];
  const without = (ending: string) => (word.endsWith(ending) ? word.slice(0, -ending.length) : "");
  const add = (base: string) => {
    if (base.length >= 3) bases.push(base);
  };
  if (word.endsWith("ies")) add(`${without("ies")}y`);
  else if (/(?:s|x|z|ch|sh)es$/.test(word)) add(without("es"));
  else if (/[^sui]s$/.test(word)) add(without("s"));
  for (const ending of ["ing", "ed"]) {
    const stem = without(ending);
    if (stem.length < 3) continue;
    add(stem);
    add(`${stem}e`);
    if (stem.at(-1) === stem.at(-2)) add(stem.slice(0, -1));
    if (ending === "ed" && stem.endsWith("i")) add(`${stem.slice(0, -1)}y`);
  }
  return bases;
}

function grow(base: string): string[] {
  if (base.endsWith("e")) {
    const stem = base.slice(0, -1);
    return [base, `${base}s`, `${base}d`, `${stem}ing`];
  }
  if (/[^aeiou]y$/.test(base)) {
    const stem = base.slice(0, -1);
    return [base, `${stem}ies`, `${stem}ied`, `${base}ing`];
  }
  const forms = [base, `${base}s`, `${base}es`, `${base}ed`, `${base}ing`];
  if (/[^aeiou][aeiou][bdgklmnprt]$/.test(base)) {
    const doubled = base + base.at(-1);
    forms.push(`${doubled}ed`, `${doubled}ing`);
  }
  return forms;
}

const latin = /^[a-z]{4,}$/;
const germanEndings = ["e", "en", "er", "ern", "n", "s", "es", "em"] as const;
/** Of a shorter word an ending is part of the word. */
const shortestStem = 4;

/** What a German word may also be: other cases, plurals. They are uncertain, because languages are not told apart. */
export function germanFormsOf(word: string): readonly string[] {
  if (!latin.test(word)) return [];
  const stems = [word];
  for (const ending of germanEndings)
    if (word.endsWith(ending) && word.length - ending.length >= shortestStem) stems.push(word.slice(0, -ending.length));
  const forms = new Set(stems.flatMap((stem) => [stem, ...germanEndings.map((ending) => stem + ending)]));
  forms.delete(word);
  return [...forms];
}
