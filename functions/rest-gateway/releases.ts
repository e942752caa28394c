import { RestError } from "../../shared/rest/answers.ts";
import type { Handler } from "./call.ts";

/** Releases come with an API of their own; until then nobody is left in doubt. */
export const notYet: Handler = async () => {
  throw new RestError(501, "releases are not served by this API yet: create a HelmRequest, or use helm");
};
