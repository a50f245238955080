// Operations of an API: the method and the path. The rest is in the API's own description.

import type { BlockOf } from "../../content/document";
import { type Strip, strip } from "../flow/strip";
import { MAX_TITLE } from "../limits";
import { COLOURS, METHODS, SIZES } from "../look";
import { oneLine } from "../text/clean";
import { fitted } from "../text/fitted";
import { plain } from "../text/items";
import { widthOf } from "../text/lines";
import { setRuns } from "../text/runs";
import { drawLine } from "./paragraphs";
import { dataOf, refIn, textIn } from "./reading";
import { leadsTo, nameOf, type Setting } from "./setting";
import { plainParagraph } from "./text";

/** An operation at a path. */
export function* operation(
  block: BlockOf<"openapi-operation"> | BlockOf<"swagger">,
  setting: Setting,
): Generator<Strip> {
  const { method, path, ref } = dataOf(block as BlockOf<"openapi-operation">);
  yield operationStrip(textIn(method), textIn(path), ref, setting);
}

/** A webhook by its name. */
export function* webhook(block: BlockOf<"openapi-webhook">, setting: Setting): Generator<Strip> {
  const { method, name, ref } = dataOf(block);
  yield operationStrip(textIn(method), textIn(name), ref, setting);
}

/** Schemas by their names. */
export function* schemas(block: BlockOf<"openapi-schemas">, setting: Setting): Generator<Strip> {
  const { schemas: names, ref } = dataOf(block);
  const listed = Array.isArray(names) ? names.map((name) => oneLine(textIn(name), MAX_TITLE)).filter(Boolean) : [];
  const spec = nameOf(refIn(ref), setting);
  yield* plainParagraph([...(spec ? [`${spec}:`] : []), listed.join(", ")].join(" "), setting);
}

function operationStrip(method: string, path: string, ref: unknown, setting: Setting): Strip {
  const { typeset, width, space } = setting;
  const verb = oneLine(method, 12).toUpperCase() || "…";
  const colour = Object.hasOwn(METHODS, verb) ? METHODS[verb]! : COLOURS.muted;
  const label = setRuns(typeset, verb, plain(SIZES.footer, { isBold: true, colour: COLOURS.white }));
  const chip = widthOf(label) + 12;
  const style = plain(SIZES.table, { isMono: true, isBold: true });
  const shown = fitted(typeset, oneLine(path, MAX_TITLE) || "…", style, width - chip - 34);
  const target = leadsTo(refIn(ref), setting);
  return strip({
    height: 30,
    before: space + 2,
    after: space + 2,
    base: 18.5,
    draw: (sheet, left, top) => {
      sheet.fillBox(left, top, width, 30, COLOURS.wash, 4);
      sheet.strokeBox(left, top, width, 30, COLOURS.line, 4, 0.6);
      sheet.fillBox(left + 10, top + 7.5, chip, 15, colour, 3);
      drawLine(sheet, label, left + 16, top + 17.8, SIZES.footer.size);
      drawLine(sheet, shown, left + chip + 20, top + 18.3, SIZES.table.size);
      if (target) sheet.link({ left, top, right: left + width, bottom: top + 30, target });
    },
  });
}
