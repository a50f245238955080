// Values from small YAML files that strangers wrote. They are taken from the parsed tree one by one: aliases are not
// followed, so nothing multiplies, and names never become members of an object with a prototype.

import { isMap, isScalar, type Node, parseDocument, type YAMLMap } from "yaml";
import { FORBIDDEN_NAMES } from "../../utils/objects";
import { isYamlTooDeep } from "../page-source/yaml";
import type { VariableValue } from "../revision/entries";

/** The longest YAML that is read. */
const MAX_YAML_LENGTH = 256 * 1024;

/** Parses YAML and returns its value, or undefined if it has an error, is too long or is nested too deep. */
export function parseSmallYaml(text: string): { readonly contents: Node | null } | undefined {
  if (text.length > MAX_YAML_LENGTH || isYamlTooDeep(text)) return undefined;
  const { contents, errors } = parseDocument(text, { uniqueKeys: false, prettyErrors: false, logLevel: "silent" });
  return errors.length === 0 ? { contents } : undefined;
}

/** Parses a map in YAML. Returns undefined if the text is anything else. */
export function parseYamlMap(text: string): YAMLMap | undefined {
  const contents = parseSmallYaml(text)?.contents;
  return isMap(contents) ? contents : undefined;
}

export function getChildMap(map: YAMLMap | undefined, name: string): YAMLMap | undefined {
  const pair = map?.items.find(({ key }) => isScalar(key) && key.value === name);
  return isMap(pair?.value as Node | undefined) ? (pair?.value as YAMLMap) : undefined;
}

/** Returns the strings, numbers and booleans of a map by name. The first of two entries with one name counts. */
export function getScalarValues(map: YAMLMap | undefined): Map<string, VariableValue> {
  const values = new Map<string, VariableValue>();
  for (const { key, value: node } of map?.items ?? []) {
    const name = isScalar(key) && key.value !== null ? String(key.value) : undefined;
    const value = isScalar(node) ? node.value : undefined;
    const isVariable = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
    if (name !== undefined && isVariable && !values.has(name)) values.set(name, value);
  }
  return values;
}

export function isValidVariable(name: string, value: VariableValue): boolean {
  const isName = /^\p{L}[\p{L}\p{N}_]{0,99}$/u.test(name) && !FORBIDDEN_NAMES.has(name);
  return isName && (typeof value !== "string" || value.length <= 256);
}
