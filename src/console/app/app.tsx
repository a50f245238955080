// The application and its routes. Pages that most users never open are loaded when they are opened.

import lazy from "preact-iso/lazy";
import { LocationProvider, Route, Router } from "preact-iso/router";
import { NotFound } from "./components/not-found";
import { Home } from "./home/home";
import { AppLayout } from "./layout/app-layout";
import { Library } from "./library/library";
import { ownAddresses } from "./routes";

const PageOfSpace = lazy(() => import("./space/space-content-page").then((it) => it.SpaceContentPage));
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
const StructurePage = lazy(() => import("./sites/structure/structure").then((it) => it.StructurePage));
const LookPage = lazy(() => import("./sites/appearance/look").then((it) => it.LookPage));
const AudiencePage = lazy(() => import("./sites/audience").then((it) => it.AudiencePage));
const RedirectsPage = lazy(() => import("./sites/redirects").then((it) => it.RedirectsPage));
const InsightsPage = lazy(() => import("./sites/insights/insights").then((it) => it.InsightsPage));
const Specifications = lazy(() => import("./specifications/specifications").then((it) => it.Specifications));
const SpecificationPage = lazy(() => import("./specifications/specification").then((it) => it.SpecificationPage));
const Translations = lazy(() => import("./translations/translations").then((it) => it.Translations));
const GitPage = lazy(() => import("./git/git").then((it) => it.GitPage));
const ImportPage = lazy(() => import("./imports/import").then((it) => it.ImportPage));
const Jobs = lazy(() => import("./imports/jobs").then((it) => it.Jobs));
const MemberPage = lazy(() => import("./people/member").then((it) => it.MemberPage));
const GeneralSettings = lazy(() => import("./organization/general").then((it) => it.GeneralSettings));
const SignInSettings = lazy(() => import("./organization/sign-in").then((it) => it.SignInSettings));
const SamlProviderPage = lazy(() => import("./organization/saml-provider").then((it) => it.SamlProviderPage));
const DirectorySettings = lazy(() => import("./organization/directory").then((it) => it.DirectorySettings));
const SpaceSettings = lazy(() => import("./access/space-settings").then((it) => it.SpaceSettings));
const SpaceAccess = lazy(() => import("./access/access").then((it) => it.SpaceAccess));
const CollectionSettings = lazy(() => import("./access/collection-settings").then((it) => it.CollectionSettings));
const CollectionAccess = lazy(() => import("./access/access").then((it) => it.CollectionAccess));
const AuditLog = lazy(() => import("./audit/audit").then((it) => it.AuditLog));
const Integrations = lazy(() => import("./integrations/integrations").then((it) => it.Integrations));
const InstallationPage = lazy(() => import("./integrations/installation").then((it) => it.InstallationPage));
const DefinitionPage = lazy(() => import("./integrations/definition").then((it) => it.DefinitionPage));
const EditDefinition = lazy(() => import("./integrations/edit-definition").then((it) => it.EditDefinition));
const IntegrationEvents = lazy(() => import("./integrations/events").then((it) => it.IntegrationEvents));

export function App() {
  return (
    <LocationProvider scope={ownAddresses}>
      <AppLayout>
        <Router>
          <Route path="/" component={Home} />
          <Route path="/o/:organization" component={Library} />
          <Route path="/o/:organization/c/:collection" component={Library} />
          <Route path="/account" component={Account} />
          <Route path="/o/:organization/people" component={Members} />
          <Route path="/o/:organization/people/invites" component={Invites} />
          <Route path="/o/:organization/people/teams" component={Teams} />
          <Route path="/o/:organization/people/members/:user" component={MemberPage} />
          <Route path="/o/:organization/settings" component={GeneralSettings} />
          <Route path="/o/:organization/settings/sign-in" component={SignInSettings} />
          <Route path="/o/:organization/settings/sign-in/:provider" component={SamlProviderPage} />
          <Route path="/o/:organization/settings/directory" component={DirectorySettings} />
          <Route path="/o/:organization/audit" component={AuditLog} />
          <Route path="/o/:organization/integrations" component={Integrations} />
          <Route path="/o/:organization/integrations/:integration" component={InstallationPage} />
          <Route path="/integrations/:integration" component={DefinitionPage} />
          <Route path="/integrations/:integration/edit" component={EditDefinition} />
          <Route path="/integrations/:integration/events" component={IntegrationEvents} />
          <Route path="/o/:organization/c/:collection/settings" component={CollectionSettings} />
          <Route path="/o/:organization/c/:collection/access" component={CollectionAccess} />
          <Route path="/o/:organization/s/:space/~/settings" component={SpaceSettings} />
          <Route path="/o/:organization/s/:space/~/access" component={SpaceAccess} />
          <Route path="/o/:organization/sites" component={Sites} />
          <Route path="/o/:organization/sites/:site" component={SitePage} />
          <Route path="/o/:organization/sites/:site/structure" component={StructurePage} />
          <Route path="/o/:organization/sites/:site/look" component={LookPage} />
          <Route path="/o/:organization/sites/:site/audience" component={AudiencePage} />
          <Route path="/o/:organization/sites/:site/redirects" component={RedirectsPage} />
          <Route path="/o/:organization/sites/:site/insights" component={InsightsPage} />
          <Route path="/o/:organization/openapi" component={Specifications} />
          <Route path="/o/:organization/openapi/:spec" component={SpecificationPage} />
          <Route path="/o/:organization/translations" component={Translations} />
          <Route path="/o/:organization/jobs" component={Jobs} />
          <Route path="/o/:organization/s/:space/~/git" component={GitPage} />
          <Route path="/o/:organization/s/:space/~/import" component={ImportPage} />
          <Route path="/o/:organization/changes" component={ChangeRequests} />
          <Route path="/o/:organization/trash" component={Trash} />
          <Route path="/o/:organization/s/:space/~/variables" component={Variables} />
          <Route path="/o/:organization/s/:space/~/history" component={History} />
          <Route path="/o/:organization/s/:space/~/history/:page" component={History} />
          <Route path="/o/:organization/s/:space/~/revisions/:revision" component={History} />
          <Route path="/o/:organization/s/:space/~/changes" component={ChangeRequests} />
          <Route path="/o/:organization/s/:space/~/changes/:changeRequest" component={ChangeRequestPage} />
          <Route path="/o/:organization/s/:space/~/changes/:changeRequest/:pagePath+" component={PageOfSpace} />
          <Route path="/o/:organization/s/:space/:pagePath*" component={PageOfSpace} />
          <Route default component={NotFound} />
        </Router>
      </AppLayout>
    </LocationProvider>
  );
}
