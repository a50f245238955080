// The commands of the palette: the pages, spaces, sites, people, change requests and actions that match what a user types.

import { useEffect, useState } from "preact/hooks";
import type { ClientOutput } from "../../../client";
import { useCompleteList } from "../api/complete-list";
import { pageConfig } from "../api/page-config";
import { useList, useQuery } from "../api/queries";
import type { IconName } from "../components/icon";
import { listPlaces } from "../layout/places";
import { useMessages } from "../messages/messages";
import { addresses } from "../routes";
import { useNewSpace } from "../space/use-new-space";
import { listRecentPages } from "./recent-pages";

export interface Command {
  /** The heading under which the command is shown. */
  readonly group: string;
  readonly icon: IconName;
  readonly label: string;
  /** Tells commands with the same label apart, such as the space of a page. */
  readonly detail?: string | undefined;
  readonly target: { readonly href: string } | { readonly run: () => Promise<unknown> };
}

/** The most commands of each kind. */
const MAX_OF_KIND = 6;
/** The pause in typing after which the pages are searched. */
const PAUSE_MS = 120;

/** Returns the commands for a text, by kind, and whether pages are still searched. Without a text, the recent pages come first. */
export function useCommands(
  organization: string,
  typed: string,
): { readonly commands: readonly Command[]; readonly isSearching: boolean } {
  const messages = useMessages();
  const query = typed.trim();
  const params = { organizationId: organization };
  const user = useQuery("getCurrentUser", {});
  const found = useQuery("getOrganization", { params });
  const may = found.state === "loaded" ? found.value.permissions : undefined;
  const spaces = useCompleteList("listSpaces", query === "" ? undefined : { params });
  const sites = useCompleteList("listSites", query === "" ? undefined : { params });
  const requests = useList("listOrganizationChangeRequests", query === "" ? undefined : { params });
  const searched = useSettledText(query);
  const members = useList(
    "listMembers",
    searched === "" || !may?.listMembers ? undefined : { params, query: { search: searched } },
  );
  const pages = useQuery("searchOrganization", searched === "" ? undefined : { params, query: { query: searched } });
  /** The last results stay until the next ones arrive, so that nothing flickers while somebody types. */
  const [hits, setHits] = useState<ClientOutput<"searchOrganization">["items"]>([]);
  useEffect(() => {
    if (searched === "") setHits([]);
    else if (pages.state === "loaded") setHits(pages.value.items);
  }, [pages, searched]);
  const newSpace = useNewSpace(organization);

  const places = listPlaces(organization, may, messages).map(
    ({ icon, label, href }): Command => ({ group: messages.palette.goTo, icon, label, target: { href } }),
  );
  const actions: readonly Command[] = [
    ...(may?.createContent
      ? [{ icon: "plus", label: messages.library.newSpace, target: { run: newSpace } } as const]
      : []),
    { icon: "settings", label: messages.layout.yourAccount, target: { href: addresses.account() } } as const,
    { icon: "out", label: messages.layout.signOut, target: { href: pageConfig.signOut } } as const,
  ].map((command) => ({ group: messages.palette.actions, ...command }));
  if (query === "") {
    const own = `${addresses.organization(organization)}/`;
    const recent = user.state === "loaded" ? listRecentPages(user.value.id) : [];
    const commands = [
      ...recent
        .filter(({ href }) => href.startsWith(own) && href !== location.pathname)
        .slice(0, MAX_OF_KIND)
        .map(
          ({ href, title }): Command => ({
            group: messages.palette.recent,
            icon: "clock",
            label: title,
            target: { href },
          }),
        ),
      ...places,
      ...actions,
    ];
    return { commands, isSearching: false };
  }
  const of = (group: string, icon: IconName, label: string, href: string, detail?: string): Command => ({
    group,
    icon,
    label,
    detail,
    target: { href },
  });
  const requestItems = requests.reading.state === "loaded" ? requests.reading.value : [];
  const memberItems = members.reading.state === "loaded" ? members.reading.value : [];
  const commands = [
    ...findMatches(
      spaces.map(({ id, title }) => of(messages.library.spaces, "book", title, addresses.space(organization, id))),
      query,
    ),
    ...hits
      .flatMap((space) => space.pages.map((page) => ({ space, page })))
      .slice(0, MAX_OF_KIND)
      .map(({ space, page }) =>
        of(
          messages.space.pages,
          "page",
          page.title,
          addresses.page(organization, space.id, undefined, page.path),
          space.title,
        ),
      ),
    ...findMatches(
      sites.map(({ id, title }) =>
        of(messages.layout.sites, "globe", title, addresses.part(organization, `sites/${id}`)),
      ),
      query,
    ),
    ...findMatches(
      requestItems.map(({ number, subject, space }) => {
        const title = `#${number} ${subject || messages.changeRequests.noSubject}`;
        const href = addresses.changeRequest(organization, String(space), number);
        return of(messages.layout.changeRequests, "branch", title, href);
      }),
      query,
    ),
    ...memberItems
      .slice(0, MAX_OF_KIND)
      .map(({ user: { id, displayName } }) =>
        of(
          messages.layout.people,
          "people",
          displayName,
          addresses.part(organization, `people/members/${encodeURIComponent(id)}`),
        ),
      ),
    ...findMatches([...places, ...actions], query),
  ];
  return { commands, isSearching: searched !== query || pages.state === "loading" };
}

/** Returns a text once it has not changed for a moment. An empty text is returned at once. */
function useSettledText(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return text === "" ? "" : settled;
}

/** Returns the commands whose label contains every word of a query. Labels that begin with the query come first. */
export function findMatches(commands: readonly Command[], query: string): readonly Command[] {
  const normalize = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const wanted = normalize(query);
  const words = wanted.split(/\s+/);
  const matches = commands.filter(({ label }) => words.every((word) => normalize(label).includes(word)));
  const beginsWithQuery = ({ label }: Command) => normalize(label).startsWith(wanted);
  return [...matches.filter(beginsWithQuery), ...matches.filter((it) => !beginsWithQuery(it))].slice(0, MAX_OF_KIND);
}
