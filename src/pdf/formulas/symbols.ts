// Classifies the characters of formulas: mathematical alphabets, and the kinds of operators.

/** A letter of a mathematical alphabet, as a plain letter and its style. */
export interface MathLetter {
  readonly text: string;
  readonly look: "plain" | "bold" | "italic" | "double";
}

/** The mathematical alphabets of Unicode, in order. Each has 26 uppercase and 26 lowercase letters. */
const ALPHABETS: readonly MathLetter["look"][] = [
  ...(["bold", "italic", "bold", "italic", "bold", "italic", "double"] as const),
  ...(["bold", "plain", "bold", "italic", "bold", "plain"] as const),
];

const SCRIPTS = "ℬℰℱℋℐℒℳℛℯℊℴ";
const DOUBLE = "ℂℍℕℙℚℝℤ";

/** Converts a letter of a mathematical alphabet. Returns undefined for other characters. */
export function toMathLetter(character: string): MathLetter | undefined {
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

/** Returns the kind of an operator, which determines the space around it. */
export function getOperatorKind(text: string): "relation" | "binary" | "punctuation" | "large" | "integral" | "other" {
  if (text === "," || text === ";") return "punctuation";
  if (text.length === 0 || [...text].length > 1) return "other";
  if (RELATIONS.includes(text)) return "relation";
  if (BINARY.includes(text)) return "binary";
  if (LARGE.includes(text)) return "large";
  return INTEGRALS.includes(text) ? "integral" : "other";
}

/** Common replacements for signs that few fonts have. */
export const REPLACEMENTS: Readonly<Record<string, string>> = {
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
