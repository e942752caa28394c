import type { Access, Permission, User, Wish } from "../access-port.ts";
import { sha256 } from "../digest.ts";
import { externalResource, type KubeObject } from "../resource.ts";
import type { Kube } from "./kubernetes.ts";

const TokenReview = externalResource<"TokenReview", KubeObject>({
  group: "authentication.k8s.io",
  version: "v1",
  kind: "TokenReview",
  plural: "tokenreviews",
  scope: "Cluster",
});

const SubjectAccessReview = externalResource<"SubjectAccessReview", KubeObject>({
  group: "authorization.k8s.io",
  version: "v1",
  kind: "SubjectAccessReview",
  plural: "subjectaccessreviews",
  scope: "Cluster",
});

interface TokenStatus {
  readonly authenticated?: boolean;
  readonly user?: Partial<Omit<User, "name">> & { readonly username?: string };
}

interface AccessStatus {
  readonly allowed?: boolean;
  readonly denied?: boolean;
  readonly reason?: string;
}

/** Answers are remembered for so long: a role that is taken away counts after it. */
const REMEMBERED_MS = 10_000;
const MAX_REMEMBERED = 2_000;

/** Longest token that is asked about. */
const MAX_TOKEN = 16 * 1024;

/** Asks the API server who a token belongs to and what a person may do. Fails as `Kube` does. */
export function createAccess(kube: Pick<Kube, "review">, now: () => number = () => performance.now()): Access {
  const users = remembering<User | undefined>(now);
  const permissions = remembering<Permission>(now);
  return {
    async authenticate(token) {
      if (token === "" || token.length > MAX_TOKEN) return undefined;
      return users(sha256(token), async () => userOf((await kube.review(TokenReview, { token })) as TokenStatus));
    },
    async permits(user, wish) {
      const spec = reviewSpec(user, wish);
      return permissions(JSON.stringify(spec), async () =>
        permissionOf((await kube.review(SubjectAccessReview, spec)) as AccessStatus, user, wish),
      );
    },
  };
}

function userOf({ authenticated, user }: TokenStatus): User | undefined {
  if (authenticated !== true || !user?.username) return undefined;
  const { username: name, groups = [], uid, extra } = user;
  return { name, groups, ...(uid === undefined ? {} : { uid }), ...(extra === undefined ? {} : { extra }) };
}

function reviewSpec(user: User, wish: Wish) {
  const { name, ...rest } = user;
  return { user: name, ...rest, resourceAttributes: wish };
}

function permissionOf({ allowed, denied, reason }: AccessStatus, user: User, wish: Wish): Permission {
  if (allowed === true && denied !== true) return { allowed: true };
  const { verb, group, resource, subresource, name, namespace } = wish;
  const what = [resource, subresource, name].filter((part) => part !== undefined).join("/");
  const where = namespace === undefined ? "" : ` in ${namespace}`;
  const because = reason ? ` (${reason})` : "";
  return { allowed: false, message: `${user.name} may not ${verb} ${what} of ${group}${where}${because}` };
}

/** Answers of the last seconds by their question; the oldest go first, and failures are not remembered. */
function remembering<T>(now: () => number) {
  const known = new Map<string, { readonly until: number; readonly answer: Promise<T> }>();
  return (question: string, ask: () => Promise<T>): Promise<T> => {
    const found = known.get(question);
    if (found && found.until > now()) return found.answer;
    known.delete(question);
    const answer = ask();
    known.set(question, { until: now() + REMEMBERED_MS, answer });
    answer.catch(() => known.delete(question));
    const [oldest] = known.keys();
    if (known.size > MAX_REMEMBERED && oldest !== undefined) known.delete(oldest);
    return answer;
  };
}
