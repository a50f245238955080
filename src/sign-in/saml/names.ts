// The URIs of SAML 2.0, XML Signature and XML Encryption.

export const SAML = "urn:oasis:names:tc:SAML:2.0:assertion";
export const SAMLP = "urn:oasis:names:tc:SAML:2.0:protocol";
export const METADATA = "urn:oasis:names:tc:SAML:2.0:metadata";
export const DSIG = "http://www.w3.org/2000/09/xmldsig#";
export const XMLENC = "http://www.w3.org/2001/04/xmlenc#";
export const XMLENC11 = "http://www.w3.org/2009/xmlenc11#";

export const REDIRECT = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect";
export const POST = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST";
export const SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success";
export const BEARER = "urn:oasis:names:tc:SAML:2.0:cm:bearer";

export const EMAIL_ADDRESS = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress";
export const UNSPECIFIED = "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified";
export const PERSISTENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent";
export const TRANSIENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient";

export const EXCLUSIVE_C14N = "http://www.w3.org/2001/10/xml-exc-c14n#";
export const ENVELOPED = `${DSIG}enveloped-signature`;
