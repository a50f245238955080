// Lists the other forms of English and German words: plurals, -ed, -ing, cases. They are looked up when a query runs; the index has no
// stems. So a word is always found first as it was written, and words of other languages are affected only if such a form occurs.

const ENGLISH = /^[a-z]{3,}$/;

/** Returns the forms that an English word may also have. Some of them do not exist, which costs one lookup each. */
export function listInflections(word: string): readonly string[] {
  if (!ENGLISH.test(word)) return [];
  const bases = [word];
  const addBase = (base: string) => {
    if (base.length >= 3) bases.push(base);
  };
  if (word.endsWith("ies")) addBase(`${word.slice(0, -3)}y`);
  else if (/(?:s|x|z|ch|sh)es$/.test(word)) addBase(word.slice(0, -2));
  else if (/[^sui]s$/.test(word)) addBase(word.slice(0, -1));
  for (const ending of ["ing", "ed"]) {
    const stem = word.endsWith(ending) ? word.slice(0, -ending.length) : "";
    if (stem.length < 3) continue;
    addBase(stem);
    addBase(`${stem}e`);
    if (stem.at(-1) === stem.at(-2)) addBase(stem.slice(0, -1));
    if (ending === "ed" && stem.endsWith("i")) addBase(`${stem.slice(0, -1)}y`);
  }

  const forms = bases.flatMap((base) => {
    const stem = base.slice(0, -1);
    if (base.endsWith("e")) return [base, `${base}s`, `${base}d`, `${stem}ing`];
    if (/[^aeiou]y$/.test(base)) return [base, `${stem}ies`, `${stem}ied`, `${base}ing`];
    const regular = [base, `${base}s`, `${base}es`, `${base}ed`, `${base}ing`];
    const doubled = base + base.at(-1);
    return /[^aeiou][aeiou][bdgklmnprt]$/.test(base) ? [...regular, `${doubled}ed`, `${doubled}ing`] : regular;
  });
  return [...new Set(forms)].filter((form) => form !== word);
}

const GERMAN = /^[a-z]{4,}$/;
const GERMAN_ENDINGS = ["e", "en", "er", "ern", "n", "s", "es", "em"] as const;
/** The least letters before an ending. In a shorter word, the letters are part of the word. */
const MIN_STEM_LENGTH = 4;

/** Returns the cases and plurals that a German word may also have. They are uncertain, because languages are not detected. */
export function listGermanInflections(word: string): readonly string[] {
  if (!GERMAN.test(word)) return [];
  const endings = GERMAN_ENDINGS.filter(
    (ending) => word.endsWith(ending) && word.length - ending.length >= MIN_STEM_LENGTH,
  );
  const stems = [word, ...endings.map((ending) => word.slice(0, -ending.length))];
  const forms = new Set(stems.flatMap((stem) => [stem, ...GERMAN_ENDINGS.map((ending) => stem + ending)]));
  forms.delete(word);
  return [...forms];
}
