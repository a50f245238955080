// Values from small YAML files that strangers wrote. They are taken from the parsed tree one by one: aliases are not
// followed, so nothing multiplies, and names never become fields of an object with a prototype.

import { isMap, isScalar, type Node, parseDocument, type YAMLMap } from "yaml";
import { isYamlTooDeep } from "../page-source/yaml";
import type { VariableValue } from "../revision/entries";

/** The longest YAML that is read. */
const MAX_YAML = 256 * 1024;

/** Whether a name would reach the prototype of an object. */
export function isClosed(name: string): boolean {
  return name === "__proto__" || name === "constructor" || name === "prototype";
}

/** The map that a YAML text is; undefined when it is none. */
export function yamlMap(text: string): YAMLMap | undefined {
  if (text.length > MAX_YAML || isYamlTooDeep(text)) return undefined;
  const { contents, errors } = parseDocument(text, { uniqueKeys: false, prettyErrors: false, logLevel: "silent" });
  return errors.length === 0 && isMap(contents) ? contents : undefined;
}

/** The plain values of a map by their names; the first of two with one name counts. */
export function valuesIn(map: YAMLMap | undefined): Map<string, VariableValue> {
  const found = new Map<string, VariableValue>();
  for (const { key, value } of map?.items ?? []) {
    const name = isScalar(key) && key.value !== null ? String(key.value) : undefined;
    const plain = isScalar(value) ? value.value : undefined;
    const isPlain = typeof plain === "string" || typeof plain === "number" || typeof plain === "boolean";
    if (name !== undefined && isPlain && !found.has(name)) found.set(name, plain);
  }
  return found;
}

/** The map under a name of a map. */
export function mapIn(map: YAMLMap | undefined, name: string): YAMLMap | undefined {
  const pair = map?.items.find(({ key }) => isScalar(key) && key.value === name);
  return isMap(pair?.value as Node | undefined) ? (pair?.value as YAMLMap) : undefined;
}
