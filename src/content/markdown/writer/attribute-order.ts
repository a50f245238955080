// Sorts attributes in the order of another text, so that the two texts can be compared word by word.

const HTML_TAG = /<([A-Za-z][A-Za-z0-9-]*)((?:\s+[A-Za-z_:][\w.:-]*(?:="[^"]*"|='[^']*'|=[^\s"'=<>`]+)?)+)/;
const TEMPLATE_TAG = /\{%\s*([@\w./-]+)((?:\s+[A-Za-z_][\w-]*=(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s"'%]+))+)/;
const TAG = new RegExp(`${HTML_TAG.source}|${TEMPLATE_TAG.source}`, "g");
const ATTRIBUTE = /([A-Za-z_:][\w.:-]*)(?:=(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s"']+))?/g;

/** Sorts the attributes of the tags in a text as those in the source, tag by tag of each name. */
export function matchAttributeOrder(source: string, written: string): string {
  const orders = new Map<string, string[][]>();
  for (const { name, attributes } of findAttributes(source)) {
    const known = orders.get(name) ?? [];
    orders.set(name, known);
    known.push(attributes.map((attribute) => attribute.name));
  }
  let text = "";
  let done = 0;
  for (const { name, attributes, start, end } of findAttributes(written)) {
    const order = orders.get(name)?.shift() ?? [];
    const isKnown = (attribute: Attribute) => order.includes(attribute.name);
    const known = attributes.filter(isKnown).sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
    // Other attributes keep their places: the text can be code.
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

/** Finds the tags that have attributes, with the place of those. */
function findAttributes(text: string) {
  return Array.from(text.matchAll(TAG), (match) => {
    const source = match[2] ?? match[4]!;
    const attributes = Array.from(
      source.matchAll(ATTRIBUTE),
      ([whole, name]): Attribute => ({ name: name!.toLowerCase(), text: whole }),
    );
    const end = match.index + match[0].length;
    return { name: (match[1] ?? match[3]!).toLowerCase(), attributes, start: end - source.length, end };
  });
}
