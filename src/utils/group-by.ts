/** Groups items by a key. Keys are in the order of their first items, and items keep their order. */
export function groupBy<Item, Key>(items: Iterable<Item>, getKey: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = getKey(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
