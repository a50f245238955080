// The functions behind Intl in the world: dates, numbers, lists and plurals as texts of a language, and the order of
// texts. The default locale is en-US and the default time zone is UTC, whatever those of the server are.

import { getMember } from "./untrusted";

/** The steps of creating a formatter, and of using one. */
const FORMATTER_STEPS = 20_000;
const CALL_STEPS = 400;
/** The number of formatters that a run caches. */
const MAX_FORMATTERS = 20;
/** The length of the locales and options of a formatter as JSON. */
const MAX_SETTINGS_LENGTH = 4096;
const MAX_BIGINT_DIGITS = 1000;

interface IntlSettings {
  readonly kind: string;
  readonly locales: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

/** An object of Intl, whose methods are called by name. */
type IntlFormatter = Readonly<Record<string, ((...args: unknown[]) => unknown) | undefined>>;

const FORMATTERS: Readonly<Record<string, (locales: string[], options: object) => object>> = {
  Collator: (locales, options) => new Intl.Collator(locales, options),
  DateTimeFormat: (locales, options) => new Intl.DateTimeFormat(locales, { timeZone: "UTC", ...options }),
  ListFormat: (locales, options) => new Intl.ListFormat(locales, options),
  NumberFormat: (locales, options) => new Intl.NumberFormat(locales, options),
  PluralRules: (locales, options) => new Intl.PluralRules(locales, options),
  RelativeTimeFormat: (locales, options) => new Intl.RelativeTimeFormat(locales, options),
};

const FORMATTER_METHODS = ["format", "formatToParts", "formatRange", "compare", "select", "resolvedOptions"];
const DATE_METHODS = ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"] as const;

export class IntlFunctions {
  private readonly formatters = new Map<string, IntlFormatter>();

  /** `charge` takes steps of the run, and throws when there are none left. */
  constructor(private readonly charge: (steps: number) => void) {}

  /** Returns the result of a call of the world as JSON. */
  call(request: unknown): string {
    try {
      return JSON.stringify({ value: this.compute(request) });
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
      return JSON.stringify({ error: error.name, message: error.message.slice(0, 500) });
    }
  }

  private compute(request: unknown): unknown {
    this.charge(CALL_STEPS);
    const requestedLocales = getMember(request, "locales");
    const options = getMember(request, "options");
    const settings: IntlSettings = {
      kind: String(getMember(request, "kind")),
      locales: Array.isArray(requestedLocales) ? requestedLocales.map(String) : [],
      options: typeof options === "object" && options !== null ? (options as Record<string, unknown>) : {},
    };
    if (JSON.stringify(settings).length > MAX_SETTINGS_LENGTH) throw new RangeError("The options are too long.");

    const method = String(getMember(request, "method"));
    const requestedArgs = getMember(request, "args");
    // Numbers are sent as texts, because JSON does not have all of them.
    const args = (Array.isArray(requestedArgs) ? requestedArgs : []).map((value: unknown) => {
      const number = getMember(value, "number");
      if (typeof number === "string") return Number(number);
      const bigint = getMember(value, "big");
      if (typeof bigint !== "string") return value;
      if (bigint.length > MAX_BIGINT_DIGITS) throw new RangeError(`A number has ${MAX_BIGINT_DIGITS} digits at most.`);
      return BigInt(bigint);
    });
    const locales = settings.locales.length > 0 ? [...settings.locales] : ["en-US"];

    const dateMethod = DATE_METHODS.find((dateMethod) => dateMethod === method);
    if (settings.kind === "Date" && dateMethod) {
      this.charge(FORMATTER_STEPS);
      return new Date(Number(args[0]))[dateMethod](locales, { timeZone: "UTC", ...settings.options });
    }
    if (method === "getCanonicalLocales") return Intl.getCanonicalLocales([...settings.locales]);
    if (method === "supportedLocalesOf") return Intl.Collator.supportedLocalesOf([...settings.locales]);

    const key = JSON.stringify(settings);
    let formatter = this.formatters.get(key);
    if (!formatter) {
      this.charge(FORMATTER_STEPS);
      const create = Object.hasOwn(FORMATTERS, settings.kind) ? FORMATTERS[settings.kind] : undefined;
      if (!create) throw new TypeError("There is no such formatter.");
      formatter = create(locales, settings.options) as IntlFormatter;
      if (this.formatters.size >= MAX_FORMATTERS) this.formatters.clear();
      this.formatters.set(key, formatter);
    }
    if (!FORMATTER_METHODS.includes(method)) throw new TypeError("There is no such method.");
    return formatter[method]?.(...args);
  }
}
