import type { Answer, Call } from "./call.ts";
import { type Form, negotiate, type Wanted } from "./negotiate.ts";
import type { KubeObject } from "./object.ts";
import type { KindInfo } from "./schema/kinds.ts";
import { columnsOf, type Included, partialOf, tableOf } from "./tables.ts";
import { stamped, textIn, type Written } from "./target.ts";

/** What rows of a table should carry, from the query. */
export function includedOf(query: URLSearchParams): Included {
  const asked = query.get("includeObject");
  return asked === "None" || asked === "Object" ? asked : "Metadata";
}

/** The form in which this call wants objects. Throws 406. */
export function wantedOf(call: Call): Wanted {
  return negotiate(call.request.headers.accept);
}

/** Answers with one object in the form that was asked for. */
export function objectAnswer(call: Call, kind: KindInfo, found: { code: number; object: KubeObject }): Answer {
  const { form } = wantedOf(call);
  return { code: found.code, text: JSON.stringify(shaped(found.object, { form, kind, query: call.query })) };
}

/** Answers with an object that was written: what is stored is sent as it is, as it would be to readers. */
export function writtenAnswer(
  call: Call,
  kind: KindInfo,
  { code, written }: { code: number; written: Written },
): Answer {
  const { entry } = written;
  if (entry === undefined || wantedOf(call).form !== "object") {
    return objectAnswer(call, kind, { code, object: stamped(written) });
  }
  return { code, text: textIn(kind, entry) };
}

/** One object in a form. */
export function shaped(
  object: KubeObject,
  how: { readonly form: Form; readonly kind: KindInfo; readonly query: URLSearchParams; readonly head?: boolean },
): object {
  if (how.form === "partial") return partialOf(object);
  if (how.form === "object") return object;
  return tableOf(columnsOf(how.kind), [object], {
    include: includedOf(how.query),
    metadata: { resourceVersion: object.metadata.resourceVersion },
    ...(how.head === undefined ? {} : { head: how.head }),
  });
}
