/** Keys that a Secret of a repository may get. */
export const CREDENTIAL_KEYS = ["username", "password", "token", "accessKeyID", "secretAccessKey", "sessionToken"];

/** Texts above this are no credentials. */
const MAX_TEXT = 8 * 1024;

/** The credentials in a JSON text, by their keys in a Secret; `undefined` where it is no object of texts. */
export function parsedCredential(text: string): Readonly<Record<string, string>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    const known = Object.entries(value).filter(
      ([key, each]) => CREDENTIAL_KEYS.includes(key) && each !== "" && each !== null,
    );
    if (known.some(([, each]) => typeof each !== "string" || each.length > MAX_TEXT)) return undefined;
    return Object.fromEntries(known);
  } catch {
    return undefined;
  }
}
