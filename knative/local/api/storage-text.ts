import type { Entry } from "./storage.ts";

const versionMark = '{"apiVersion":"';
const metadataMark = '"metadata":{';
const revisionMark = '"resourceVersion":"';

/**
 * JSON text of an object for the store: apiVersion, kind and metadata first and no resourceVersion, so that
 * the revision can later be written into the text without parsing it.
 */
export function storeText(object: {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: object;
}): string {
  const { apiVersion, kind, metadata, ...rest } = object;
  const { resourceVersion: _, ...kept } = metadata as { resourceVersion?: string };
  return JSON.stringify({ apiVersion, kind, metadata: kept, ...rest });
}

/** Writes the revision into stored text; replaces one that is there already. */
export function stampText(text: string, revision: number): string {
  const start = text.indexOf(metadataMark) + metadataMark.length;
  const after = text.startsWith(revisionMark, start) ? text.indexOf('",', start) + 2 : start;
  return `${text.slice(0, start)}${revisionMark}${revision}",${text.slice(after)}`;
}

/** Writes a revision into entries. */
export function restamped(revision: number): (entry: Entry) => Entry {
  return (entry) => ({ ...entry, revision, text: stampText(entry.text, revision) });
}

/** The same object text under another apiVersion: versions of a kind differ only in that without conversion. */
export function retypeText(text: string, apiVersion: string): string {
  const isWanted =
    text.startsWith(apiVersion, versionMark.length) && text[versionMark.length + apiVersion.length] === '"';
  return isWanted ? text : `${versionMark}${apiVersion}",${text.slice(text.indexOf(",") + 1)}`;
}
