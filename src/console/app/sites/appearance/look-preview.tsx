// A preview of a page with the current settings. It has the width of a screen and is scaled down.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Site, SiteSpace, SiteStructure } from "../../../../generated/resources";
import type { Markup } from "../../../../utils/html";
import { Choice } from "../../components/field";
import { useMessages } from "../../messages/messages";
import { type FrameAppearance, PreviewFrame } from "../../preview/preview";
import { type ContentPlace, usePages } from "../../space/content-place";
import { findFirstPage } from "../../space/tree-rows";
import { useDocument } from "../../space/use-document";
import { collectSiteSpaces } from "../structure/structure-rows";
import type { SiteLook } from "./settings";

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
  readonly look: SiteLook;
  /** The site space to show. Default: the default site space. */
  readonly siteSpace: string | undefined;
}) {
  const messages = useMessages();
  const spaces = collectSiteSpaces(structure);
  const selectedSpace = spaces.find(({ id }) => id === wanted) ?? spaces.find((it) => it.default) ?? spaces[0];
  return selectedSpace ? (
    <SpacePreview
      organization={organization}
      site={site}
      structure={structure}
      look={look}
      siteSpace={selectedSpace}
      spaces={spaces}
    />
  ) : (
    <p class="empty">{messages.sites.noSpacesOfSite}</p>
  );
}

function SpacePreview({
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
  readonly look: SiteLook;
  readonly siteSpace: SiteSpace;
  readonly spaces: readonly SiteSpace[];
}) {
  const messages = useMessages();
  const [width, setWidth] = useState<Width>(innerWidth < 640 ? "phone" : "desktop");
  const [theme, setTheme] = useState<Theme>("as-set");
  const [drawn, setDrawn] = useState<{ readonly markup: Markup; readonly dress: FrameAppearance }>();
  const place: ContentPlace = { organization, space: siteSpace.space.id };
  const tree = usePages(place);
  const pages = tree.state === "loaded" ? tree.value.pages : undefined;
  const page = pages && findFirstPage(pages);
  const found = useDocument(place, page?.kind === "sheet" ? page.id : undefined);
  const document = found.state === "loaded" ? found.value : undefined;
  useEffect(() => {
    if (!pages) return undefined;
    let isOver = false;
    void import("./draw-look").then(async ({ drawLook, getFrameAppearance: dressOf }) => {
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
          label={messages.appearance.previewWidth}
          value={width}
          onChange={setWidth}
          options={[
            ["desktop", messages.appearance.desktop],
            ["phone", messages.appearance.phone],
          ]}
        />
        <Choice
          label={messages.appearance.previewTheme}
          value={theme}
          onChange={setTheme}
          options={[
            ["as-set", messages.appearance.asSet],
            ["light", messages.appearance.light],
            ["dark", messages.appearance.dark],
          ]}
        />
      </div>
      <Scaled width={WIDTHS[width]}>
        <PreviewFrame markup={drawn?.markup} title={messages.editor.preview} dress={drawn?.dress} />
      </Scaled>
    </div>
  );
}

/** Shows its content at the width of a screen, scaled down to fit. */
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
