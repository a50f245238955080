// The emoticons of Confluence as characters.

const EMOTICONS = new Map([
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

/** Returns an emoticon as a character: its fallback, if that is one, or the character for its name. */
export function findEmoji(fallback: string, name: string): string {
  return fallback !== "" && !/^:.*:$/.test(fallback) ? fallback : (EMOTICONS.get(name) ?? fallback);
}
