// Operations of an API: the method and the path. The rest is in the API's own description.

import type { BlockOf } from "../../content/document";
import { createStrip, type Strip } from "../flow/strip";
import { MAX_TITLE } from "../limits";
import { fitText } from "../text/fit-text";
import { sumWidths } from "../text/lines";
import { createTextStyle, shapeText, toPrintableLine } from "../text/runs";
import { COLORS, METHOD_COLORS, SIZES } from "../theme";
import { getReferenceName, type LayoutContext, resolveReferenceTarget } from "./layout-context";
import { drawLine } from "./paragraphs";
import { getData, readString, toReference } from "./read-document";
import { layOutPlainText } from "./text";

/** Lays out an operation or a webhook: its method, and its path or its name. */
export function layOutOperation(
  block: BlockOf<"openapi-operation"> | BlockOf<"openapi-webhook"> | BlockOf<"swagger">,
  context: LayoutContext,
): Iterable<Strip> {
  const { method, path, name, ref }: { readonly [member: string]: unknown } = getData(block);
  const { typeset, width, space } = context;
  const verb = toPrintableLine(readString(method), 12).toUpperCase() || "…";
  const color = Object.hasOwn(METHOD_COLORS, verb) ? METHOD_COLORS[verb]! : COLORS.muted;
  const label = shapeText(typeset, verb, createTextStyle(SIZES.footer, { isBold: true, color: COLORS.white }));
  const chip = sumWidths(label) + 12;
  const style = createTextStyle(SIZES.table, { isMono: true, isBold: true });
  const title = toPrintableLine(readString(block.type === "openapi-webhook" ? name : path), MAX_TITLE) || "…";
  const shown = fitText(typeset, title, style, width - chip - 34);
  const target = resolveReferenceTarget(toReference(ref), context);
  const strip = createStrip({
    height: 30,
    before: space + 2,
    after: space + 2,
    base: 18.5,
    draw: (sheet, left, top) => {
      sheet.fillBox(left, top, width, 30, COLORS.wash, 4);
      sheet.strokeBox(left, top, width, 30, COLORS.line, 4, 0.6);
      sheet.fillBox(left + 10, top + 7.5, chip, 15, color, 3);
      drawLine(sheet, label, left + 16, top + 17.8, SIZES.footer.size);
      drawLine(sheet, shown, left + chip + 20, top + 18.3, SIZES.table.size);
      if (target) sheet.addLink({ left, top, right: left + width, bottom: top + 30, target });
    },
  });
  return [strip];
}

export function layOutSchemas(block: BlockOf<"openapi-schemas">, context: LayoutContext): Iterable<Strip> {
  const { schemas: names, ref } = getData(block);
  const listed = Array.isArray(names)
    ? names.map((name) => toPrintableLine(readString(name), MAX_TITLE)).filter(Boolean)
    : [];
  const spec = getReferenceName(toReference(ref), context);
  return layOutPlainText([...(spec ? [`${spec}:`] : []), listed.join(", ")].join(" "), context);
}
