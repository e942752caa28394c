import { notAcceptable } from "./errors.ts";

/** The shape in which an answer is wanted. */
export type Form = "object" | "table" | "partial";

/** What the Accept header asks for. */
export interface Wanted {
  readonly form: Form;
  readonly yaml: boolean;
}

/** One media range of an Accept header. */
export interface MediaRange {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Splits an Accept header into its ranges, in the order in which they were written. */
export function mediaRanges(accept: string | undefined): readonly MediaRange[] {
  return (accept ?? "*/*").split(",").map((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
    return {
      type: type.toLowerCase(),
      parameters: new Map(parameters.map((parameter) => splitOnce(parameter, "="))),
    };
  });
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** Picks the first range that this server can produce; protobuf is never one of them. Throws 406. */
export function negotiate(accept: string | undefined): Wanted {
  for (const range of mediaRanges(accept)) {
    const wanted = wantedOf(range);
    if (wanted !== undefined) return wanted;
  }
  throw notAcceptable();
}

const jsonTypes = new Set(["application/json", "application/*", "*/*", ""]);
const forms: ReadonlyMap<string | undefined, Form> = new Map([
  [undefined, "object"],
  ["Table", "table"],
  ["PartialObjectMetadata", "partial"],
  ["PartialObjectMetadataList", "partial"],
]);

function wantedOf(range: MediaRange): Wanted | undefined {
  const yaml = range.type === "application/yaml";
  if (!yaml && !jsonTypes.has(range.type)) return undefined;
  const form = forms.get(range.parameters.get("as"));
  if (form === undefined) return undefined;
  if (form !== "object" && range.parameters.get("g") !== "meta.k8s.io") return undefined;
  return { form, yaml };
}
