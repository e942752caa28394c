import { answered } from "../../shared/rest/answers.ts";
import type { Handler } from "./call.ts";

/** The OpenAPI document of this API, made when somebody asks for it. */
export const describeApi: Handler = async () => {
  const { openApi } = await import("./openapi.ts");
  return answered(openApi());
};
