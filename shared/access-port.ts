/** Somebody whom Kubernetes has recognised. */
export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  /** What the authenticator knows besides; authorizers read from it what a token is good for. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** What somebody wants to do, in the terms of Kubernetes RBAC. */
export interface Wish {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly namespace?: string;
}

/** Whether somebody may do something; the message names person, deed and object. */
export type Permission = { readonly allowed: true } | { readonly allowed: false; readonly message: string };

/** Asks Kubernetes who somebody is and what they may do. */
export interface Access {
  /** The user whom a bearer token belongs to; `undefined` where it belongs to nobody. */
  authenticate(token: string): Promise<User | undefined>;
  permits(user: User, wish: Wish): Promise<Permission>;
}
