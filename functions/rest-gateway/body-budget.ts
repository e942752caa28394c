/** Bytes of bodies that requests hold at once. */
export interface BodyBudget {
  /** Takes so many for a request, unless that were too many for the process. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

/** Lets requests hold at most `maxBytes` together: a package in base64 is held several times while it is decoded. */
export function createBodyBudget(maxBytes: number): BodyBudget {
  let held = 0;
  return {
    take(bytes) {
      if (held + bytes > maxBytes) return false;
      held += bytes;
      return true;
    },
    give: (bytes) => {
      held -= bytes;
    },
  };
}
