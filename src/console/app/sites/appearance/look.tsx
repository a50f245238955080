// The appearance of a site and of its spaces: a form by groups, with a live preview beside it.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { CustomFont, SiteStructure } from "../../../../generated/resources";
import { useCompleteList } from "../../api/complete-list";
import { runMutation, useAction } from "../../api/mutations";
import { useQuery } from "../../api/queries";
import { Button } from "../../components/button";
import { Confirm } from "../../components/confirm";
import { Choice } from "../../components/field";
import { ActionError, Loaded } from "../../components/loaded";
import { useMessages } from "../../messages/messages";
import { type OpenSite, SiteLayout, type SiteRoute } from "../site-layout";
import { collectSiteSpaces } from "../structure/structure-rows";
import { diffLooks, toSiteCustomization } from "./change-look";
import { AnnouncementLink, FooterGroups, HeaderLinks } from "./link-fields";
import { FaviconField, FontFields, SettingField } from "./look-fields";
import { LookPreview } from "./look-preview";
import { listSettingGroups, type SiteLook } from "./settings";

export function LookPage(place: SiteRoute) {
  return (
    <SiteLayout {...place} isWide>
      {(open) => <LookSelection {...open} organization={place.organization} />}
    </SiteLayout>
  );
}

interface LookEditorProps extends OpenSite {
  readonly organization: string;
  readonly structure: SiteStructure;
  readonly fonts: readonly CustomFont[];
}

function LookSelection({ organization, ...open }: OpenSite & { readonly organization: string }) {
  const messages = useMessages();
  const { params } = open;
  const structure = useQuery("getSiteStructure", { params });
  const fonts = useCompleteList("listFonts", { params: { organizationId: organization } });
  const [siteSpace, setSiteSpace] = useState("");
  return (
    <Loaded of={structure}>
      {(it) => {
        const edited: LookEditorProps = { ...open, organization, structure: it, fonts };
        const spaces = collectSiteSpaces(it);
        return (
          <>
            {spaces.length > 1 && (
              <div class="choices">
                <Choice
                  label={messages.appearance.lookOf}
                  value={siteSpace}
                  onChange={setSiteSpace}
                  options={[["", messages.appearance.wholeSite], ...spaces.map((one) => [one.id, one.title] as const)]}
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
    </Loaded>
  );
}

function LookOfSite(edited: LookEditorProps) {
  const messages = useMessages();
  const { params } = edited;
  const found = useQuery("getSiteCustomization", { params });
  return (
    <Loaded of={found}>
      {(look) => (
        <LookForm
          {...edited}
          stored={look}
          siteSpace={undefined}
          save={(next) => runMutation("setSiteCustomization", { params, body: toSiteCustomization(next) })}
          reset={
            <Confirm
              kind="second"
              label={messages.appearance.resetLook}
              question={messages.appearance.resetLookWhy}
              act={() => runMutation("setSiteCustomization", { params, body: {} })}
            />
          }
        />
      )}
    </Loaded>
  );
}

function LookOfSpace({ siteSpace, ...edited }: LookEditorProps & { readonly siteSpace: string }) {
  const messages = useMessages();
  const params = { ...edited.params, siteSpaceId: siteSpace };
  const found = useQuery("getSiteSpaceCustomization", { params });
  return (
    <Loaded of={found}>
      {({ object: _, siteSpace: id, overrides, ...look }) => (
        <LookForm
          {...edited}
          stored={look}
          siteSpace={id}
          save={(next) => runMutation("updateSiteSpaceCustomization", { params, body: diffLooks(look, next) })}
          reset={
            Object.keys(overrides).length > 0 ? (
              <Confirm
                kind="second"
                label={messages.appearance.resetSpaceLook}
                question={messages.appearance.resetSpaceLookWhy}
                act={() => runMutation("resetSiteSpaceCustomization", { params })}
              />
            ) : undefined
          }
        />
      )}
    </Loaded>
  );
}

function LookForm({
  stored,
  siteSpace,
  save,
  reset,
  ...edited
}: LookEditorProps & {
  readonly stored: SiteLook;
  readonly siteSpace: string | undefined;
  readonly save: (look: SiteLook) => Promise<unknown>;
  readonly reset: ComponentChildren;
}) {
  const messages = useMessages();
  const [look, setLook] = useState(stored);
  const [begunWith, setBegunWith] = useState(stored);
  const isChanged = JSON.stringify(look) !== JSON.stringify(begunWith);
  // The stored settings may change meanwhile. The edited ones stay.
  const storedJson = JSON.stringify(stored);
  useEffect(() => {
    if (isChanged) return;
    setLook(stored);
    setBegunWith(stored);
  }, [storedJson]);
  const saving = useAction(async () => {
    await save(look);
    setBegunWith(look);
  });
  const editing = { look, onChange: setLook, structure: edited.structure };
  return (
    <div class="look-editor">
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!saving.isBusy) void saving.run();
        }}
      >
        {listSettingGroups(messages).map((group, at) => (
          <details key={group.title} open={at < 2}>
            <summary>
              <h2>{group.title}</h2>
            </summary>
            {group.settings.map((placed) => (
              <SettingField key={placed.path.join(".")} look={look} onChange={setLook} {...placed} />
            ))}
            {group.own === "favicon" && <FaviconField {...editing} />}
            {group.own === "fonts" && <FontFields {...editing} fonts={edited.fonts} />}
            {group.own === "header-links" && <HeaderLinks {...editing} />}
            {group.own === "footer-groups" && <FooterGroups {...editing} />}
            {group.own === "announcement-link" && <AnnouncementLink {...editing} />}
          </details>
        ))}
        <div class="save-bar">
          <ActionError error={saving.error} />
          <div class="buttons">
            <Button type="submit" kind="first" isBusy={saving.isBusy} disabled={!isChanged}>
              {messages.general.save}
            </Button>
            {isChanged && <Button onClick={() => setLook(begunWith)}>{messages.appearance.discard}</Button>}
            {!isChanged && reset}
            <span class="state" role="status">
              {isChanged ? messages.editor.unsaved : ""}
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
