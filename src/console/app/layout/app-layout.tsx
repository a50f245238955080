// The layout around every page: the top bar, the navigation of the organization, and the connection notice.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { Organization } from "../../../generated/resources";
import { getLanguageTag, type Language, languageNames } from "../../../locales/languages";
import { connectionStore } from "../api/client";
import { pageConfig } from "../api/page-config";
import { refreshAllQueries, useQuery } from "../api/queries";
import { useStore } from "../api/value-store";
import { Announcements } from "../components/announcements";
import { Button } from "../components/button";
import { Icon, type IconName } from "../components/icon";
import { Menu } from "../components/menu";
import { listenToOrganization, monitorConnection } from "../live/event-stream";
import { useMessages } from "../messages/messages";
import { setLanguage } from "../messages/messages-provider";
import { addresses } from "../routes";

export function AppLayout({ children }: { readonly children: ComponentChildren }) {
  const messages = useMessages();
  const { path } = useLocation();
  const organization = /^\/o\/([^/]+)/.exec(path)?.[1];
  const user = useQuery("getCurrentUser", {});
  const found = useQuery(
    "getOrganization",
    organization === undefined ? undefined : { params: { organizationId: organization } },
  );
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
        {messages.general.skip}
      </a>
      <header class="top">
        {organization !== undefined && (
          <button
            type="button"
            class="button quiet opener"
            aria-expanded={isOpen}
            aria-controls="parts"
            aria-label={messages.layout.navigation}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name="menu" />
          </button>
        )}
        <a class="brand" href={addresses.home()}>
          Octavo
        </a>
        {organization !== undefined && found.state === "loaded" && (
          <a class="organization" href={addresses.organization(organization)}>
            <bdi>{found.value.title}</bdi>
          </a>
        )}
        <span class="room" />
        {/* The browser remembers the language of the console, also for the sign-in pages. */}
        <Menu label={messages.layout.language} sign={<Icon name="language" />} isQuiet>
          {(Object.keys(languageNames) as Language[]).map((it) => ({
            label: languageNames[it],
            language: getLanguageTag(it),
            isChosen: it === messages.inLanguage,
            onSelect: async () => {
              try {
                await setLanguage(it);
                // The response sets the cookie, which scripts cannot do.
                await fetch(`${addresses.home()}?lang=${it}`, { method: "HEAD" });
              } catch {
                connectionStore.set("lost");
              }
            },
          }))}
        </Menu>
        {user.state === "loaded" && (
          <Menu label={user.value.displayName} isQuiet>
            {[
              { label: messages.layout.organizations, href: addresses.home() },
              { label: messages.layout.yourAccount, href: addresses.account() },
              { label: messages.layout.signOut, href: pageConfig.signIn.replace(/sign-in$/, "sign-out") },
            ]}
          </Menu>
        )}
      </header>
      <ConnectionNotice />
      <Announcements />
      <div class={organization === undefined ? "body" : "body with-parts"}>
        {organization !== undefined && (
          <nav id="parts" class={isOpen ? "parts open" : "parts"} aria-label={messages.layout.navigation}>
            <OrganizationNavigation
              organization={organization}
              path={path}
              may={found.state === "loaded" ? found.value.permissions : undefined}
            />
          </nav>
        )}
        <main id="content" ref={content} tabIndex={-1}>
          {children}
        </main>
      </div>
    </>
  );
}

/** The navigation of an organization, with the parts that the user may see. */
function OrganizationNavigation({
  organization,
  path,
  may,
}: {
  readonly organization: string;
  readonly path: string;
  readonly may: Organization["permissions"] | undefined;
}) {
  const messages = useMessages();
  const root = addresses.organization(organization);
  const parts: readonly (readonly [name: string, icon: IconName, label: string, isShown?: boolean | undefined])[] = [
    ["", "book", messages.layout.library],
    ["changes", "branch", messages.layout.changeRequests],
    ["sites", "globe", messages.layout.sites],
    ["openapi", "api", messages.layout.specifications],
    ["translations", "language", messages.layout.translations],
    ["people", "people", messages.layout.people, may?.listMembers],
    ["integrations", "puzzle", messages.layout.integrations, may?.listInstallations],
    ["audit", "shield", messages.layout.auditLog, may?.admin],
    ["settings", "settings", messages.layout.settings, may?.admin],
    ["jobs", "clock", messages.jobs.jobs, may?.admin],
    ["trash", "trash", messages.trash.trash, may?.view],
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

/** Reports a lost connection or an ended session. The page stays as it is, so that nothing typed is lost. */
function ConnectionNotice() {
  const messages = useMessages();
  const state = useStore(connectionStore);
  if (state === "good") return null;
  const again = (
    <Button onClick={() => void refreshAllQueries()}>
      {state === "lost" ? messages.general.tryAgain : messages.general.goOn}
    </Button>
  );
  return (
    <div class="notice" role="alert">
      {state === "lost" ? (
        <p>{messages.general.connectionLost}</p>
      ) : (
        <p>
          <strong>{messages.general.signedOut}.</strong> {messages.general.signedOutWhy}{" "}
          <a href={pageConfig.signIn} target="_blank" rel="noopener">
            {messages.general.signInAgain}
          </a>
        </p>
      )}
      {again}
    </div>
  );
}
