// A list that is asked for to its end, where people choose from it.

import { useEffect } from "preact/hooks";
import type { ClientInput, ItemOf, ListName } from "../../../client";
import { type ReadingList, useList } from "./reads";

/** What a choice offers at the most. Beyond that people search. */
const MOST = 1000;

export function useWhole<Name extends ListName>(
  name: Name,
  input: ClientInput<Name> | undefined,
): readonly ItemOf<Name>[] {
  const list: ReadingList<ItemOf<Name>> = useList(name, input);
  const had = list.reading.state === "had" ? list.reading.value : [];
  useEffect(() => {
    if (had.length < MOST) list.more?.();
  });
  return had;
}
