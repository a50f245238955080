// What Intl of the world asks: dates, numbers, lists and plurals as texts of a language, and the order of texts. Without a
// locale it is en-US, and without a time zone it is UTC, wherever the server stands.

import { member } from "./host-functions";

/** Steps of making a formatter, and of using one. */
const STEPS_A_FORMATTER = 20_000;
const STEPS_A_USE = 400;
/** Formatters that a run keeps. */
const MOST_FORMATTERS = 20;
/** The locales and options of a formatter as JSON, and the digits of a number. */
const MOST_CHARACTERS = 4096;
const MOST_DIGITS = 1000;

interface Settings {
  readonly kind: string;
  readonly locales: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

/** Something of Intl, with the methods that are asked for by name. */
type Formatter = Readonly<Record<string, ((...args: unknown[]) => unknown) | undefined>>;

const makers: Readonly<Record<string, (locales: string[], options: object) => object>> = {
  Collator: (locales, options) => new Intl.Collator(locales, options),
  DateTimeFormat: (locales, options) => new Intl.DateTimeFormat(locales, { timeZone: "UTC", ...options }),
  ListFormat: (locales, options) => new Intl.ListFormat(locales, options),
  NumberFormat: (locales, options) => new Intl.NumberFormat(locales, options),
  PluralRules: (locales, options) => new Intl.PluralRules(locales, options),
  RelativeTimeFormat: (locales, options) => new Intl.RelativeTimeFormat(locales, options),
};

const methods = ["format", "formatToParts", "formatRange", "compare", "select", "resolvedOptions"];
const dateMethods = ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"] as const;

export class Locale {
  private readonly formatters = new Map<string, Formatter>();

  /** `charge` takes steps of the run, and throws when there are none. */
  constructor(private readonly charge: (steps: number) => void) {}

  /** What a question of the world gives, as JSON. */
  answer(question: unknown): string {
    try {
      return JSON.stringify({ value: this.value(question) });
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
      return JSON.stringify({ error: error.name, message: error.message.slice(0, 500) });
    }
  }

  private value(question: unknown): unknown {
    this.charge(STEPS_A_USE);
    const settings = settingsOf(question);
    const method = String(member(question, "method"));
    const given = member(question, "args");
    const args = Array.isArray(given) ? given.map(argumentOf) : [];
    const date = dateMethods.find((one) => one === method);
    if (settings.kind === "Date" && date) return this.date(settings, date, Number(args[0]));
    if (method === "getCanonicalLocales") return Intl.getCanonicalLocales([...settings.locales]);
    if (method === "supportedLocalesOf") return Intl.Collator.supportedLocalesOf([...settings.locales]);
    const formatter = this.formatter(settings);
    if (!methods.includes(method)) throw new TypeError("There is no such method.");
    return formatter[method]?.(...args);
  }

  private date({ locales, options }: Settings, method: (typeof dateMethods)[number], time: number): string {
    this.charge(STEPS_A_FORMATTER);
    return new Date(time)[method](languages(locales), { timeZone: "UTC", ...options });
  }

  private formatter(settings: Settings): Formatter {
    const name = JSON.stringify(settings);
    const known = this.formatters.get(name);
    if (known) return known;
    this.charge(STEPS_A_FORMATTER);
    const make = Object.hasOwn(makers, settings.kind) ? makers[settings.kind] : undefined;
    if (!make) throw new TypeError("There is no such formatter.");
    const made = make(languages(settings.locales), settings.options) as Formatter;
    if (this.formatters.size >= MOST_FORMATTERS) this.formatters.clear();
    this.formatters.set(name, made);
    return made;
  }
}

function languages(locales: readonly string[]): string[] {
  return locales.length > 0 ? [...locales] : ["en-US"];
}

function settingsOf(question: unknown): Settings {
  const locales = member(question, "locales");
  const options = member(question, "options");
  const settings = {
    kind: String(member(question, "kind")),
    locales: Array.isArray(locales) ? locales.map(String) : [],
    options: typeof options === "object" && options !== null ? (options as Record<string, unknown>) : {},
  };
  if (JSON.stringify(settings).length > MOST_CHARACTERS) throw new RangeError("The options are too long.");
  return settings;
}

/** Numbers come as texts, because JSON does not have all of them. */
function argumentOf(value: unknown): unknown {
  const big = member(value, "big");
  const number = member(value, "number");
  if (typeof number === "string") return Number(number);
  if (typeof big !== "string") return value;
  if (big.length > MOST_DIGITS) throw new RangeError(`A number has ${MOST_DIGITS} digits at most.`);
  return BigInt(big);
}
