// The layout around every page: the top bar, the navigation of the organization, and the connection notice.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { pageConfig } from "../api/page-config";
import { useQuery } from "../api/queries";
import { Announcements } from "../components/announcements";
import { Icon, type IconName } from "../components/icon";
import { Menu } from "../components/menu";
import { listenToOrganization, monitorConnection } from "../live/event-stream";
import { type Messages, useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { ConnectionNotice } from "./connection-notice";
import { LanguageMenu } from "./language-menu";

export function AppLayout({ children }: { readonly children: ComponentChildren }) {
  const messages = useMessages();
  const { path } = useLocation();
  const organization = /^\/o\/([^/]+)/.exec(path)?.[1];
  const [isOpen, setOpen] = useState(false);
  const content = useRef<HTMLElement>(null);
  const before = useRef(path);
  useEffect(() => {
    setOpen(false);
    if (before.current === path) return;
    before.current = path;
    // After a link of the layout, the focus moves to the page. A focus inside the page stays where it is.
    if (!content.current?.contains(document.activeElement)) content.current?.focus();
  }, [path]);
  useEffect(monitorConnection, []);
  useEffect(() => (organization === undefined ? undefined : listenToOrganization(organization)), [organization]);
  return (
    <>
      <a class="skip" href="#content">
        {messages.skip}
      </a>
      <header class="top">
        {organization !== undefined && (
          <button
            type="button"
            class="button quiet opener"
            aria-expanded={isOpen}
            aria-controls="parts"
            aria-label={messages.navigation}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name="menu" />
          </button>
        )}
        <a class="brand" href={addresses.home()}>
          Octavo
        </a>
        {organization !== undefined && <OrganizationName id={organization} />}
        <span class="room" />
        <LanguageMenu />
        <UserMenu />
      </header>
      <ConnectionNotice />
      <Announcements />
      <div class={organization === undefined ? "body" : "body with-parts"}>
        {organization !== undefined && (
          <nav id="parts" class={isOpen ? "parts open" : "parts"} aria-label={messages.navigation}>
            <OrganizationNavigation organization={organization} path={path} messages={messages} />
          </nav>
        )}
        <main id="content" ref={content} tabIndex={-1}>
          {children}
        </main>
      </div>
    </>
  );
}

function OrganizationName({ id }: { readonly id: string }) {
  const organization = useQuery("getOrganization", { params: { organizationId: id } });
  if (organization.state !== "had") return null;
  return (
    <a class="organization" href={addresses.organization(id)}>
      <bdi>{organization.value.title}</bdi>
    </a>
  );
}

/** The navigation of an organization, with the parts that the user may see. */
function OrganizationNavigation({
  organization,
  path,
  messages,
}: {
  readonly organization: string;
  readonly path: string;
  readonly messages: Messages;
}) {
  const reading = useQuery("getOrganization", { params: { organizationId: organization } });
  const root = addresses.organization(organization);
  const may = reading.state === "had" ? reading.value.permissions : undefined;
  const parts: readonly (readonly [name: string, icon: IconName, label: string, isShown?: boolean | undefined])[] = [
    ["", "book", messages.library],
    ["changes", "branch", messages.changeRequests],
    ["sites", "globe", messages.sites],
    ["openapi", "api", messages.specifications],
    ["translations", "language", messages.translations],
    ["people", "people", messages.people, may?.listMembers],
    ["integrations", "puzzle", messages.integrations, may?.listInstallations],
    ["audit", "shield", messages.auditLog, may?.admin],
    ["settings", "settings", messages.settings, may?.admin],
    ["jobs", "clock", messages.jobs, may?.admin],
    ["trash", "trash", messages.trash, may?.view],
  ];
  const isHere = (name: string) =>
    name === ""
      ? path === root || path.startsWith(`${root}/s/`) || path.startsWith(`${root}/c/`)
      : path === `${root}/${name}` || path.startsWith(`${root}/${name}/`);
  return (
    <ul>
      {parts
        .filter((part) => (part.length === 4 ? part[3] : may?.view))
        .map(([name, icon, label]) => (
          <li key={name}>
            <a href={name === "" ? root : `${root}/${name}`} aria-current={isHere(name) ? "page" : undefined}>
              <Icon name={icon} />
              {label}
            </a>
          </li>
        ))}
    </ul>
  );
}

function UserMenu() {
  const messages = useMessages();
  const user = useQuery("getCurrentUser", {});
  if (user.state !== "had") return null;
  return (
    <Menu label={user.value.displayName} isQuiet>
      {[
        { label: messages.organizations, href: addresses.home() },
        { label: messages.yourAccount, href: addresses.account() },
        { label: messages.signOut, href: pageConfig.signIn.replace(/sign-in$/, "sign-out") },
      ]}
    </Menu>
  );
}
