// Uploads files that are pasted or dropped into the editor.

import { applyChanges, type ContentPlace } from "../space/content-place";

/** Uploads a file and returns the Markdown that shows it. */
export async function uploadFile(place: ContentPlace, file: File): Promise<string> {
  const base64 = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
  const name = file.name === "" ? "image" : file.name;
  const contentType = file.type === "" ? {} : { contentType: file.type };
  const { insertedFiles } = await applyChanges(place, [
    { operation: "insert_files", files: [{ name, ...contentType, ref: "new", base64 }] },
  ]);
  const id = insertedFiles[0]!.id;
  const label = name.replace(/[[\]\\]/g, "\\$&");
  return file.type.startsWith("image/") ? `![${label}](/files/${id})` : `[${label}](/files/${id})`;
}
