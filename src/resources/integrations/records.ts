// All records of integrations, for whoever needs several kinds of them.

export * from "./definitions/records";
export * from "./delivery/queue-records";
export * from "./installations/placed-records";
export * from "./installations/records";
