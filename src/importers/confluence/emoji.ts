// The pictures that Confluence has for moods and states.

const NAMED = new Map([
  ["smile", "🙂"],
  ["sad", "🙁"],
  ["cheeky", "😛"],
  ["laugh", "😀"],
  ["wink", "😉"],
  ["thumbs-up", "👍"],
  ["thumbs-down", "👎"],
  ["information", "ℹ️"],
  ["tick", "✅"],
  ["cross", "❌"],
  ["warning", "⚠️"],
  ["plus", "➕"],
  ["minus", "➖"],
  ["question", "❓"],
  ["light-on", "💡"],
  ["light-off", "💡"],
  ["yellow-star", "⭐"],
  ["blue-star", "⭐"],
  ["green-star", "⭐"],
  ["red-star", "⭐"],
  ["heart", "❤️"],
  ["broken-heart", "💔"],
]);

/** A picture by the character that stands in for it, or by its name. */
export function emojiNamed(fallback: string, name: string): string {
  return fallback !== "" && !/^:.*:$/.test(fallback) ? fallback : (NAMED.get(name) ?? fallback);
}
