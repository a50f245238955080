// Puts a file into the space, for images that are pasted or dropped.

import { change, type Place } from "../space/place";

/** The Markdown that shows the file. */
export async function uploadFile(place: Place, file: File): Promise<string> {
  const base64 = await base64Of(file);
  const name = file.name === "" ? "image" : file.name;
  const contentType = file.type === "" ? {} : { contentType: file.type };
  const { insertedFiles } = await change(place, [
    { operation: "insert_files", files: [{ name, ...contentType, ref: "new", base64 }] },
  ]);
  const id = insertedFiles[0]!.id;
  const label = name.replace(/[[\]\\]/g, "\\$&");
  return file.type.startsWith("image/") ? `![${label}](/files/${id})` : `[${label}](/files/${id})`;
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
