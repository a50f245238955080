// A list that is asked for to its end, where people choose from it.

import { useEffect } from "preact/hooks";
import type { ClientInput, ClientListItem, ListOperationName } from "../../../client";
import { type ReadingList, useList } from "./reads";

/** What a choice offers at the most. Beyond that people search. */
const MOST = 1000;

export function useWhole<Name extends ListOperationName>(
  name: Name,
  input: ClientInput<Name> | undefined,
): readonly ClientListItem<Name>[] {
  const list: ReadingList<ClientListItem<Name>> = useList(name, input);
  const had = list.reading.state === "had" ? list.reading.value : [];
  useEffect(() => {
    if (had.length < MOST) list.more?.();
  });
  return had;
}
