import type { Access, Permission, User, Wish } from "../access-port.ts";
import type { Action, ReviewStep } from "./states.ts";
import { VERSION_VERB } from "./transitions.ts";

/** API group that rights on the store are granted in, as KubeSphere's roles have it (§2.4). */
export const RIGHTS_GROUP = "openpitrix.io";

/** What a person wants to do in the store: a verb on one of KubeSphere's resources. */
export interface StoreWish {
  readonly verb: string;
  /** `apps`, `repos`, `categories`, `attachments`, `applications`, or one with a part: `apps/versions`. */
  readonly resource: string;
  readonly name?: string;
  /** Rights in one workspace are RoleBindings in the namespace of its name; without a workspace they are cluster-wide. */
  readonly workspace?: string | undefined;
}

/** The question that Kubernetes is asked about a wish. */
export function wishOf({ verb, resource, name, workspace }: StoreWish): Wish {
  const [kind = "", part] = resource.split("/");
  return {
    verb,
    group: RIGHTS_GROUP,
    resource: kind,
    ...(part === undefined ? {} : { subresource: part }),
    ...(name === undefined ? {} : { name }),
    ...(workspace ? { namespace: workspace } : {}),
  };
}

/** The verb that an act on a version needs; a step of a review can be granted alone, as `review-business`. */
export function verbsOf(action: Action, step?: ReviewStep): readonly string[] {
  const verb = VERSION_VERB[action];
  if (verb !== "review" || step === undefined || step === "review") return [verb];
  return step === "admin" ? ["review-admin"] : ["review", `review-${step}`];
}

/** Whether one of the verbs is granted; else the refusal of the first. */
export async function permitted(
  access: Access,
  user: User,
  { verbs, ...wish }: Omit<StoreWish, "verb"> & { readonly verbs: readonly string[] },
): Promise<Permission> {
  const answers = await Promise.all(verbs.map((verb) => access.permits(user, wishOf({ ...wish, verb }))));
  return answers.find(({ allowed }) => allowed) ?? answers[0] ?? { allowed: false, message: "no verb was asked for" };
}
