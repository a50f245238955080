// Intl, as far as scripts use it to show dates, numbers, lists and plurals, and to compare texts. The host has the data;
// without a locale it is en-US, and without a time zone it is UTC.

import { askValue } from "./host.js";

const now = Date.now;

const options = [
  ...["localeMatcher", "numberingSystem", "style", "type", "unit", "numeric"],
  ...["calendar", "hour12", "hourCycle", "timeZone", "timeZoneName", "formatMatcher", "dateStyle", "timeStyle"],
  ...["weekday", "era", "year", "month", "day", "dayPeriod", "hour", "minute", "second", "fractionalSecondDigits"],
  ...["currency", "currencyDisplay", "currencySign", "unitDisplay", "notation", "compactDisplay", "signDisplay"],
  ...["useGrouping", "minimumIntegerDigits", "minimumFractionDigits", "maximumFractionDigits"],
  ...["minimumSignificantDigits", "maximumSignificantDigits", "roundingMode", "roundingPriority"],
  ...["roundingIncrement", "trailingZeroDisplay", "usage", "sensitivity", "ignorePunctuation", "caseFirst"],
];

/** What a format says, each member read once. */
function settingsOf(kind, locales, given) {
  if (given === null) throw new TypeError("The options are an object.");
  const list = locales === undefined ? [] : typeof locales === "string" ? [locales] : [...locales];
  const said = {};
  for (const name of given === undefined ? [] : options) {
    const value = given[name];
    if (value !== undefined) said[name] = typeof value === "boolean" || typeof value === "number" ? value : `${value}`;
  }
  return { kind, locales: list.map((locale) => `${locale}`), options: said };
}

function ask(settings, method, ...args) {
  const { value, error, message } = askValue("intl", { ...settings, method, args });
  if (error === undefined) return value;
  throw error === "RangeError" ? new RangeError(message) : new TypeError(message);
}

/** A class of Intl whose methods the host has: the name of each, and how what it is given is told. */
function define(kind, methods, isFunction = false) {
  const settings = new WeakMap();
  const made = {
    [kind]: function (locales, given) {
      if (new.target === undefined && !isFunction) throw new TypeError(`${kind} is made with new.`);
      const self = new.target === undefined ? Object.create(made.prototype) : this;
      const said = settingsOf(kind, locales, given);
      ask(said, "resolvedOptions");
      settings.set(self, said);
      return self;
    },
  }[kind];
  const settingsFor = (self) => {
    const said = settings.get(self);
    if (!said) throw new TypeError(`This is no ${kind}.`);
    return said;
  };
  const add = (name, property) =>
    Object.defineProperty(made.prototype, name, { ...property, configurable: true, enumerable: false });
  for (const [name, told] of Object.entries(methods))
    if (name === "format" || name === "compare")
      // These are handed on without their object, as in list.map(format.format).
      add(name, {
        get() {
          const said = settingsFor(this);
          return (...args) => ask(said, name, ...told(...args));
        },
      });
    else
      add(name, {
        value(...args) {
          return ask(settingsFor(this), name, ...told(...args));
        },
        writable: true,
      });
  add("resolvedOptions", {
    value() {
      return ask(settingsFor(this), "resolvedOptions");
    },
    writable: true,
  });
  add(Symbol.toStringTag, { value: `Intl.${kind}` });
  made.supportedLocalesOf = (locales, given) => ask(settingsOf(kind, locales, given), "supportedLocalesOf");
  return made;
}

function time(value) {
  const date = value === undefined ? now() : Number(value);
  if (!(Math.abs(date) <= 8.64e15)) throw new RangeError("Invalid time value");
  return date;
}

/** JSON has no infinite numbers and no large ones. */
const number = (value) => (typeof value === "bigint" ? { big: `${value}` } : { number: `${Number(value)}` });
const texts = (list) =>
  [...list].map((one) => {
    if (typeof one !== "string") throw new TypeError("A list has texts.");
    return one;
  });

const DateTimeFormat = define(
  "DateTimeFormat",
  {
    format: (value) => [time(value)],
    formatToParts: (value) => [time(value)],
    formatRange: (from, to) => [time(from), time(to)],
  },
  true,
);
const NumberFormat = define(
  "NumberFormat",
  { format: (value) => [number(value)], formatToParts: (value) => [number(value)] },
  true,
);
const Collator = define("Collator", { compare: (a, b) => [`${a}`, `${b}`] }, true);
const PluralRules = define("PluralRules", { select: (value) => [number(value)] });
const ListFormat = define("ListFormat", { format: (list) => [texts(list)], formatToParts: (list) => [texts(list)] });
const RelativeTimeFormat = define("RelativeTimeFormat", {
  format: (value, unit) => [number(value), `${unit}`],
  formatToParts: (value, unit) => [number(value), `${unit}`],
});

/** Intl of the world. */
export const languages = {
  Collator,
  DateTimeFormat,
  ListFormat,
  NumberFormat,
  PluralRules,
  RelativeTimeFormat,
  getCanonicalLocales: (locales) => ask(settingsOf("Collator", locales), "getCanonicalLocales"),
};
Object.defineProperty(languages, Symbol.toStringTag, { value: "Intl", configurable: true });

/** Has the language's own values shown and compared by the host too. */
export function giveLocales() {
  const dates = (method) =>
    function (locales, given) {
      const value = Date.prototype.getTime.call(this);
      if (Number.isNaN(value)) return "Invalid Date";
      return ask(settingsOf("Date", locales, given), method, value);
    };
  const methods = [
    [Date.prototype, "toLocaleString", dates("toLocaleString")],
    [Date.prototype, "toLocaleDateString", dates("toLocaleDateString")],
    [Date.prototype, "toLocaleTimeString", dates("toLocaleTimeString")],
    [Number.prototype, "toLocaleString", numbers(Number.prototype.valueOf)],
    [BigInt.prototype, "toLocaleString", numbers(BigInt.prototype.valueOf)],
    [String.prototype, "localeCompare", compare],
  ];
  for (const [prototype, name, value] of methods)
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true, enumerable: false });
}

function numbers(unwrap) {
  return function (locales, given) {
    return ask(settingsOf("NumberFormat", locales, given), "format", number(unwrap.call(this)));
  };
}

function compare(that, locales, given) {
  if (this === undefined || this === null) throw new TypeError("localeCompare is called on a text.");
  return ask(settingsOf("Collator", locales, given), "compare", `${this}`, `${that}`);
}
