// How a site looks, and each of its spaces: a form by groups with the page beside it, drawn with every change at once.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { CustomFont, SiteStructure } from "../../../../generated/resources";
import { useList, useRead } from "../../calls/reads";
import { useAction, write } from "../../calls/writes";
import { Button } from "../../parts/button";
import { Confirm } from "../../parts/confirm";
import { Choice } from "../../parts/field";
import { Problem, Shown } from "../../parts/shown";
import { useWords } from "../../words/words";
import { InSite, type OpenSite, type SitePlace } from "../in-site";
import { siteSpacesIn } from "../structure/rows";
import { changedLook, wholeLook } from "./change-look";
import { AnnouncementLink, FooterGroups, HeaderLinks } from "./link-fields";
import { FaviconField, FontFields, SettingField } from "./look-fields";
import { LookPreview } from "./look-preview";
import { type Group, groupsOf, type Look } from "./settings";

export function LookPage(place: SitePlace) {
  return (
    <InSite {...place} isWide>
      {(open) => <Looks {...open} organization={place.organization} />}
    </InSite>
  );
}

interface Edited extends OpenSite {
  readonly organization: string;
  readonly structure: SiteStructure;
  readonly fonts: readonly CustomFont[];
}

function Looks({ organization, ...open }: OpenSite & { readonly organization: string }) {
  const words = useWords();
  const { params } = open;
  const structure = useRead("getSiteStructure", { params });
  const fonts = useList("listFonts", { params: { organizationId: organization } });
  const [siteSpace, setSiteSpace] = useState("");
  return (
    <Shown of={structure}>
      {(it) => {
        const edited: Edited = {
          ...open,
          organization,
          structure: it,
          fonts: fonts.reading.state === "had" ? fonts.reading.value : [],
        };
        const spaces = siteSpacesIn(it);
        return (
          <>
            {spaces.length > 1 && (
              <div class="choices">
                <Choice
                  label={words.lookOf}
                  value={siteSpace}
                  onChange={setSiteSpace}
                  options={[["", words.wholeSite], ...spaces.map((one) => [one.id, one.title] as const)]}
                />
              </div>
            )}
            {siteSpace === "" ? (
              <LookOfSite {...edited} />
            ) : (
              <LookOfSpace key={siteSpace} {...edited} siteSpace={siteSpace} />
            )}
          </>
        );
      }}
    </Shown>
  );
}

function LookOfSite(edited: Edited) {
  const words = useWords();
  const { params } = edited;
  const found = useRead("getSiteCustomization", { params });
  return (
    <Shown of={found}>
      {(look) => (
        <LookForm
          {...edited}
          stored={look}
          siteSpace={undefined}
          save={(next) => write("setSiteCustomization", { params, body: wholeLook(next) })}
          reset={
            <Confirm
              kind="second"
              label={words.resetLook}
              question={words.resetLookWhy}
              act={() => write("setSiteCustomization", { params, body: {} })}
            />
          }
        />
      )}
    </Shown>
  );
}

function LookOfSpace({ siteSpace, ...edited }: Edited & { readonly siteSpace: string }) {
  const words = useWords();
  const params = { ...edited.params, siteSpaceId: siteSpace };
  const found = useRead("getSiteSpaceCustomization", { params });
  return (
    <Shown of={found}>
      {({ object: _, siteSpace: id, overrides, ...look }) => (
        <LookForm
          {...edited}
          stored={look}
          siteSpace={id}
          save={(next) => write("updateSiteSpaceCustomization", { params, body: changedLook(look, next) })}
          reset={
            Object.keys(overrides).length > 0 ? (
              <Confirm
                kind="second"
                label={words.resetSpaceLook}
                question={words.resetSpaceLookWhy}
                act={() => write("resetSiteSpaceCustomization", { params })}
              />
            ) : undefined
          }
        />
      )}
    </Shown>
  );
}

function LookForm({
  stored,
  siteSpace,
  save,
  reset,
  ...edited
}: Edited & {
  readonly stored: Look;
  readonly siteSpace: string | undefined;
  readonly save: (look: Look) => Promise<unknown>;
  readonly reset: ComponentChildren;
}) {
  const words = useWords();
  const [look, setLook] = useState(stored);
  const [begunWith, setBegunWith] = useState(stored);
  const isChanged = JSON.stringify(look) !== JSON.stringify(begunWith);
  // What is stored may change meanwhile. What is typed here stays.
  const kept = JSON.stringify(stored);
  useEffect(() => {
    if (isChanged) return;
    setLook(stored);
    setBegunWith(stored);
  }, [kept]);
  const saving = useAction(async () => {
    await save(look);
    setBegunWith(look);
  });
  return (
    <div class="look-editor">
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!saving.isBusy) void saving.run();
        }}
      >
        {groupsOf(words).map((group, at) => (
          <details key={group.title} open={at < 2}>
            <summary>
              <h2>{group.title}</h2>
            </summary>
            {group.settings.map((placed) => (
              <SettingField key={placed.path.join(".")} look={look} onChange={setLook} {...placed} />
            ))}
            <Own of={group.own} look={look} onChange={setLook} {...edited} />
          </details>
        ))}
        <div class="save-bar">
          <Problem error={saving.error} />
          <div class="buttons">
            <Button type="submit" kind="first" isBusy={saving.isBusy} disabled={!isChanged}>
              {words.save}
            </Button>
            {isChanged && <Button onClick={() => setLook(begunWith)}>{words.discard}</Button>}
            {!isChanged && reset}
            <span class="state" role="status">
              {isChanged ? words.unsaved : ""}
            </span>
          </div>
        </div>
      </form>
      <LookPreview
        organization={edited.organization}
        site={edited.site}
        structure={edited.structure}
        look={look}
        siteSpace={siteSpace}
      />
    </div>
  );
}

/** The fields of a group that are more than one value. */
function Own({
  of: own,
  look,
  onChange,
  structure,
  fonts,
}: Pick<Edited, "structure" | "fonts"> & {
  readonly of: Group["own"];
  readonly look: Look;
  readonly onChange: (look: Look) => void;
}) {
  const editing = { look, onChange, structure };
  switch (own) {
    case "favicon":
      return <FaviconField {...editing} />;
    case "fonts":
      return <FontFields {...editing} fonts={fonts} />;
    case "header-links":
      return <HeaderLinks {...editing} />;
    case "footer-groups":
      return <FooterGroups {...editing} />;
    case "announcement-link":
      return <AnnouncementLink {...editing} />;
    default:
      return null;
  }
}
