/** The version that a command is about. */
export const VERSION_ARGUMENT = { name: "VERSION", description: "id of the version: appv-…" } as const;

/** What to do where a version is not as an act needs it. */
export function versionHint(version: string): string {
  return `see opx version get ${version}`;
}

/** What to do where there is no such version. */
export const NO_VERSION_HINT = "see opx version list APP";
