import { MAX_PACKAGE_BYTES } from "../../shared/lifecycle/uploaded-package.ts";
import { RestError } from "../../shared/rest/answers.ts";
import { readBase64Field } from "../../shared/rest/base64-field.ts";
import { readForm } from "../../shared/rest/form.ts";
import { type Call, objectIn, textField } from "./call.ts";

/** A body with a package in it, as KubeSphere's JSON with base64 or as a form with a file. */
export interface PackageBody<T> {
  readonly fields: Readonly<Record<string, unknown>>;
  /** What became of the package; `undefined` where the body has none. */
  readonly taken: T | undefined;
  readonly filename?: string | undefined;
}

/** Bytes of JSON besides the package. */
const MAX_REST = 1024 * 1024;

const FORM = /^multipart\/form-data\b/i;

/** Hands the package to `take` as it arrives, so that nobody holds it whole who does not want to. */
export async function packageBody<T>(
  call: Call,
  field: string,
  take: (chunks: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<PackageBody<T>> {
  const { headers, body } = call.request;
  const contentType = headers["content-type"] ?? "";
  if (FORM.test(contentType)) {
    const form = await readForm({ contentType, body }, async ({ filename, chunks }) => ({
      filename: filename?.slice(0, 255),
      taken: await take(chunks),
    }));
    return { fields: form.fields, taken: form.taken?.taken, filename: form.taken?.filename };
  }
  const { text, taken } = await readBase64Field(body, { field, maxRest: MAX_REST }, take);
  const fields = objectIn(text);
  textField(fields, field);
  return { fields, taken };
}

/** Puts the package among the uploads; the answer is where it lies. */
export async function storedPackage(call: Call, field: string): Promise<PackageBody<string>> {
  return packageBody(call, field, async (chunks) => {
    const { digest } = await call.ports.uploads.take(chunks, MAX_PACKAGE_BYTES);
    return digest;
  });
}

/** The package itself, within what all requests may hold together. */
export async function heldPackage(call: Call, field: string): Promise<Uint8Array> {
  const { taken } = await packageBody(call, field, async (chunks) => {
    const held: Uint8Array[] = [];
    let total = 0;
    for await (const chunk of chunks) {
      total += chunk.length;
      if (total > MAX_PACKAGE_BYTES) throw tooLarge();
      if (!call.hold(chunk.length)) throw new RestError(429, "too much is being uploaded at once; try again");
      held.push(chunk);
    }
    return Buffer.concat(held, total);
  });
  return taken ?? missing(field);
}

/** Thrown by whoever needs a package where there is none. */
export function missing(field: string): never {
  throw new RestError(400, `${field} is missing: send the package in base64`);
}

function tooLarge(): RestError {
  return new RestError(413, `the package has more than ${MAX_PACKAGE_BYTES} bytes; vendor less, or split the chart`);
}
