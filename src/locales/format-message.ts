// Formats messages: fills their placeholders, and chooses the plural form of a number.

import { getLanguageTag, type Language } from "./languages";

/**
 * A message in the plural forms of its language: English has two, Russian four, Japanese one. `{count}` is the number. `other`
 * is the form of all numbers without a form of their own.
 */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

type MessageValues = Readonly<Record<string, string | number>>;

/** Fills the placeholders of a message, such as `{name}`. A placeholder without a value stays as it is. */
export function formatMessage(message: string, values: MessageValues): string {
  return message.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}

/** Formats a message with the plural form of a number. `{count}` is the number. */
export function formatPlural(
  language: Language,
  forms: PluralForms,
  count: number,
  values: MessageValues = {},
): string {
  const form = forms[new Intl.PluralRules(language).select(count)] ?? forms.other;
  return formatMessage(form, { ...values, count: formatLocalizedNumber(language, count) });
}

/** Formats a number in a language. */
export function formatLocalizedNumber(language: Language, value: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(language, options).format(value);
}

/** Formats the day in UTC that an ISO 8601 date or timestamp begins with, such as "November 19, 2026". Other texts stay as they are. */
export function formatDay(language: Language, date: string): string {
  const day = new Date(date.slice(0, 10));
  if (date.length < 10 || Number.isNaN(day.getTime())) return date;
  return day.toLocaleDateString(getLanguageTag(language), { dateStyle: "long", timeZone: "UTC" });
}
