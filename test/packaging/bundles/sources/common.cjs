// A library in the form of CommonJS, which asks where it runs before it does anything.

const isDevelopment = process.env.NODE_ENV === "development";
const isNode = typeof process !== "undefined" && process.versions != null && process.versions.node != null;
const agent = typeof navigator === "undefined" ? "unknown" : navigator.userAgent;

function Report(title) {
  if (!(this instanceof Report)) return new Report(title);
  this.title = title;
}
Report.prototype.line = (name, value) => `${name}: ${value.toLocaleString("en-US", { maximumFractionDigits: 1 })}`;

module.exports = { Report, where: { isDevelopment, isNode, agent } };
