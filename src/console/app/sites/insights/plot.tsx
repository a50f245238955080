// Plots. Each is an image with its numbers in a table below it, which is accessible and can be copied.

import { useEffect, useRef, useState } from "preact/hooks";
import { formatLocalizedNumber, formatMessage } from "../../../../locales/format-message";
import type { Language } from "../../../../locales/languages";
import { omitUndefined } from "../../../../utils/objects";
import { ScrollRegion } from "../../components/scroll-region";
import { useMessages } from "../../messages/messages";
import { type Point, roundTop } from "./time-series";

const HEIGHT = 200;
const LEFT = 44;
const BOTTOM = 24;
const TOP = 8;

/** Formats a day or a month. */
export function formatDay(at: string, language: Language, isShort = false): string {
  const isMonth = at.length === 7;
  const options: Intl.DateTimeFormatOptions = {
    timeZone: "UTC",
    month: "short",
    ...omitUndefined({
      day: isMonth ? undefined : ("numeric" as const),
      year: isMonth || !isShort ? ("numeric" as const) : undefined,
    }),
  };
  return new Intl.DateTimeFormat(language, options).format(new Date(isMonth ? `${at}-01` : at));
}

/** A bar chart of counts over time. */
export function TimePlot({ title, points }: { readonly title: string; readonly points: readonly Point[] }) {
  const messages = useMessages();
  const number = (value: number) => formatLocalizedNumber(messages.inLanguage, value);
  const total = points.reduce((sum, { value }) => sum + value, 0);
  const top = roundTop(Math.max(0, ...points.map(({ value }) => value)));
  const figure = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(720);
  // The plot has the width of its container, so that the text is not scaled.
  useEffect(() => {
    const element = figure.current!;
    const watching = new ResizeObserver(() => setWidth(Math.max(240, element.clientWidth)));
    watching.observe(element);
    return () => watching.disconnect();
  }, []);
  const room = (width - LEFT) / Math.max(1, points.length);
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top);
  // The dates that fit below the plot.
  const every = Math.max(1, Math.ceil((points.length * 80) / width));
  return (
    <figure class="plot" ref={figure}>
      <figcaption>
        <strong>{title}</strong> <span>{number(total)}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={formatMessage(messages.insights.plotSays, { title, total: number(total) })}
      >
        {[0, top / 2, top].map((value) => (
          <g key={value}>
            <line class="grid" x1={LEFT} x2={width} y1={y(value)} y2={y(value)} />
            <text x={LEFT - 6} y={y(value) + 4} text-anchor="end">
              {number(value)}
            </text>
          </g>
        ))}
        {points.map(({ at, value }, i) => (
          <g key={at}>
            {value > 0 && (
              <rect
                class="bar"
                x={LEFT + i * room + room * 0.12}
                width={room * 0.76}
                y={y(value)}
                height={y(0) - y(value)}
                rx={Math.min(3, room * 0.2)}
              >
                <title>{`${formatDay(at, messages.inLanguage)}: ${number(value)}`}</title>
              </rect>
            )}
            {i % every === 0 && (
              <text x={LEFT + i * room + room / 2} y={HEIGHT - 6} text-anchor="middle">
                {formatDay(at, messages.inLanguage, true)}
              </text>
            )}
          </g>
        ))}
      </svg>
      <details>
        <summary>{messages.insights.asTable}</summary>
        <ScrollRegion label={title}>
          <table>
            <thead>
              <tr>
                <th scope="col">{messages.insights.date}</th>
                <th scope="col">{title}</th>
              </tr>
            </thead>
            <tbody>
              {points.map(({ at, value }) => (
                <tr key={at}>
                  <th scope="row">{formatDay(at, messages.inLanguage)}</th>
                  <td>{number(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      </details>
    </figure>
  );
}

export interface Share {
  readonly key: string;
  readonly name: string;
  readonly value: number;
  readonly href?: string | undefined;
  /** The color of the bar. */
  readonly tone?: "success" | "warning" | "danger" | undefined;
}

/** A table of names and counts, whose rows are bars. */
export function BarTable({
  title,
  shares,
  empty,
}: {
  readonly title: string;
  readonly shares: readonly Share[];
  readonly empty: string;
}) {
  const messages = useMessages();
  const number = (value: number) => formatLocalizedNumber(messages.inLanguage, value);
  const most = Math.max(1, ...shares.map(({ value }) => value));
  return (
    <section class="bars">
      <h2>{title}</h2>
      {shares.length === 0 ? (
        <p class="empty">{empty}</p>
      ) : (
        <table>
          <thead class="unseen">
            <tr>
              <th scope="col">{title}</th>
              <th scope="col">{messages.insights.number}</th>
            </tr>
          </thead>
          <tbody>
            {shares.map(({ key, name, value, href, tone }) => (
              <tr key={key}>
                <th scope="row">
                  {href === undefined ? <bdi>{name}</bdi> : <a href={href}>{name}</a>}
                  <span class={`length ${tone ?? ""}`} style={{ "--share": value / most }} />
                </th>
                <td>{number(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
