import { gzipSync } from "node:zlib";
import { Header, Pax } from "tar";

type Type =
  | "File"
  | "Directory"
  | "SymbolicLink"
  | "Link"
  | "CharacterDevice"
  | "BlockDevice"
  | "FIFO"
  | "SparseFile"
  | "ExtendedHeader";

/** One member of an archive that a test makes, however wrong. */
export interface Entry {
  readonly path: string;
  readonly type?: Type;
  readonly body?: string | Buffer;
  readonly target?: string;
  /** What the header claims instead of the body's length. */
  readonly claims?: number;
}

/** The least that makes a chart. */
export const CHART = { path: "redis/Chart.yaml", body: "apiVersion: v2\nname: redis\nversion: 1.0.0\n" };
/** What ends an archive. */
export const END = Buffer.alloc(1024);

/** The bytes of one member, header and padding included. */
export function entryBytes({ path, type = "File", body = "", target, claims }: Entry): Buffer {
  const content = Buffer.from(body);
  const size = claims ?? content.length;
  const header = Buffer.alloc(512);
  const needsPax = new Header({ path, type, size, mode: 0o644, ...(target ? { linkpath: target } : {}) }).encode(
    header,
    0,
  );
  const pax = needsPax ? new Pax({ path, ...(target ? { linkpath: target } : {}) }).encode() : Buffer.alloc(0);
  return Buffer.concat([pax, header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

/** An archive that is not packed. */
export function tarOf(...entries: Entry[]): Buffer {
  return Buffer.concat([...entries.map(entryBytes), END]);
}

/** An archive as `helm package` packs it. */
export function pack(...entries: Entry[]): Buffer {
  return gzipSync(tarOf(...entries));
}

/** Zeros cost nothing to pack: one packed member repeated, as gzip allows. */
export function zeros(mebibytes: number): Buffer {
  const member = gzipSync(Buffer.alloc(16 * 1024 * 1024), { level: 9 });
  return Buffer.concat(Array.from({ length: mebibytes / 16 }, () => member));
}
