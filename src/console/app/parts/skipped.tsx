// What an import or a run of Git did not take, or not as it was, and why.

import { filled, numberIn, useWords } from "../words/words";
import { Scrolls } from "./scrolls";

export function SkippedList({
  skipped,
}: {
  readonly skipped: readonly { readonly resource: string; readonly reason: string }[];
}) {
  const words = useWords();
  if (skipped.length === 0) return null;
  return (
    <details class="left-out-list" open={skipped.length <= 10}>
      <summary>{filled(words.skipped, { count: numberIn(words.inLanguage, skipped.length) })}</summary>
      <Scrolls label={words.skippedWhat}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.skippedWhat}</th>
              <th scope="col">{words.skippedWhy}</th>
            </tr>
          </thead>
          <tbody>
            {skipped.map(({ resource, reason }) => (
              <tr key={`${resource} ${reason}`}>
                <td>
                  <code>{resource}</code>
                </td>
                <td>{reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolls>
    </details>
  );
}
