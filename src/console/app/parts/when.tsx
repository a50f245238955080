// A time, as people say it, with the exact one behind it.

import type { Language } from "../../../locales/languages";
import { filled, useWords } from "../words/words";

const steps: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ["year", 365 * 24 * 3600],
  ["month", 30 * 24 * 3600],
  ["day", 24 * 3600],
  ["hour", 3600],
  ["minute", 60],
];

export function sinceThen(at: string, language: Language, now = Date.now()): string {
  const seconds = (Date.parse(at) - now) / 1000;
  const told = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const step = steps.find(([, length]) => Math.abs(seconds) >= length);
  return step ? told.format(Math.round(seconds / step[1]), step[0]) : told.format(0, "second");
}

/** The day and the time of day. */
export const exactly = (at: string, language: Language): string => new Date(at).toLocaleString(language);

/** `sentence` has `{when}` in it. */
export function When({ at, sentence = "{when}" }: { readonly at: string; readonly sentence?: string }) {
  const { inLanguage } = useWords();
  return (
    <time dateTime={at} title={exactly(at, inLanguage)}>
      {filled(sentence, { when: sinceThen(at, inLanguage) })}
    </time>
  );
}
