// All records of integrations, for code that needs several kinds of them.

export * from "./definitions/records";
export * from "./delivery/queue-records";
export * from "./installations/placement-records";
export * from "./installations/records";
export * from "./installations/task-records";
