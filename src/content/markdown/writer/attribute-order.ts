// Attributes in the order that somebody else wrote them in, so that two texts can be compared word by word.

/** A tag of HTML, or one of ours. */
const TAG =
  /<([A-Za-z][A-Za-z0-9-]*)((?:\s+[A-Za-z_:][\w.:-]*(?:="[^"]*"|='[^']*'|=[^\s"'=<>`]+)?)+)|\{%\s*([@\w./-]+)((?:\s+[A-Za-z_][\w-]*=(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s"'%]+))+)/g;
const ATTRIBUTE = /([A-Za-z_:][\w.:-]*)(?:=(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s"']+))?/g;

/** A written text whose tags have their attributes in the order of the source, tag by tag of each name. */
export function inOrderOf(source: string, written: string): string {
  const orders = new Map<string, string[][]>();
  for (const { name, attributes } of tagsIn(source)) {
    const known = orders.get(name) ?? [];
    orders.set(name, known);
    known.push(attributes.map((attribute) => attribute.name));
  }
  let text = "";
  let done = 0;
  for (const { name, attributes, start, end } of tagsIn(written)) {
    const order = orders.get(name)?.shift() ?? [];
    const isKnown = (attribute: Attribute) => order.includes(attribute.name);
    const known = attributes.filter(isKnown).sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
    // The others stay where they are: it may be code, which says what it says.
    const sorted = attributes.map((attribute) => (isKnown(attribute) ? known.shift()! : attribute));
    if (sorted.every((attribute, i) => attribute === attributes[i])) continue;
    text += `${written.slice(done, start)} ${sorted.map((attribute) => attribute.text).join(" ")}`;
    done = end;
  }
  return text + written.slice(done);
}

interface Attribute {
  readonly name: string;
  readonly text: string;
}

/** The tags that have attributes, with the place of those. */
function tagsIn(text: string) {
  return Array.from(text.matchAll(TAG), (found) => {
    const said = found[2] ?? found[4]!;
    const attributes = Array.from(
      said.matchAll(ATTRIBUTE),
      ([whole, name]): Attribute => ({ name: name!.toLowerCase(), text: whole }),
    );
    const end = found.index + found[0].length;
    return { name: (found[1] ?? found[3]!).toLowerCase(), attributes, start: end - said.length, end };
  });
}
