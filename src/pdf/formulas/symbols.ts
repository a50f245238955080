// What is known of the characters of formulas: how letters look that have an alphabet of their own, and how much space
// operators take.

/** How a letter looks. */
export interface Letter {
  readonly text: string;
  readonly look: "plain" | "bold" | "italic" | "double";
}

/** The alphabets of mathematics, each with its capitals and small letters one after the other. */
const ALPHABETS: readonly Letter["look"][] = [
  ...(["bold", "italic", "bold", "italic", "bold", "italic", "double"] as const),
  ...(["bold", "plain", "bold", "italic", "bold", "plain"] as const),
];

const SCRIPTS = "ℬℰℱℋℐℒℳℛℯℊℴ";
const DOUBLE = "ℂℍℕℙℚℝℤ";

/** A letter of one of the alphabets as a plain letter; undefined for all others. */
export function letterOf(character: string): Letter | undefined {
  const codePoint = character.codePointAt(0)!;
  const text = character.normalize("NFKD");
  if (DOUBLE.includes(character)) return { text, look: "double" };
  if (SCRIPTS.includes(character) || character === "ℎ") return { text, look: "italic" };
  if (codePoint < 0x1d400 || codePoint > 0x1d7ff) return undefined;
  const look = ALPHABETS[Math.floor((codePoint - 0x1d400) / 52)];
  return { text, look: look ?? (codePoint >= 0x1d7d8 && codePoint <= 0x1d7e1 ? "double" : "bold") };
}

const RELATIONS = "=<>≤≥≠≈≡∼≅∝∈∉∋⊂⊃⊆⊇⊄→←↔⇒⇐⇔↦⟶⟵⟹⟸⟺↑↓≪≫⊢⊨∣∥⊥:≔≃≺≻⪯⪰↪↩⇌";
const BINARY = "+−-±∓×÷⋅·∗*∪∩∧∨∘⊕⊗⊖⊙∖⊎⊔⊓†‡⋆";
const LARGE = "∑∏∐⋃⋂⋁⋀⨁⨂⨀";
const INTEGRALS = "∫∬∭∮";

/** What kind of an operator a character is. */
export function kindOf(text: string): "relation" | "binary" | "punctuation" | "large" | "integral" | "other" {
  if (text === "," || text === ";") return "punctuation";
  if (text.length === 0 || [...text].length > 1) return "other";
  if (RELATIONS.includes(text)) return "relation";
  if (BINARY.includes(text)) return "binary";
  if (LARGE.includes(text)) return "large";
  return INTEGRALS.includes(text) ? "integral" : "other";
}

/** Signs that few fonts have, as ones that say the same. */
const ALIKE: Readonly<Record<string, string>> = {
  "⟹": "⇒",
  "⟸": "⇐",
  "⟺": "⇔",
  "⟶": "→",
  "⟵": "←",
  "⟷": "↔",
  "∣": "|",
  "≪": "<<",
  "≫": ">>",
  "⋯": "…",
  ℓ: "l",
  ℏ: "h",
  "∖": "\\",
  "≔": ":=",
  "∐": "∏",
  "⋃": "∪",
  "⋂": "∩",
  "⋁": "∨",
  "⋀": "∧",
  "⨁": "⊕",
  "⨂": "⊗",
  "∮": "∫",
  "∬": "∫∫",
  "∭": "∫∫∫",
  "≃": "≅",
  "∓": "±",
  "⋆": "∗",
  ϱ: "ρ",
  ϰ: "κ",
};

/** A text without the signs that nothing is drawn for, and with others where few fonts have them. */
export function drawable(text: string): string {
  return Array.from(text.replace(/[\u2060-\u2064]/g, ""), (sign) => ALIKE[sign] ?? sign).join("");
}
