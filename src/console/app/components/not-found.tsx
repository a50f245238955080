// The page for an unknown path.

import { useEffect } from "preact/hooks";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { notifyPageChange } from "./announcements";

export function NotFound() {
  const messages = useMessages();
  useEffect(() => notifyPageChange(messages.general.notFound), []);
  return (
    <div class="failed">
      <h1>{messages.general.notFound}</h1>
      <p>{messages.general.notFoundWhy}</p>
      <p>
        <a href={addresses.home()}>{messages.home.chooseOrganization}</a>
      </p>
    </div>
  );
}
