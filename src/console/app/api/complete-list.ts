// A hook that loads a list completely, for fields in which users choose from it.

import { useEffect } from "preact/hooks";
import type { ClientInput, ClientListItem, ListOperationName } from "../../../client";
import { type ListQuery, useList } from "./queries";

/** The most items that are loaded for a choice. */
const MAX_ITEMS = 1000;

export function useCompleteList<Name extends ListOperationName>(
  name: Name,
  input: ClientInput<Name> | undefined,
): readonly ClientListItem<Name>[] {
  const list: ListQuery<ClientListItem<Name>> = useList(name, input);
  const items = list.reading.state === "loaded" ? list.reading.value : [];
  useEffect(() => {
    if (items.length < MAX_ITEMS) list.more?.();
  });
  return items;
}
