// A page of the site beside the form, drawn with the settings as they are now. It is as wide as a screen, made smaller.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Site, SiteSpace, SiteStructure } from "../../../../generated/resources";
import type { Markup } from "../../../../utils/html";
import { Choice } from "../../parts/field";
import { Drawn, type Dress } from "../../preview/preview";
import { type Place, usePages } from "../../space/place";
import { firstPage } from "../../space/tree";
import { useDocument } from "../../space/use-document";
import { useWords } from "../../words/words";
import { siteSpacesIn } from "../structure/rows";
import type { Look } from "./settings";

type Width = "desktop" | "phone";
type Theme = "as-set" | "light" | "dark";

const WIDTHS: Readonly<Record<Width, number>> = { desktop: 1360, phone: 390 };

export function LookPreview({
  organization,
  site,
  structure,
  look,
  siteSpace: wanted,
}: {
  readonly organization: string;
  readonly site: Site;
  readonly structure: SiteStructure;
  readonly look: Look;
  /** The site-space to show. Default: the one that opens first. */
  readonly siteSpace: string | undefined;
}) {
  const words = useWords();
  const spaces = siteSpacesIn(structure);
  const shown = spaces.find(({ id }) => id === wanted) ?? spaces.find((it) => it.default) ?? spaces[0];
  return shown ? (
    <OfSpace
      organization={organization}
      site={site}
      structure={structure}
      look={look}
      siteSpace={shown}
      spaces={spaces}
    />
  ) : (
    <p class="empty">{words.noSpacesOfSite}</p>
  );
}

function OfSpace({
  organization,
  site,
  structure,
  look,
  siteSpace,
  spaces,
}: {
  readonly organization: string;
  readonly site: Site;
  readonly structure: SiteStructure;
  readonly look: Look;
  readonly siteSpace: SiteSpace;
  readonly spaces: readonly SiteSpace[];
}) {
  const words = useWords();
  const [width, setWidth] = useState<Width>(innerWidth < 640 ? "phone" : "desktop");
  const [theme, setTheme] = useState<Theme>("as-set");
  const [drawn, setDrawn] = useState<{ readonly markup: Markup; readonly dress: Dress }>();
  const place: Place = { organization, space: siteSpace.space.id };
  const tree = usePages(place);
  const pages = tree.state === "had" ? tree.value.pages : undefined;
  const page = pages && firstPage(pages);
  const found = useDocument(place, page?.kind === "sheet" ? page.id : undefined);
  const document = found.state === "had" ? found.value : undefined;
  useEffect(() => {
    if (!pages) return undefined;
    let isOver = false;
    void import("./draw-look").then(async ({ drawLook, dressOf }) => {
      const subject = { site, structure, siteSpaces: spaces, siteSpace, place, pages, page, document };
      const markup = await drawLook(subject, look);
      if (!isOver) setDrawn({ markup, dress: dressOf(look, theme) });
    });
    return () => {
      isOver = true;
    };
  }, [look, theme, pages, document, structure, siteSpace.id]);
  return (
    <div class="look-preview">
      <div class="choices">
        <Choice
          label={words.previewWidth}
          value={width}
          onChange={setWidth}
          options={[
            ["desktop", words.desktop],
            ["phone", words.phone],
          ]}
        />
        <Choice
          label={words.previewTheme}
          value={theme}
          onChange={setTheme}
          options={[
            ["as-set", words.asSet],
            ["light", words.light],
            ["dark", words.dark],
          ]}
        />
      </div>
      <Scaled width={WIDTHS[width]}>
        <Drawn markup={drawn?.markup} title={words.preview} dress={drawn?.dress} />
      </Scaled>
    </div>
  );
}

/** Shows what is in it as if the screen were so wide, made smaller to fit. */
function Scaled({ width, children }: { readonly width: number; readonly children: ComponentChildren }) {
  const root = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(width);
  useEffect(() => {
    const element = root.current!;
    const watching = new ResizeObserver(() => setRoom(element.clientWidth));
    watching.observe(element);
    return () => watching.disconnect();
  }, []);
  const scale = Math.min(1, room / width);
  return (
    <div class="scaled" ref={root}>
      <div
        style={{
          width: `${width}px`,
          height: `${100 / scale}%`,
          transform: `scale(${scale})`,
        }}
      >
        {children}
      </div>
    </div>
  );
}
