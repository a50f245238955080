// Emoji as they are stored: as characters, or as hexadecimal code points separated by `-`, such as `1f604`.

export function decodeEmoji(text: string): string {
  if (!/^[0-9a-f]{2,6}(?:-[0-9a-f]{2,6})*$/i.test(text)) return text;
  const points = text.split("-").map((point) => Number.parseInt(point, 16));
  return points.every((point) => point > 0 && point <= 0x10ffff) ? String.fromCodePoint(...points) : text;
}
