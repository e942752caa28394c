import type { FormFile } from "../adapters/multipart.ts";

/** Reads a `multipart/form-data` body as it arrives; the parser is loaded at its first use. */
export async function readForm<T>(
  request: { readonly contentType: string; readonly body: AsyncIterable<Uint8Array> },
  take: (file: FormFile) => Promise<T>,
): Promise<{ readonly fields: Readonly<Record<string, string>>; readonly taken: T | undefined }> {
  const multipart = await import("../adapters/multipart.ts");
  const { fields, taken } = await multipart.readForm(request.contentType, request.body, take);
  return { fields: Object.fromEntries(fields), taken };
}
