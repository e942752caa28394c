import { writtenAnswer } from "./answers.ts";
import { decodeObject, readBody } from "./body.ts";
import type { Answer, Call } from "./call.ts";
import { refuseEscalation } from "./escalation.ts";
import { objectFor } from "./incoming.ts";
import type { Backend, Target } from "./target.ts";
import { changeObject } from "./update.ts";
import { writeOptions } from "./write-options.ts";

/** Answers PUT of an object or of its status. */
export async function replaceWhole(backend: Backend, target: Target, call: Call): Promise<Answer> {
  const options = writeOptions(call);
  const object = objectFor(target, decodeObject(await readBody(call.request)));
  const written = await changeObject(backend, {
    target,
    options,
    warnings: call.warnings,
    next: (before) => {
      refuseEscalation(backend, target, { user: call.user, object, before });
      return { ...object };
    },
  });
  return writtenAnswer(call, target.kind, { code: 200, written });
}
