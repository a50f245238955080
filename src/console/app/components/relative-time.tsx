// A relative time, with the exact one as its title.

import { formatMessage } from "../../../locales/format-message";
import { useMessages } from "../messages/messages";

const UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ["year", 365 * 24 * 3600],
  ["month", 30 * 24 * 3600],
  ["day", 24 * 3600],
  ["hour", 3600],
  ["minute", 60],
];

/** Shows a time. `sentence` contains `{when}`. */
export function RelativeTime({ at, sentence = "{when}" }: { readonly at: string; readonly sentence?: string }) {
  const { inLanguage } = useMessages();
  const seconds = (Date.parse(at) - Date.now()) / 1000;
  const format = new Intl.RelativeTimeFormat(inLanguage, { numeric: "auto" });
  const unit = UNITS.find(([, length]) => Math.abs(seconds) >= length);
  const when = unit ? format.format(Math.round(seconds / unit[1]), unit[0]) : format.format(0, "second");
  return (
    <time dateTime={at} title={new Date(at).toLocaleString(inLanguage)}>
      {formatMessage(sentence, { when })}
    </time>
  );
}
