// The items that an import or a Git run skipped or changed, with the reasons.

import { formatLocalizedNumber, formatMessage } from "../../../locales/format-message";
import { useMessages } from "../messages/messages";
import { ScrollRegion } from "./scroll-region";

export function SkippedList({
  skipped,
}: {
  readonly skipped: readonly { readonly resource: string; readonly reason: string }[];
}) {
  const messages = useMessages();
  if (skipped.length === 0) return null;
  return (
    <details class="left-out-list" open={skipped.length <= 10}>
      <summary>
        {formatMessage(messages.imports.skipped, { count: formatLocalizedNumber(messages.inLanguage, skipped.length) })}
      </summary>
      <ScrollRegion label={messages.imports.skippedWhat}>
        <table>
          <thead>
            <tr>
              <th scope="col">{messages.imports.skippedWhat}</th>
              <th scope="col">{messages.imports.skippedWhy}</th>
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
      </ScrollRegion>
    </details>
  );
}
