import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import { Failure, messageOf } from "../errors.ts";

/** A file of a form as it arrives. */
export interface FormFile {
  /** Name of the form's field. */
  readonly field: string;
  /** What the sender calls the file. */
  readonly filename: string | undefined;
  /** Must be read to its end, or left with an error. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** How much a form may hold besides its files' contents. */
const LIMITS = { fields: 32, fieldSize: 64 * 1024, fieldNameSize: 128, files: 1, parts: 33, headerPairs: 32 };

/**
 * Reads a `multipart/form-data` body (RFC 7578) as it arrives: texts come back by name, the one file is handed to
 * `take` at once. Fails with `Invalid` where it is no form, has more parts than a person would send, or breaks off, and
 * as `take` or the body do.
 */
export async function readForm<T>(
  contentType: string,
  body: AsyncIterable<Uint8Array>,
  take: (file: FormFile) => Promise<T>,
): Promise<{ readonly fields: ReadonlyMap<string, string>; readonly taken: T | undefined }> {
  const form = openForm(contentType);
  const fields = new Map<string, string>();
  const taking: Promise<T>[] = [];
  const files: Readable[] = [];
  let wrong: { readonly error: unknown } | undefined;
  const stop = (error: unknown) => {
    wrong ??= { error };
    const cause = error instanceof Error ? error : new Error(String(error));
    for (const stream of [...files, form]) stream.destroy(cause);
  };
  form.on("field", (name, value, ...cut) => {
    if (cut.slice(0, 2).includes(true)) stop(new Failure("Invalid", `field ${name} of the form is too long`));
    else fields.set(name, value);
  });
  form.on("file", (field, stream, filename) => {
    files.push(stream);
    // Whoever reads it hears of it; without this it would also be nobody's.
    stream.on("error", () => undefined);
    const taken = take({ field, filename: filename || undefined, chunks: stream });
    taking.push(taken);
    taken.catch(stop);
  });
  for (const limit of ["partsLimit", "filesLimit", "fieldsLimit"] as const) {
    form.on(limit, () => stop(new Failure("Invalid", "the form has more parts than are read: one file, a few fields")));
  }
  await pipeline(Readable.from(body), form).catch(stop);
  const [taken] = await Promise.allSettled(taking);
  if (wrong) throw failureOf(wrong.error);
  return { fields, taken: taken?.status === "fulfilled" ? taken.value : undefined };
}

function openForm(contentType: string): BusboyInstance {
  try {
    return new Busboy({ headers: { "content-type": contentType }, limits: LIMITS });
  } catch (error) {
    throw failureOf(error);
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure("Invalid", `the form cannot be read: ${messageOf(error)}`, { cause: error });
}
