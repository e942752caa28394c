import type { Charts, KnownIndex, RepositoryAccess } from "../../../shared/ports.ts";

/** The text of an index that is read to its end, and what came with it. */
export async function readIndexText(from: Charts, access: RepositoryAccess, known?: KnownIndex) {
  const fetched = await from.fetchIndex(access, known);
  if (!fetched.changed) return fetched;
  const { chunks, ...answer } = fetched;
  const copies = await Array.fromAsync(chunks, (chunk) => Buffer.from(chunk));
  return { ...answer, text: Buffer.concat(copies).toString("utf8") };
}

/** The same, the text alone. */
export async function indexText(from: Charts, access: RepositoryAccess): Promise<string> {
  const read = await readIndexText(from, access);
  return read.changed ? read.text : "unchanged";
}
