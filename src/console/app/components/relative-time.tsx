// A relative time, with the exact one as its title.

import { formatMessage } from "../../../locales/format-message";
import { useMessages } from "../messages/messages";

const UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ["year", 365 * 24 * 3600],
  ["month", 30 * 24 * 3600],
  ["day", 24 * 3600],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

/** Shows a time. `sentence` contains `{when}`. "Now" fits into few sentences, so a time of this second is a second ago. */
export function RelativeTime({ at, sentence = "{when}" }: { readonly at: string; readonly sentence?: string }) {
  const { inLanguage } = useMessages();
  const seconds = (Date.parse(at) - Date.now()) / 1000;
  const format = new Intl.RelativeTimeFormat(inLanguage, { numeric: "auto" });
  const [unit, length] = UNITS.find(([, it]) => Math.abs(seconds) >= it) ?? ["second", 1];
  const when = format.format(Math.round(seconds / length) || -1, unit);
  return (
    <time dateTime={at} title={new Date(at).toLocaleString(inLanguage, { dateStyle: "long", timeStyle: "short" })}>
      {formatMessage(sentence, { when })}
    </time>
  );
}
