/** Where this API is on purpose not as KubeSphere 3.4's. */
export interface Difference {
  readonly what: string;
  readonly kubesphere: string;
  readonly here: string;
  readonly why: string;
}

/** Every deliberate difference; whatever else differs is a mistake. */
export const DIFFERENCES: readonly Difference[] = [
  {
    what: "an act that the version's state does not allow",
    kubesphere: "accepted from any state (deleting an active version: 500 `action not permitted`)",
    here: "400, text begins with `app_version_incorrect_status: `",
    why: "one transition table holds for console, scripts and kubectl; the code and name are those of the older OpenPitrix",
  },
  {
    what: "submit, cancel, release; review (pass, reject); suspend, recover",
    kubesphere: "all `create apps/versions`",
    here: "the verbs `submit`, `release`, `review`, `review-<step>`, `review-admin` and `suspend` of `apps/versions`; 403 without",
    why: "who submits must not be able to publish",
  },
  {
    what: "who asks",
    kubesphere: "also header X-Token-Username",
    here: "the bearer token alone, 401 where it is nobody's",
    why: "a header that anybody can send is no identity",
  },
  {
    what: "an object of another workspace than the path's",
    kubesphere: "path not compared with the object; syncing a repository silently does nothing",
    here: "404; what the store offers, and what belongs to no workspace, is readable in each",
    why: "a right in one workspace is none in another",
  },
  {
    what: "applications, versions and categories that do not exist",
    kubesphere: "500 with `<object> not found`",
    here: "404 with the same text",
    why: "the fault is not the server's, and no known client tells them apart",
  },
  {
    what: "audits of a version that does not exist; a queue with a version whose application is gone",
    kubesphere: "panic; the whole list fails",
    here: "404; the entry has an empty application name",
    why: "one object must not take the others with it",
  },
  {
    what: "credentials of repositories",
    kubesphere: "returned in `credential`, and raw by v2alpha1's describe",
    here: '`credential` is `"{}"`; user names in `url` and kubectl\'s copy of the object are left out',
    why: "whoever may read a repository need not be able to use its password",
  },
  {
    what: "another address for a repository that has credentials",
    kubesphere: "tried with the old credentials; without new ones they are lost",
    here: "kept for the same host, given up for another; tried at once only with the credentials of the request",
    why: "the gateway does not read Secrets, and nobody may lead a password to a host of his own",
  },
  {
    what: "pictures",
    kubesphere: "any bytes, of any size; a seventh screenshot replaces the icon",
    here: "PNG, JPEG, GIF or WebP by their first bytes, icons up to 1 MiB, screenshots up to 4 MiB, six of them; deleting one that is shown is 409",
    why: "what browsers show must not run",
  },
  {
    what: "`status.data` of raw repositories",
    kubesphere: "blanked in the shared cache, to the harm of others",
    here: "left out of the answer only",
    why: "the cache is everybody's",
  },
  {
    what: "bodies and texts without end",
    kubesphere: "read whole, whatever their size",
    here: "413 beyond 64 KiB of words or 48 MiB with a package in base64; 400 for texts that an event does not take; 429 where all together hold too much",
    why: "memory is finite",
  },
  {
    what: "a new application without a workspace in the path",
    kubesphere: "made without a workspace",
    here: "400: say in the path which workspace it is for",
    why: "nobody's application is nobody's to change",
  },
  {
    what: "a workspace that cannot be the value of a label",
    kubesphere: "500 from the API server",
    here: "400",
    why: "the caller can mend it",
  },
  {
    what: "a version that exists already",
    kubesphere: "500 `application version exists`",
    here: "500 `application version exists: ` and which one",
    why: "the same code and beginning, and something to go on",
  },
  {
    what: "audit trails",
    kubesphere: "the last ten entries",
    here: "all that ever happened, from the history",
    why: "an audit that forgets is none",
  },
  {
    what: "review queue",
    kubesphere: "reviewer is the operator of the last act; no phases",
    here: "the same, and `phase` says how each step stands",
    why: "reviews may have several steps",
  },
  {
    what: "charts of repositories",
    kubesphere: "in memory only, 500 `load repo info failed` until the first sync",
    here: "objects like all others, with pages and audits; the same 500 until the first sync",
    why: "what is an object can be watched; v2alpha1 therefore lists them too",
  },
  {
    what: "a mutation's answer",
    kubesphere: "when the object is written; derived state follows",
    here: "when the act was accepted or refused; 504 with an address to ask later where that takes more than 10 s",
    why: "acts are events; derived state follows here too",
  },
  {
    what: "`Idempotency-Key`",
    kubesphere: "unknown",
    here: "the same person's same request within half an hour is one act",
    why: "networks lose answers",
  },
  {
    what: "releases (`/applications` and below)",
    kubesphere: "served",
    here: "501 with a sentence",
    why: "they come with an API of their own",
  },
  {
    what: "v2alpha1 `/workspaces/{workspace}/applications/{application} `",
    kubesphere: "registered with a blank at its end, out of reach",
    here: "404",
    why: "nobody can have used it",
  },
];
