/** User name and password as a URL holds them. */
export interface UserInfo {
  readonly username: string;
  readonly password: string;
}

/** User name and password in front of a URL's host, `undefined` unless both are there. */
export function userInfoOf(text: string): UserInfo | undefined {
  const url = URL.parse(text);
  if (!url?.username || !url.password) return undefined;
  return { username: decoded(url.username), password: decoded(url.password) };
}

/** The URL without what stands in front of its host. */
export function withoutUserInfo(text: string): string {
  return text.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, "$1");
}

/** URLs may hold a percent sign that encodes nothing. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
