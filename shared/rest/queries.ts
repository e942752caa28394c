/** Parameters of queries: v1's lists, v2alpha1's lists, and what can be checked only. */
export const QUERIES = {
  list: {
    paging: "limit=<int>,page=<uint>; anything else counts as limit=10,page=1.",
    limit: "Length of a page, default 10; -1 is everything.",
    page: "Number of the page, from 1.",
    start: "Offset, in place of page.",
    conditions: "Terms key=value joined by commas, e.g. status=active|draft,keyword=web.",
    orderBy: "Accepted, without effect.",
    reverse: "true turns the list round.",
  },
  generic: {
    limit: "Length of a page, default all.",
    page: "Number of the page, from 1.",
    sortBy: "name, or creationTimestamp (default).",
    ascending: "true: smallest or oldest first.",
    labelSelector: "key=value or key, joined by commas.",
    name: "Part of spec.name.",
    names: "Names of objects, joined by commas.",
    status: "Part of status.state.",
    uid: "Uid of an object.",
    label: "key=value or key.",
    annotation: "key=value or key.",
    ownerReference: "Uid of an owner.",
    ownerKind: "Kind of an owner.",
  },
  search: {
    q: "Words that must all be found: in the name, a keyword, the description or a maintainer's name.",
    category: "Id of a category.",
    keyword: "Keyword of the newest version.",
    maintainer: "Name of a maintainer.",
    paging: "limit=<int>,page=<uint>; anything else counts as limit=10,page=1.",
    limit: "Length of a page, default 10; -1 is everything.",
    page: "Number of the page, from 1.",
  },
  validate: { validate: "true only checks and makes nothing." },
  files: { files: "Paths of the wanted files, joined by commas; default: all." },
  raw: { filename: "raw gives the bytes themselves." },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The name of a query language. */
export type QueryName = keyof typeof QUERIES;
