// The type of a computed page whose content an integration computes: `integration:<name>:<sourceId>`.

export const SOURCE_TYPE = /^integration:([a-zA-Z0-9\-_.]{1,100}):([a-zA-Z0-9\-_.]{1,100})$/;
