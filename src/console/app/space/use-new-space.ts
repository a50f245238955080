// Creates a space and opens its first page in the editor.

import { useLocation } from "preact-iso/router";
import { runMutation } from "../api/mutations";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { applyChanges } from "./content-place";

/** Returns a function that creates a space with an empty page, in a collection or at the top, and opens `part` of it. */
export function useNewSpace(
  organization: string,
  parent: string | null = null,
): (part?: "import" | "git") => Promise<void> {
  const messages = useMessages();
  const { route } = useLocation();
  return async (part) => {
    const { id } = await runMutation("createSpace", {
      params: { organizationId: organization },
      body: { title: messages.library.untitledSpace, parent },
    });
    if (part !== undefined) return route(addresses.ofSpace(organization, id, part));
    const first = { operation: "insert_page", title: messages.space.untitledPage, document: { markdown: "" } } as const;
    await applyChanges({ organization, space: id }, [first]);
    return route(`${addresses.space(organization, id)}?edit`);
  };
}
