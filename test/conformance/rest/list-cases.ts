/** Queries of the paging grammar, and which of the listed application's 12 versions (by minor number) the page holds. */
export const PAGES: readonly (readonly [query: string, first: number, last: number])[] = [
  ["", 1, 10],
  ["limit=5", 1, 5],
  ["limit=5&page=3", 11, 12],
  ["paging=limit=5,page=2", 6, 10],
  ["paging=limit=5,page=2&limit=3&page=1", 6, 10],
  ["paging=limit=5,%20page=2", 1, 10],
  ["paging=page=2,limit=5", 1, 10],
  ["paging=rubbish", 1, 10],
  ["paging=limit=-1,page=7", 1, 12],
  ["limit=-1", 1, 12],
  ["limit=4&start=7", 8, 11],
  ["limit=4&page=3&start=0", 1, 4],
  ["limit=many&page=few", 1, 10],
  ["limit=0", 0, 0],
  ["limit=-2", 0, 0],
  ["limit=5&page=0", 0, 0],
  ["limit=5&page=9", 0, 0],
  ["orderBy=status&limit=3", 1, 3],
];

/** Queries of v1's lists over the same versions, and which are found, in order. */
export const CONDITIONS: readonly (readonly [query: string, minors: readonly number[], total: number])[] = [
  ["reverse=true&limit=3", [12, 11, 10], 12],
  ["reverse=false&limit=2", [1, 2], 12],
  ["conditions=keyword=0.1.0", [1], 1],
  ["conditions=keyword=0.1", [1, 10, 11, 12], 4],
  ["conditions=status=active", [], 0],
  ["conditions=status=active|draft&limit=2", [1, 2], 12],
  ["conditions=status=,keyword=0.2", [2], 1],
  ["conditions=,,keyword=0.2,", [2], 1],
  ["conditions=keyword&limit=1", [1], 12],
];

/** Queries of v2alpha1's lists over the same versions, and how many are found in all and on the page. */
export const GENERIC: readonly (readonly [query: string, total: number, onPage: number])[] = [
  ["", 12, 12],
  ["limit=5", 12, 5],
  ["limit=5&page=3", 12, 2],
  ["limit=-1&page=2", 12, 12],
  ["name=listed", 12, 12],
  ["name=other", 0, 0],
  ["names={listed}", 1, 1],
  ["status=draft", 12, 12],
  ["status=act", 0, 0],
  ["labelSelector=kubesphere.io/workspace={workspace}", 12, 12],
  ["labelSelector=kubesphere.io/workspace=elsewhere", 0, 0],
  ["labelSelector=kubesphere.io/workspace%20in%20(a,{workspace})", 12, 12],
  ["labelSelector=!kubesphere.io/workspace", 0, 0],
  ["label=kubesphere.io/workspace", 12, 12],
  ["annotation=kubesphere.io/creator", 12, 12],
  ["ownerKind=HelmApplication", 12, 12],
  ["ownerReference=none", 0, 0],
  ["uid=none", 0, 0],
  ["colour=blue", 0, 0],
];
