// SAML providers as stories.

import { ask, create, defineStory, get, list, refuse, type Story, send } from "../scenario";
import { ecCertificate, rsaCertificate } from "./certificates";

const bare = rsaCertificate.replace(/-----[A-Z ]+-----/g, "").replace(/\s/g, "");

export const stories: Story[] = [
  defineStory("a provider is pending until it is complete, and then a way to sign in", [
    create("admin", "PUT /v1/orgs/{org}/teams", "team", { title: "Newcomers" }),
    ask("admin", "POST /v1/orgs/{org}/saml", 201, {
      send: { label: "Okta", defaultTeam: "{team}", defaultRole: "edit" },
      see: {
        object: "saml-provider",
        label: "Okta",
        status: "pending",
        defaultRole: "edit",
        defaultTeam: { id: "{team}", object: "team" },
        entityID: undefined,
      },
      keep: { saml: "id", start: "service.startURL" },
      seeHeaders: { location: (url) => url?.includes("/saml/sml_") === true },
    }),
    get("read", "/v1/orgs/{org}/sso", { items: [] }),
    ask("admin", "PATCH /v1/orgs/{org}/saml/{saml}", 200, {
      send: { entityID: "urn:okta", ssoURL: "https://okta.example/sso" },
      see: { status: "pending", label: "Okta" },
    }),
    ask("admin", "PATCH /v1/orgs/{org}/saml/{saml}", 200, {
      send: { certificate: rsaCertificate },
      see: { status: "active", certificate: (pem: unknown) => String(pem).startsWith("-----BEGIN CERTIFICATE-----\n") },
    }),
    get("guest", "/v1/orgs/{org}/sso", { items: [{ id: "{saml}", label: "Okta", startURL: "{start}" }] }),
    get("admin", "/v1/orgs/{org}/saml/{saml}", { entityID: "urn:okta", ssoURL: "https://okta.example/sso" }),
    list("admin", "/v1/orgs/{org}/saml", [{ id: "{saml}" }]),
    ask("admin", "PATCH /v1/orgs/{org}/saml/{saml}", 200, {
      send: { defaultTeam: null, defaultRole: null, sloURL: "https://okta.example/slo" },
      see: { defaultTeam: undefined, defaultRole: null, sloURL: "https://okta.example/slo" },
    }),
    ask("admin", "PATCH /v1/orgs/{org}/saml/{saml}", 200, { send: { sloURL: null }, see: { sloURL: undefined } }),
    send("admin", "PATCH /v1/orgs/{org}/saml/{saml}", 200, { defaultTeam: "{team}" }),
    ask("admin", "DELETE /v1/orgs/{org}/teams/{team}", 204),
    get("admin", "/v1/orgs/{org}/saml/{saml}", { defaultTeam: undefined }),
    ask("admin", "DELETE /v1/orgs/{org}/saml/{saml}", 204),
    ask("admin", "DELETE /v1/orgs/{org}/saml/{saml}", 204),
    ask("admin", "GET /v1/orgs/{org}/saml/{saml}", "404 saml_provider_not_found"),
    ask("rival", "GET /v1/orgs/{org}/sso", "404 organization_not_found"),
  ]),
  defineStory("what a provider is made of is checked", [
    send("admin", "POST /v1/orgs/{org}/saml", 201, { label: "EC", certificate: ecCertificate }),
    ask("admin", "POST /v1/orgs/{org}/saml", 201, {
      send: { label: "Bare", certificate: bare, entityID: "urn:a", ssoURL: "https://a.example/sso" },
      see: { status: "active" },
      keep: { first: "id" },
    }),
    send("admin", "POST /v1/orgs/{org}/saml", "409 entity_id_taken", { label: "Twin", entityID: "urn:a" }),
    create("admin", "POST /v1/orgs/{org}/saml", "second", { label: "Other", entityID: "urn:b" }),
    send("admin", "PATCH /v1/orgs/{org}/saml/{second}", "409 entity_id_taken", { entityID: "urn:a" }),
    send("rival", "POST /v1/orgs/{otherOrg}/saml", 201, { label: "Ours", entityID: "urn:a" }),
    create("rival", "PUT /v1/orgs/{otherOrg}/teams", "theirs", { title: "Theirs" }),
    refuse("admin", "POST /v1/orgs/{org}/saml", "body.defaultTeam", { label: "X", defaultTeam: "{theirs}" }),
    refuse("admin", "PATCH /v1/orgs/{org}/saml/{first}", "body.defaultTeam", { defaultTeam: "{theirs}" }),
    refuse("admin", "POST /v1/orgs/{org}/saml", "body.certificate", { label: "X", certificate: "not a certificate" }),
    refuse("admin", "POST /v1/orgs/{org}/saml", "body.certificate", {
      label: "X",
      certificate: `${bare.slice(0, 400)}${bare.slice(500)}`,
    }),
    ask("admin", "POST /v1/orgs/{org}/saml", 400, {
      send: { label: "X", certificate: "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----" },
      see: {
        error: {
          issues: [{ path: "body.certificate", message: (text: unknown) => String(text).includes("private key") }],
        },
      },
    }),
    refuse("admin", "POST /v1/orgs/{org}/saml", "body.ssoURL", { label: "X", ssoURL: "http://plain.example/sso" }),
    refuse("admin", "POST /v1/orgs/{org}/saml", "body.sloURL", { label: "X", sloURL: "http://plain.example/slo" }),
    refuse("admin", "POST /v1/orgs/{org}/saml", "body.ssoURL", { label: "X", ssoURL: "javascript:alert(1)" }),
    refuse("admin", "POST /v1/orgs/{org}/saml", "body.label", { label: "x".repeat(31) }),
    refuse("admin", "POST /v1/orgs/{org}/saml", "body.label", {}),
    refuse("admin", "PATCH /v1/orgs/{org}/saml/{first}", "body.label", { label: "" }),
    ask("create", "GET /v1/orgs/{org}/saml", "403 forbidden"),
    ask("create", "DELETE /v1/orgs/{org}/saml/{first}", 204),
    ask("rival", "DELETE /v1/orgs/{org}/saml/{first}", "404 organization_not_found"),
    get("admin", "/v1/orgs/{org}/saml/{first}"),
  ]),
];
