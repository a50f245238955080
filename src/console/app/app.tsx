// The application: which page an address opens. What most people never open is loaded when it is opened.

import lazy from "preact-iso/lazy";
import { LocationProvider, Route, Router } from "preact-iso/router";
import { Frame } from "./frame/frame";
import { Home } from "./home/home";
import { Library } from "./library/library";
import { NotFound } from "./parts/not-found";
import { ownAddresses } from "./routes";

const PageOfSpace = lazy(() => import("./space/page-of-space").then((it) => it.PageOfSpace));
const ChangeRequests = lazy(() => import("./review/change-requests").then((it) => it.ChangeRequests));
const ChangeRequestPage = lazy(() => import("./review/change-request").then((it) => it.ChangeRequestPage));
const History = lazy(() => import("./history/history").then((it) => it.History));
const Trash = lazy(() => import("./trash/trash").then((it) => it.Trash));
const Variables = lazy(() => import("./space/variables").then((it) => it.Variables));
const Members = lazy(() => import("./people/members").then((it) => it.Members));
const Invites = lazy(() => import("./people/invites").then((it) => it.Invites));
const Teams = lazy(() => import("./people/teams").then((it) => it.Teams));
const Account = lazy(() => import("./account/account").then((it) => it.Account));
const Sites = lazy(() => import("./sites/sites").then((it) => it.Sites));
const SitePage = lazy(() => import("./sites/site").then((it) => it.SitePage));

export function App() {
  return (
    <LocationProvider scope={ownAddresses}>
      <Frame>
        <Router>
          <Route path="/" component={Home} />
          <Route path="/o/:organization" component={Library} />
          <Route path="/o/:organization/c/:collection" component={Library} />
          <Route path="/account" component={Account} />
          <Route path="/o/:organization/people" component={Members} />
          <Route path="/o/:organization/people/invites" component={Invites} />
          <Route path="/o/:organization/people/teams" component={Teams} />
          <Route path="/o/:organization/sites" component={Sites} />
          <Route path="/o/:organization/sites/:site" component={SitePage} />
          <Route path="/o/:organization/changes" component={ChangeRequests} />
          <Route path="/o/:organization/trash" component={Trash} />
          <Route path="/o/:organization/s/:space/~/variables" component={Variables} />
          <Route path="/o/:organization/s/:space/~/history" component={History} />
          <Route path="/o/:organization/s/:space/~/history/:page" component={History} />
          <Route path="/o/:organization/s/:space/~/changes" component={ChangeRequests} />
          <Route path="/o/:organization/s/:space/~/changes/:changeRequest" component={ChangeRequestPage} />
          <Route path="/o/:organization/s/:space/~/changes/:changeRequest/:pagePath+" component={PageOfSpace} />
          <Route path="/o/:organization/s/:space/:pagePath*" component={PageOfSpace} />
          <Route default component={NotFound} />
        </Router>
      </Frame>
    </LocationProvider>
  );
}
