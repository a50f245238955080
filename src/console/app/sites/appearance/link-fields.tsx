// The lists of links in the appearance of a site: nested in the header, grouped in the footer, and one in the announcement.

import type { ComponentChildren } from "preact";
import type { SiteLinkTarget, SiteStructure } from "../../../../generated/resources";
import { formatMessage } from "../../../../locales/format-message";
import { Button } from "../../components/button";
import { Choice, TextField } from "../../components/field";
import { Icon } from "../../components/icon";
import { useMessages } from "../../messages/messages";
import { fromLink, toLink } from "../chosen-target";
import { collectSiteSpaces } from "../structure/structure-rows";
import { TargetField } from "../target-field";
import { setLookValue } from "./change-look";
import type { SiteLook } from "./settings";

interface LinkFieldsProps {
  readonly look: SiteLook;
  readonly onChange: (look: SiteLook) => void;
  readonly structure: SiteStructure;
}

interface LookLink {
  readonly title: string;
  readonly to: SiteLinkTarget | null;
}

/** A list whose items can be added, moved and removed. */
function Items<Item>({
  label,
  items,
  onChange,
  getItemName,
  fresh,
  add,
  children,
}: {
  readonly label: string;
  readonly items: readonly Item[];
  readonly onChange: (items: Item[]) => void;
  readonly getItemName: (item: Item) => string;
  readonly fresh: () => Item;
  readonly add: string;
  readonly children: (item: Item, set: (item: Item) => void) => ComponentChildren;
}) {
  const messages = useMessages();
  const swap = (at: number, to: number) => {
    const next = [...items];
    [next[at], next[to]] = [next[to]!, next[at]!];
    onChange(next);
  };
  return (
    <fieldset class="items">
      <legend>{label}</legend>
      {items.map((item, at) => (
        // Items have no ids and change while the user types, so their index is the key.
        <details key={at} class="item">
          <summary>{getItemName(item) === "" ? messages.appearance.untitled : getItemName(item)}</summary>
          {children(item, (next) => onChange(items.map((it, i) => (i === at ? next : it))))}
          <p class="buttons">
            {at > 0 && <Button onClick={() => swap(at, at - 1)}>{messages.space.moveUp}</Button>}
            {at < items.length - 1 && <Button onClick={() => swap(at, at + 1)}>{messages.space.moveDown}</Button>}
            <Button
              kind="danger"
              label={formatMessage(messages.appearance.removeNamed, { title: getItemName(item) })}
              onClick={() => onChange(items.filter((_, i) => i !== at))}
            >
              {messages.reviews.remove}
            </Button>
          </p>
        </details>
      ))}
      <Button onClick={() => onChange([...items, fresh()])}>
        <Icon name="plus" />
        {add}
      </Button>
    </fieldset>
  );
}

function LinkField<One extends LookLink>({
  link,
  structure,
  onChange,
}: {
  readonly link: One;
  readonly structure: SiteStructure;
  readonly onChange: (link: One) => void;
}) {
  const messages = useMessages();
  const spaces = collectSiteSpaces(structure);
  return (
    <>
      <TextField
        label={messages.general.title}
        value={link.title}
        onChange={(title) => onChange({ ...link, title })}
        required
        maxLength={64}
      />
      <TargetField
        structure={structure}
        value={fromLink(link.to, spaces)}
        onChange={(target) => onChange({ ...link, to: toLink(target, spaces) })}
      />
    </>
  );
}

export function HeaderLinks({ look, onChange, structure }: LinkFieldsProps) {
  const messages = useMessages();
  type Item = SiteLook["header"]["links"][number];
  return (
    <Items<Item>
      label={messages.appearance.headerLinks}
      add={messages.appearance.addLink}
      items={look.header.links}
      onChange={(links) => onChange(setLookValue(look, ["header", "links"], links))}
      getItemName={({ title }) => title}
      fresh={() => ({ title: "", to: { kind: "url", url: "" }, style: "link", links: [] })}
    >
      {(item, set) => (
        <>
          <LinkField link={item} structure={structure} onChange={set} />
          <Choice
            label={messages.appearance.linkStyle}
            value={item.style}
            onChange={(style) => set({ ...item, style })}
            options={[
              ["link", messages.appearance.linkPlain],
              ["button-primary", messages.appearance.linkPrimary],
              ["button-secondary", messages.appearance.linkSecondary],
            ]}
          />
          <TextField
            label={messages.editor.condition}
            hint={messages.editor.conditionHint}
            value={item.condition ?? ""}
            onChange={(condition) => set({ ...item, condition })}
          />
          <Items<Item["links"][number]>
            label={messages.appearance.linksBelow}
            add={messages.appearance.addLink}
            items={item.links}
            onChange={(links) => set({ ...item, links })}
            getItemName={({ title }) => title}
            fresh={() => ({ title: "", to: { kind: "url", url: "" } })}
          >
            {(inner, setInner) => <LinkField link={inner} structure={structure} onChange={setInner} />}
          </Items>
        </>
      )}
    </Items>
  );
}

export function FooterGroups({ look, onChange, structure }: LinkFieldsProps) {
  const messages = useMessages();
  type Group = SiteLook["footer"]["groups"][number];
  return (
    <Items<Group>
      label={messages.appearance.footerGroups}
      add={messages.appearance.addGroup}
      items={look.footer.groups}
      onChange={(groups) => onChange(setLookValue(look, ["footer", "groups"], groups))}
      getItemName={({ title }) => title}
      fresh={() => ({ title: "", links: [] })}
    >
      {(group, set) => (
        <>
          <TextField
            label={messages.general.title}
            value={group.title}
            onChange={(title) => set({ ...group, title })}
            required
            maxLength={64}
          />
          <Items<Group["links"][number]>
            label={messages.appearance.linksOfGroup}
            add={messages.appearance.addLink}
            items={group.links}
            onChange={(links) => set({ ...group, links })}
            getItemName={({ title }) => title}
            fresh={() => ({ title: "", to: { kind: "url", url: "" } })}
          >
            {(link, setLink) => <LinkField link={link} structure={structure} onChange={setLink} />}
          </Items>
        </>
      )}
    </Items>
  );
}

export function AnnouncementLink({ look, onChange, structure }: LinkFieldsProps) {
  const messages = useMessages();
  const { link } = look.announcement ?? {};
  const set = (next: unknown) => onChange(setLookValue(look, ["announcement", "link"], next));
  return link ? (
    <fieldset class="items">
      <legend>{messages.appearance.announcementLink}</legend>
      <LinkField link={link} structure={structure} onChange={set} />
      <Button kind="danger" onClick={() => set(undefined)}>
        {messages.reviews.remove}
      </Button>
    </fieldset>
  ) : (
    <Button onClick={() => set({ title: "", to: { kind: "url", url: "" } })}>
      <Icon name="plus" />
      {messages.appearance.announcementLink}
    </Button>
  );
}
